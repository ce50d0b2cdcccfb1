"""A game watched live: its log, the table that the log tells of, and the cameras that watch.

What happens is written down (`log`, `entry`) and folded into the table (`fold`), whose meaning
(`outlook`) is told to pages in words (`telling`) as news (`news`, `feed`). Cameras are watched
by processes of their own (`worker`, `watcher`); the server looks after each (`worker_process`,
`camera_worker`) and after all of them (`supervisor`).
`desk` holds it together.
"""

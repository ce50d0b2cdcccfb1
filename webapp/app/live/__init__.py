"""A game watched live: its log, the table that the log tells of, and the cameras that watch.

What happens is written down (`log`, `entry`) and reduced to the table (`reducer`, `projection`),
whose meaning (`view_model`) is told to pages in words (`messages`) as server-sent events
(`event_streams`, `notifier`). Each camera's frames are processed in a process of its own (`worker`,
`vision_worker`); the server looks after each (`worker_process`, `camera_worker`) and after all of
them (`supervisor`). `service` holds it together.
"""

"""A game watched live: its log, the table that the log tells of, and the cameras that watch.

What happens is written down (`log`, `entry`) and reduced to the table (`reducer`, `projection`),
whose meaning (`view_model`) is told to pages as server-sent events (`notifier`). Each camera's
frames are processed in a process of its own (`worker`, `vision_worker`); the server looks after
each (`camera_worker`, on `webapp.app.processes`) and after all of them (`supervisor`). `service`
holds it together.
"""

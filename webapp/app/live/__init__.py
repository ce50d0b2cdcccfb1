"""Live games: the log, the table derived from it, and the cameras.

Entries are logged (`log`, `entry`) and reduced to the table (`reducer`, `projection`), which
`view_model` interprets and pages receive as server-sent events (`notifier`). Each camera's frames
are processed in a child process (`worker`, `vision_worker`); `camera_worker`, on
`webapp.app.processes`, supervises one of them and `supervisor` all. `service` ties these together.
"""

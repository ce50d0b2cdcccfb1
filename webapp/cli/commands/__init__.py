"""The commands, one click command a file.

They are imported when called or listed, so the top of a command's file imports nothing slow: the
rooms that it needs are imported when it runs.
"""

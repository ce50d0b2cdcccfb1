"""The commands, one click command a file.

Each is imported when it is called or listed, so a command's file imports at its top nothing
that is slow to import: the rooms that it needs, it imports when it runs.
"""

"""Sharing finished games as game files, tables, pictures or logged plays."""

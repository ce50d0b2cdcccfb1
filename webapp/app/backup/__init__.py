"""Backup of everything a server keeps in one file, and restore."""

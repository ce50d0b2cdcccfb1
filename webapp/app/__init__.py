"""Saved games, reading, live tables, guided games, history and sharing, without a web framework."""

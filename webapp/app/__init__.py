"""Saved games, reading, live and guided tables, history and sharing; imports no web framework."""

"""Polaris' part of a table that is followed live: turns, the moon frame, phases and counts."""

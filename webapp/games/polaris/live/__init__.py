"""Polaris' part of a live table: turns, the moon frame, phases and counts."""

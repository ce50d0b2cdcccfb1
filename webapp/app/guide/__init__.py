"""Guided games: their history in the table's log, and what follows from it."""

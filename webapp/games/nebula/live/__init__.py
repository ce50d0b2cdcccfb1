"""Nebula's part of a table that is followed live: career cards, the Values board, the end."""

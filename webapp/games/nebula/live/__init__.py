"""Nebula's part of a live table: career cards, the Values board, the end."""

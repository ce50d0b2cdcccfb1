"""Nebula's part of the pages: cards on the table, the Values board, personal cards, markers."""

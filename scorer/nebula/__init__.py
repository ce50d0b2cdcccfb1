"""Nebula: the galaxy board, legal placements, the cards, editions, game files and scores."""

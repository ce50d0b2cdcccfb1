"""Nebula: the galaxy board, placement rules, cards, editions, game files and scores."""

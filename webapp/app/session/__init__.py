"""Saved games: documents, revisions, seats, steps and scores."""

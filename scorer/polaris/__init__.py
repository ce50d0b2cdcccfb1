"""Polaris: the night sky, constellations, objectives, scoring phases, game files and scores."""

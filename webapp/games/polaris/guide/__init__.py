"""Guided games of Polaris: the questions of a turn, legal places, and the points of phases."""

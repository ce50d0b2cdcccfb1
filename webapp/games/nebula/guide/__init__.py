"""Guided games of Nebula: the question of each phase, and instructions for each action."""

"""Nebula guided: the question of each phase, and what an action asks of hands at the table."""

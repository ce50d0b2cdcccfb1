"""Nebula as a state that moves: setup, turns and the end, every choice and every draw."""

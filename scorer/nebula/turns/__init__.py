"""Nebula's state machine: setup, turns and the end, with every choice and every draw."""

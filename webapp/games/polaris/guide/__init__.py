"""Polaris guided: what is asked in a turn, where pieces may go, what a phase gave."""

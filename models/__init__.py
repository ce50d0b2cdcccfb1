"""Trained weights, the training data that made them, and the training itself."""

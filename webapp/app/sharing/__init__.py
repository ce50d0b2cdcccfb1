"""What leaves the companion: a finished game as a file, a table, a picture, or a play to log."""

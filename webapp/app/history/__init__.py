"""Results of games, the people who played them, and statistics."""

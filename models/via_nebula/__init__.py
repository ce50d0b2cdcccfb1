"""What only Via Nebula's pictures need."""

"""What only Via Nebula's pages need."""

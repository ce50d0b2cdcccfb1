"""What only Polaris' pictures need."""

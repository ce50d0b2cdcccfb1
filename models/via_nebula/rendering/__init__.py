"""Path-traced photographs of Via Nebula's print."""

"""What the commands share at the terminal: exit codes, errors, progress and tables."""

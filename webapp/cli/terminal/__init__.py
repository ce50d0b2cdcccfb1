"""Terminal output shared by the commands: exit codes, errors, progress and tables."""

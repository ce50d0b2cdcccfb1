"""What the pages of each game need beside its rules; found by entry points, imported by nobody."""

"""Everything that a server keeps as one file, and back."""

"""Via Nebula's part of the pages."""

"""A finished game as a picture to share, in the style of the pages."""

"""A saved game: its document, revisions, seats and steps, and how it comes to its score."""

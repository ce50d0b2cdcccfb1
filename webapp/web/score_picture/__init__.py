"""A finished game as a picture to send, drawn with the shapes, colours and fonts of the pages."""

"""Nebula's rendered photographs: see models/rendering/README.md."""

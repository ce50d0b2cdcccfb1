"""Ptolemaeus' part of the pages."""

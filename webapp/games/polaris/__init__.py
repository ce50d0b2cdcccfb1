"""Polaris on the pages."""

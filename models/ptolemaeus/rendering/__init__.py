"""Path-traced photographs of the zodiac."""

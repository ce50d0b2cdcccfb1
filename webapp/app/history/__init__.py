"""What games ended in, who played them, and what that adds up to."""

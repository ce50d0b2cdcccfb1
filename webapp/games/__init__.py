"""The parts of each game that only its pages need, found by entry points and never imported."""

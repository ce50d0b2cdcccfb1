"""A game that is guided: what its players did, kept in the log of its table, and what follows."""

"""What only Ptolemaeus' pages need."""

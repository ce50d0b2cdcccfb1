"""What only photographs of Ptolemaeus need."""

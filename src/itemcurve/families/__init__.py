"""Response distributions: one exponential family per file."""

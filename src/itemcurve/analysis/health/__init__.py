"""What is wrong with a benchmark and what is left of it."""

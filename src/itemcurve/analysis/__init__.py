"""What a fit means: one analysis per file, a function and a frozen result with its table."""

"""Back to the harness: which samples to run next, what they cost, what was answered."""

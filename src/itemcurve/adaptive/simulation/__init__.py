"""Many simulated tests at once."""

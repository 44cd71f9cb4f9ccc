"""Rules that value items, one per file."""

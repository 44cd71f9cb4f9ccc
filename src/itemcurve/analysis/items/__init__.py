"""What kind of item each one is."""

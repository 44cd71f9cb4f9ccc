"""What to expect at each ability, and on which scale people read it."""

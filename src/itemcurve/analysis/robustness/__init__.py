"""What noise does to models on easy and on hard items."""

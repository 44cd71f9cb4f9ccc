"""What fits of several abilities, and of several populations, print."""

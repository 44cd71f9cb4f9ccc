"""What follows from a fit: numbers and tables, no pictures."""

"""Ratings: who rated whose answer to what, and how."""

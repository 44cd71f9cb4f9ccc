"""Iteration towards a maximum, whatever is maximised."""

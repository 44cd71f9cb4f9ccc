"""Adaptive tests: which item next, when to stop, and what the whole benchmark would say."""

"""Estimators of the score over a whole benchmark, one per file."""

"""Simulated data with known truth."""

"""Draws from the posterior by NUTS."""

"""Abilities that are not normal: Davidian curves, histograms, and a test that asks for them."""

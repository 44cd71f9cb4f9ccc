"""Fits of several abilities: exploratory, confirmatory, bifactor."""

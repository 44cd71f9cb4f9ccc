"""Strengths behind votes: the formula, its parameters, the search for them, their errors."""

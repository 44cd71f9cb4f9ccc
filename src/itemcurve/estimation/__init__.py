"""Fitting models and scoring respondents."""

"""Fits whose respondents come from several populations, or are described by covariates."""

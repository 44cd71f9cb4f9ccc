"""Estimators as respondents: pools, predictions, responses, and what one does with the result."""

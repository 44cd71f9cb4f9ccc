"""Respondents integrated out, items estimated."""

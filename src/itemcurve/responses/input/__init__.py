"""Responses from arrays and tables."""

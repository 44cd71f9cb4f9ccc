"""Responses in blocks of respondents that are read when they are needed."""

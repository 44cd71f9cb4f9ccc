"""Adaptive tests that ask how able a respondent is."""

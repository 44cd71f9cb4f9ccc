"""Noise put into data on purpose, and taken out again."""

"""Predictions of OpenML runs."""

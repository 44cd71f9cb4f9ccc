"""Predictions graded into responses, and put together with their fit."""

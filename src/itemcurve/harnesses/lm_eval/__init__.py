"""Adaptive tests around lm-evaluation-harness."""

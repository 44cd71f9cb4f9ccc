"""Adaptive tests where the models are run: inside Inspect, and around lm-evaluation-harness."""

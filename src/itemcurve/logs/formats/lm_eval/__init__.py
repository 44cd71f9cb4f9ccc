"""Logs of lm-evaluation-harness."""

"""Logs of evaluation harnesses: one long table from them, and what to run next for them."""

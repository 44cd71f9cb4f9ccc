"""Adaptive tests inside Inspect: as a source of samples, or ending a run early."""

"""Fits, draws and checkpoints on disk."""

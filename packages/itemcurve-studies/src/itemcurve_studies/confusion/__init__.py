"""Cardoso et al.: the IRT confusion matrix on Heart-Statlog."""

"""The IRT confusion matrix and what is built on it."""

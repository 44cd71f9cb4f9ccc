"""Marginal maximum likelihood and MAP: one side of the data is integrated out."""

"""Analyses that are kept in run folders, so that they are computed once."""

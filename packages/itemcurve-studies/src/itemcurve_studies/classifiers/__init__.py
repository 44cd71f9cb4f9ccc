"""Classifiers written for one table of one paper."""

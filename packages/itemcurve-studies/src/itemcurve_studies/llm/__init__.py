"""Scores of language models on real benchmarks, from 50 answers."""

"""Fabra-Boluda et al. (2024): robustness by difficulty over many data sets."""

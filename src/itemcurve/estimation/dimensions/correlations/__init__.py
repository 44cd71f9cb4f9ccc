"""Correlations of abilities: as free numbers, their errors, and a general ability behind them."""

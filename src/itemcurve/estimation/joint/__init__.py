"""Joint estimation of abilities and items."""

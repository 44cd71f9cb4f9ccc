"""Ratings by raters: abilities, items, severities and discriminations by marginal likelihood."""

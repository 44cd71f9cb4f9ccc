"""`itemcurve serve` and `itemcurve store`, one command per file."""

"""`itemcurve diff` and `itemcurve gate`: one version against another."""

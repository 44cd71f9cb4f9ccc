"""Commands under `itemcurve run`."""

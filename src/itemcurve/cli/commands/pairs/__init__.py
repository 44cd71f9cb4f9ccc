"""`itemcurve pairs`: strengths from votes between two."""

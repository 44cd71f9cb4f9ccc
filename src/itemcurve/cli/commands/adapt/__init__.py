"""`itemcurve adapt`: adaptive tests from the command line, one command per file."""

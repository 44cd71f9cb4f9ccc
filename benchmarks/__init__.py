"""Measurements of itemcurve and its peers: `make bench`, or `python -m benchmarks.run --help`."""

"""`python -m itemcurve`."""

import sys

from itemcurve.cli.main import run

if __name__ == "__main__":
    sys.exit(run())

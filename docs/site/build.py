"""Build the site: `python docs/site/build.py [folder]`; any warning is an error."""

import runpy
import sys
from pathlib import Path

from sphinx.cmd.build import build_main

SITE = Path(__file__).parent


def main(built: Path) -> int:
    """Gather the pages and build them."""
    source = built / "source"
    runpy.run_path(str(SITE / "conf.py"))["gather"](source)
    settings = ["-q", "-W", "--keep-going", "-E", "-c", str(SITE), "-d", str(built / "cache")]
    code = build_main([*settings, str(source), str(built / "html")])
    if code == 0:
        print(f"Documentation: {built / 'html' / 'index.html'}")
    return code


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else SITE.parents[1] / "site"))

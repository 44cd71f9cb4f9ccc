"""The documentation builds without a warning, and every link in it leads somewhere."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import itemcurve
from itemcurve.lazy_names import listed_names

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    pytest.importorskip("sphinx", reason="Sphinx is not installed")
    built = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, ROOT / "docs" / "site" / "build.py", built],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return built / "html"


@pytest.mark.slow
def test_every_public_name_is_in_the_reference(site):
    text = "".join(page.read_text("utf-8") for page in site.glob("api_*.html"))
    groups = [n for n, module in listed_names("itemcurve").items() if module == "itemcurve"]
    names = [f"itemcurve.{n}" for n in itemcurve.__all__ if n not in groups]
    names += [f"itemcurve.{g}.{n}" for g in groups for n in listed_names(f"itemcurve.{g}")]
    assert [name for name in names if f'id="{name}"' not in text] == []


@pytest.mark.slow
def test_every_link_leads_somewhere(site):
    pages = {page: page.read_text("utf-8") for page in site.rglob("*.html")}
    ids = {page: set(re.findall(r'id="([^"]+)"', text)) for page, text in pages.items()}
    for page, text in pages.items():
        for link in re.findall(r'(?:href|src)="([^"]+)"', text):
            if re.match(r"[a-z]+:|//", link) or link in ("#", ""):
                continue
            target, _, anchor = link.partition("#")
            found = (page.parent / target.split("?")[0]).resolve() if target else page
            assert found.exists(), f"{page.name}: {link}"
            if anchor and found in ids:
                assert anchor in ids[found], f"{page.name}: {link}"

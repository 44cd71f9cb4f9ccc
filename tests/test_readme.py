"""README and guides: they show what their Python prints, and their links lead somewhere."""

import re
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
RENEW = "python docs/site/guide_output.py"


def _load_output():
    """The module that writes what guides show; it is no part of the package."""
    spec = spec_from_file_location("guide_output", ROOT / "docs" / "site" / "guide_output.py")
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


OUTPUT = _load_output()
GUIDES = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md"))
ROOT_PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")
SLOW = ("docs/confusion.md", "docs/evaluate.md", "docs/robustness.md", "docs/scaling.md")
# Have tests of their own, which know their folders and needs: test_from_logs_guide.py and others.
ELSEWHERE = ("docs/from_logs.md", "docs/inspect.md", "docs/service.md")
PAGES = [
    pytest.param(page, marks=pytest.mark.slow) if page in SLOW else page
    for page in ("README.md", *GUIDES)
    if page not in ELSEWHERE
]


@pytest.fixture
def _own_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    yield
    import matplotlib.pyplot as plt

    plt.close("all")


@pytest.mark.usefixtures("_own_folder")
# Some members of a random pool stop before they converge, as random settings make them.
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("page", PAGES)
def test_pages_show_what_their_code_prints_and_draws(page):
    path = ROOT / page
    for block in OUTPUT.run_blocks(page, OUTPUT.read_blocks(path.read_text("utf-8"))):
        shown = (block.shown or "").strip("\n")
        told = f"\n{shown}\n\n   is shown; printed is\n\n{block.printed}\n\n   {RENEW} {page}"
        assert OUTPUT.is_alike(shown, block.printed), told
        assert len(block.pictures) == len(block.figures), f"{RENEW} {page}"


def test_numbers_may_differ_in_their_last_digit_and_words_may_not():
    assert OUTPUT.is_alike("skill 0.966  (of 1,024)", "skill 0.965 (of 1,024)")
    assert not OUTPUT.is_alike("skill 0.966", "skill 0.866")
    assert not OUTPUT.is_alike("skill 0.966", "score 0.966")
    assert not OUTPUT.is_alike("a 1 2", "a 1")


@pytest.mark.parametrize(
    "page", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", *GUIDES]
)
def test_links_between_pages_resolve(page):
    source = ROOT / page
    for target in re.findall(r"\]\(([^)#:]+)\)", source.read_text(encoding="utf-8")):
        assert (source.parent / target).exists(), f"{page} links to {target}"


def test_the_notation_names_what_the_code_has():
    text = (ROOT / "docs/developer/notation.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\|.+?\|.+?\| (`.+?`) \| `([\w/]+\.py)` \|$", text, flags=re.MULTILINE)
    assert len(rows) > 25
    for names, file in rows:
        source = (ROOT / "src/itemcurve" / file).read_text(encoding="utf-8")
        for name in re.findall(r"`(\w+)`", names):
            assert re.search(rf"\b{name}\b", source), f"{name} is not in {file}"

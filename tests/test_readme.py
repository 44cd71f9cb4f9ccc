"""README and guides: their Python runs as printed, and their links lead somewhere."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
GUIDES = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md"))
ROOT_PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")
# What a page must print, beside running at all.
PRINTED = {
    "README.md": ("converged", "ability_se"),
    "docs/adaptive.md": ("standard error of ability at most 0.25", "outside_calibration"),
    "docs/confusion.md": ("true_score", "at accuracy"),
    "docs/audit.md": ("suspect label", "of all labels look wrong"),
    "docs/compare_models.md": ("v2 is better beyond chance.", "respondent_308"),
    "docs/release_gate.md": ("SHIP: candidate against baseline", "cannot tell 11"),
    "docs/devices.md": ("200 respondents × 300 items", "dense int8"),
    "docs/developer/new_analysis.md": ("difference", "True"),
    "docs/developer/new_log_format.md": ("True ('fr', 'nl', 'ke') [ 1.  0. nan]", "Nairobi"),
    "docs/developer/new_method.md": ("converged True",),
    "docs/developer/new_model.md": ("converged 0.89", "items", "cloglog"),
    "docs/developer/principles.md": ("All are held. Use itemcurve.score",),
    "docs/evaluate.md": ("AdaBoost", "Always positive", "IRT012"),
    "docs/health.md": ("Suspect key: 9 items", "item_281"),
    "docs/scaling.md": ("True\nTrue\n",),
}
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
def test_pages_run_as_printed(page, capsys):
    text = (ROOT / page).read_text(encoding="utf-8")
    names: dict[str, object] = {}
    for block in re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL):
        exec(compile(block, page, "exec"), names)
    printed = capsys.readouterr().out
    for words in PRINTED.get(page, ()):
        assert words in printed


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

"""README and guides: their Python runs as printed, and their links lead somewhere."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
GUIDES = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").glob("*.md"))


@pytest.fixture(autouse=True)
def _no_windows(monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "Agg")
    yield
    import matplotlib.pyplot as plt

    plt.close("all")


def run_blocks(path: Path) -> int:
    """Run the Python of a page, one block after the other as a reader would."""
    blocks = re.findall(r"```python\n(.*?)```", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, str(path), "exec"), names)
    return len(blocks)


def test_the_readme_runs_as_printed(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert run_blocks(README)
    printed = capsys.readouterr().out
    assert "converged" in printed
    assert "ability_se" in printed
    assert (tmp_path / "report.html").exists()


@pytest.mark.parametrize("page", GUIDES)
def test_guides_run_as_printed(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run_blocks(ROOT / page)


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", *GUIDES])
def test_links_between_pages_resolve(page):
    source = ROOT / page
    for target in re.findall(r"\]\(([^)#:]+)\)", source.read_text(encoding="utf-8")):
        assert (source.parent / target).exists(), f"{page} links to {target}"

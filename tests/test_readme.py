"""The README's Python runs as printed."""

import re
from pathlib import Path

import pytest

README = Path(__file__).parents[1] / "README.md"


def test_the_readme_runs_as_printed(tmp_path, monkeypatch, capsys):
    blocks = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert blocks
    monkeypatch.chdir(tmp_path)
    for block in blocks:
        exec(compile(block, str(README), "exec"), {})
    printed = capsys.readouterr().out
    assert "converged" in printed
    assert "ability_se" in printed


@pytest.mark.parametrize(
    "page",
    [
        "docs/how_to_choose.md",
        "docs/estimation.md",
        "docs/continuous.md",
        "docs/evaluate.md",
        "CONTRIBUTING.md",
    ],
)
def test_links_between_pages_resolve(page):
    for source in (README, README.parent / page):
        for target in re.findall(r"\]\(([^)#:]+)\)", source.read_text(encoding="utf-8")):
            assert (source.parent / target).exists(), f"{source.name} links to {target}"

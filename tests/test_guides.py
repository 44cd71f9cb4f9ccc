"""The Python of the guides runs as printed."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"


@pytest.mark.slow
@pytest.mark.parametrize("guide", ["evaluate.md"])
def test_the_guide_runs_as_printed(guide, tmp_path, monkeypatch, capsys):
    page = (DOCS / guide).read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL)
    assert blocks
    monkeypatch.chdir(tmp_path)
    for block in blocks:
        exec(compile(block, guide, "exec"), {})
    assert "ability" in capsys.readouterr().out

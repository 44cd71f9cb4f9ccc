"""The page on the confusion matrix runs as printed."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[1] / "docs" / "confusion.md"


@pytest.mark.slow
# Some members of the pool stop before they converge, as random settings make them.
@pytest.mark.filterwarnings("ignore")
def test_the_page_on_confusion_runs_as_printed(capsys, monkeypatch):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    text = PAGE.read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    space: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), space)
    printed = capsys.readouterr().out
    assert "true_score" in printed
    assert "at accuracy" in printed
    matplotlib.pyplot.close("all")

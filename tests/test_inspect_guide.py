"""The guide of Inspect runs as printed, where Inspect is installed."""

import gc
import re
import warnings
from pathlib import Path

import pytest

GUIDE = Path(__file__).parents[1] / "docs" / "inspect.md"


@pytest.mark.filterwarnings("ignore")
def test_the_guide_runs_as_printed(tmp_path, monkeypatch, capsys):
    pytest.importorskip("inspect_ai", reason="inspect_ai is not installed")
    monkeypatch.chdir(tmp_path)
    # Code of tasks is looked up in its file.
    source = "\n".join(re.findall(r"```python\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL))
    page = tmp_path / "page.py"
    page.write_text(source)
    exec(compile(source, str(page), "exec"), {"__name__": "page", "__file__": str(page)})
    printed = capsys.readouterr().out
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        gc.collect()
    asked, ability = map(
        float, re.search(r"success (\d+) of 400 samples\nability ([\d.]+) ±", printed).groups()
    )
    assert asked < 60
    assert abs(ability - 0.7) < 0.75
    first, more, answers = map(
        int,
        re.search(r"(\d+) samples, then a limit .*\n(\d+) more, (\d+) answers", printed).groups(),
    )
    assert first + more == answers
    run, left = map(int, re.search(r"(\d+) samples run, (\d+) not", printed).groups())
    assert asked < run == 400 - left

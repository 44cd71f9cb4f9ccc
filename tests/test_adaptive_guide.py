"""The guide to adaptive tests runs as printed."""

import re
from pathlib import Path

GUIDE = Path(__file__).parents[1] / "docs" / "adaptive.md"


def test_the_guide_runs_as_printed(tmp_path, monkeypatch, capsys):
    blocks = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert len(blocks) == 5
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, str(GUIDE), "exec"), names)
    printed = capsys.readouterr().out
    assert "standard error of ability at most 0.25" in printed
    assert "outside_calibration" in printed
    assert (tmp_path / "session.json").exists()

"""The guide from logs to a score runs as printed."""

import re
from pathlib import Path

import pytest

from itemcurve.cli.main import run

GUIDE = Path(__file__).parents[1] / "docs" / "from_logs.md"


def blocks(language: str) -> list[str]:
    text = GUIDE.read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, flags=re.DOTALL)


@pytest.fixture
def _apart(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.mark.usefixtures("_apart")
def test_the_guide_runs_as_printed(capsys):
    names: dict[str, object] = {}
    for block in blocks("python"):
        exec(compile(block, str(GUIDE), "exec"), names)
    printed = capsys.readouterr().out
    assert "15 respondents × 400 items" in printed
    low, high, full = map(
        float,
        re.search(
            r"score [\d.]+ \(([\d.]+) to ([\d.]+)\)\non all 400 questions .* ([\d.]+)", printed
        ).groups(),
    )
    assert low <= full <= high


@pytest.mark.usefixtures("_apart")
def test_its_commands_exist_with_their_options(capsys):
    commands = [
        line.partition("#")[0].partition(">")[0].split()[1:]
        for block in blocks("")
        for line in block.splitlines()
        if line.startswith("itemcurve ")
    ]
    assert len(commands) >= 5
    for words in commands:
        name = words[:2] if words[0] in ("adapt", "run") else words[:1]
        assert run([*name, "--help"]) == 0
        shown = capsys.readouterr().out
        assert all(word in shown for word in words if word.startswith("--"))

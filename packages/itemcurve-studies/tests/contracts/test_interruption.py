"""Ctrl-C in a study: finished parts are kept, and going on gives the same tables."""

import json
from types import SimpleNamespace

import pandas

from itemcurve.cli import installed_studies
from itemcurve_studies.study.finished_parts import FinishedParts, join_parts
from itemcurve_studies.study.result import StudyResult


def small_study(data, *, seeds, rows, quick, report, work):
    """Make three parts, and press Ctrl-C in the second the first time it is reached."""
    made = []
    parts = FinishedParts(work)

    def make(name):
        made.append(name)
        if name == "second" and not (work.parent / "pressed").exists():
            (work.parent / "pressed").touch()
            raise KeyboardInterrupt
        return {"rows": pandas.DataFrame({"part": [name], "value": [len(name) / 3]})}

    names = ("first", "second", "third")
    tables = join_parts([parts.tables(name, lambda name=name: make(name)) for name in names])
    return StudyResult("A study", tables, {"made": ", ".join(made)})


def test_an_interrupted_study_goes_on_with_the_same_tables(command, tmp_path, monkeypatch):
    point = SimpleNamespace(name="small", load=lambda: small_study)
    monkeypatch.setattr(installed_studies, "entry_points", lambda group: [point])
    out = tmp_path / "out"
    done = command("reproduce", "small", "--out", out)
    work = out / "work"
    assert (done.code, done.out) == (130, "")
    assert done.err == (
        f"Interrupted; finished parts are kept in {work}: the same command goes on from there.\n"
    )
    again = json.loads(command("reproduce", "small", "--out", out, "--json").out)
    assert again["notes"]["made"] == "second, third"
    whole = tmp_path / "whole"
    whole.mkdir()
    (whole / "pressed").touch()
    fresh = json.loads(command("reproduce", "small", "--out", whole, "--json").out)
    assert fresh["notes"]["made"] == "first, second, third"
    assert fresh["tables"] == again["tables"]

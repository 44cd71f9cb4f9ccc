"""Archives of strangers: nothing leads out of the folder, nothing unpacks without end."""

import os
import sys
import zipfile

import pytest

from itemcurve.errors import ResponsesError
from itemcurve.service.jobs import fit_process


def test_an_archive_that_leads_out_or_unpacks_to_too_much_is_refused(tmp_path, monkeypatch):
    bomb = tmp_path / "bomb.zip"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("zeros.json", b"0" * 5_000_000)
    assert bomb.stat().st_size < 10_000
    monkeypatch.setattr(fit_process, "_MOST_UNPACKED", 1_000_000)
    with pytest.raises(ResponsesError, match="2 GiB"):
        fit_process.unpack_logs(bomb, tmp_path / "out")
    out = tmp_path / "evil.zip"
    with zipfile.ZipFile(out, "w") as archive:
        for name in ("../../up.json", "/root.json", "a/../../b.json", "C:\\x.json"):
            archive.writestr(name, "{}")
    fit_process.unpack_logs(out, tmp_path / "in")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["bomb.zip", "evil.zip", "in", "out"]
    assert all(path.is_relative_to(tmp_path / "in") for path in (tmp_path / "in").rglob("*"))
    many = tmp_path / "many.zip"
    monkeypatch.setattr(fit_process, "_MOST_FILES", 3)
    with zipfile.ZipFile(many, "w") as archive:
        for number in range(5):
            archive.writestr(f"{number}.json", "{}")
    with pytest.raises(ResponsesError, match="20,000 files"):
        fit_process.unpack_logs(many, tmp_path / "m")


def test_where_a_system_has_no_limits_jobs_go_without(monkeypatch):
    monkeypatch.setattr(os, "nice", pytest.fail)
    monkeypatch.setitem(sys.modules, "resource", None)
    fit_process._limit(2**30, 60)


@pytest.mark.parametrize("platform", ["darwin", "linux"])
def test_a_limit_that_is_refused_matters_but_on_macos(platform, monkeypatch):
    resource = pytest.importorskip("resource")
    asked = []

    def refuse_memory(kind, limit):
        asked.append(kind)
        if kind == resource.RLIMIT_AS:
            raise ValueError("current limit exceeds maximum limit")

    monkeypatch.setattr(resource, "setrlimit", refuse_memory)
    monkeypatch.setattr(os, "nice", lambda by: None)
    monkeypatch.setattr(sys, "platform", platform)
    if platform == "linux":
        with pytest.raises(ValueError, match="exceeds"):
            fit_process._limit(2**30, 60)
        return
    fit_process._limit(2**30, 60)
    assert len(asked) == 4

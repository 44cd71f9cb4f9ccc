"""Archives of strangers: nothing leads out of the folder, nothing unpacks without end."""

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

"""Analyses are computed once, and never trusted blindly when they are read back."""

import json
import shutil
import warnings

import numpy as np
import pandas
import pytest
from tests.running.report_page import held

import itemcurve as ic
from itemcurve.analysis.findings import all_findings
from itemcurve.analysis.keeping import kept_findings
from itemcurve.analysis.keeping.kept_analyses import FILE, KeptAnalyses
from itemcurve.cli.main import run as itemcurve
from itemcurve.errors import StorageError, StorageWarning
from itemcurve.reports.source import read_source
from itemcurve.storage.file_locks import locked
from itemcurve.storage.run_folder import read_run, update_run
from itemcurve.storage.safe_npz import read_npz, write_npz
from itemcurve.storage.tables import pack_table


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """A run, its report, and the run with what the report kept."""
    folder = tmp_path_factory.mktemp("kept")
    ic.fit(ic.simulate("2pl", respondents=120, items=12, seed=3).responses).save(folder / "bare")
    shutil.copytree(folder / "bare", folder / "run")
    (folder / "report.html").write_bytes(write_page(folder / "run"))
    return folder


@pytest.fixture
def run(saved, tmp_path):
    """A copy of the run with what was kept."""
    return shutil.copytree(saved / "run", tmp_path / "run")


@pytest.fixture
def page(saved):
    return (saved / "report.html").read_bytes()


@pytest.fixture
def computed(monkeypatch):
    """Count what is computed."""
    calls = []

    def watch(module, name):
        ordinary = getattr(module, name)

        def counted(*arguments, **options):
            calls.append(name)
            return ordinary(*arguments, **options)

        monkeypatch.setattr(module, name, counted)

    watch(kept_findings, "item_fit")
    watch(kept_findings, "gather")
    return calls


def write_page(run, **options):
    """Give what the report shows, with the path of the run left out."""
    written = ic.report(run, run.parent / "again.html", **options).read_text("utf-8")
    return held(written).replace(str(run).encode(), b"run")


def change(run, **arrays):
    """Write some of the kept arrays anew; None leaves one out."""
    known = read_npz(run / FILE) | {name.replace("__", "."): a for name, a in arrays.items()}
    write_npz(run / FILE, {name: array for name, array in known.items() if array is not None})


def test_a_second_report_computes_nothing_and_is_the_same(run, page, computed):
    assert write_page(run) == page
    assert computed == []


def test_the_first_report_keeps_and_the_run_stays_what_it_was(saved, run):
    assert {file.name for file in run.iterdir()} == {
        *(file.name for file in (saved / "bare").iterdir()),
        FILE,
    }
    assert (run / "run.json").read_bytes() == (saved / "bare" / "run.json").read_bytes()
    arrays = read_npz(run / FILE)
    assert arrays["findings.about"][0] == str(kept_findings.FINDINGS_VERSION)
    assert arrays["item_fit.about"][0] == str(kept_findings.ITEM_FIT_VERSION)
    assert ic.load(run).items.equals(ic.load(saved / "bare").items)


def test_what_was_kept_survives_other_tables_but_no_other_fit(run, computed):
    update_run(run, {"note": {}}, {})
    write_page(run)
    assert computed == []
    ic.load(run).save(run)
    assert not (run / FILE).exists()


@pytest.mark.parametrize(
    "changes",
    [
        {"findings__about": np.array(["0", "x"]), "item_fit__about": np.array(["0", "x"])},
        {"findings__about": np.array("x"), "item_fit__about": np.array([1.5])},
        {"findings__about": None, "item_fit__about": None},
        {"findings__document": np.zeros(3, np.uint8), "item_fit__p_value": np.full(12, 2.0)},
        {"findings__document": np.zeros(3), "item_fit__outfit": np.ones(13)},
        {"findings__document": None, "item_fit__test": np.array("other")},
        {"findings__document": None, "item_fit__infit": np.ones(12, dtype=int)},
        {"findings__document": None, "item_fit__infit": np.array(["1"] * 12)},
        {"format": np.array("itemcurve-analyses-9")},
        {"format": None},
    ],
)
def test_what_is_foreign_or_unsound_is_said_and_computed_again(changes, run, page, computed):
    change(run, **changes)
    with pytest.warns(StorageWarning, match=r"analyses\.npz' are not used: .*computed again"):
        assert write_page(run) == page
    assert sorted(computed) == ["gather", "item_fit"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert write_page(run) == page


@pytest.mark.parametrize(
    "finding",
    [
        {"code": "IRT099"},
        {"severity": "fatal"},
        {"message": 7},
        {"advice": None},
        {"concerned": "item"},
        {"concerned": [1]},
    ],
)
def test_findings_that_are_none_are_looked_for_again(finding, run, page):
    document = json.loads(read_npz(run / FILE)["findings.document"].tobytes())
    document["findings"][0] |= finding
    change(run, findings__document=np.frombuffer(json.dumps(document).encode(), dtype=np.uint8))
    with pytest.warns(StorageWarning, match="findings"):
        assert write_page(run) == page


def test_analyses_of_another_fit_are_not_taken_for_this_one(run, tmp_path):
    other = tmp_path / "other"
    ic.fit(ic.simulate("2pl", respondents=120, items=12, seed=9).responses).save(other)
    plain = write_page(other)
    shutil.copy(run / FILE, other / FILE)
    with pytest.warns(StorageWarning, match="of another fit"):
        assert write_page(other) == plain


def test_damage_costs_a_computation_and_never_the_report(run, page):
    whole, rng, said = (run / FILE).read_bytes(), np.random.default_rng(5), 0
    for trial in range(40):
        damaged = bytearray(whole)
        if trial % 2:
            damaged = damaged[: rng.integers(len(whole))]
        else:
            damaged[rng.integers(len(whole))] ^= 1 << rng.integers(8)
        (run / FILE).write_bytes(damaged)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            assert write_page(run) == page
        said += bool(caught)
        assert all(issubclass(warning.category, StorageWarning) for warning in caught)
    assert said > 30


def test_a_link_is_neither_read_nor_written_through(run, page, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    shutil.move(run / FILE, elsewhere)
    content = elsewhere.read_bytes()
    (run / FILE).symlink_to(elsewhere)
    with pytest.warns(StorageWarning, match="link"):
        assert write_page(run) == page
    assert elsewhere.read_bytes() == content
    (run / "report.html").symlink_to(elsewhere)
    with pytest.warns(StorageWarning, match="link"), pytest.raises(StorageError, match="is a link"):
        ic.report(run, run / "report.html")
    assert elsewhere.read_bytes() == content


def test_another_audit_gives_other_findings(run, computed):
    audit = pandas.DataFrame({"item": ["item_03"], "verdict": ["suspect label"]})
    given = write_page(run, tables={"audit": audit})
    assert sorted(computed) == ["gather"]
    computed.clear()
    update_run(run, {"audit": pack_table(audit, "Audit")}, {})
    with pytest.warns(StorageWarning, match="findings: it is of another fit"):
        stored = write_page(run)
    assert computed == ["gather"]
    assert b"by the item audit" in given
    assert b"by the item audit" in stored
    assert write_page(run) == stored
    assert computed == ["gather"]


def test_muted_findings_are_left_out_of_kept_ones_and_keep_nothing(saved, run, computed):
    assert b"IRT003" in write_page(run)
    assert b"IRT003" not in write_page(run, mute=("IRT003",))
    assert computed == []
    (run / FILE).unlink()
    write_page(run, mute=("IRT003",))
    assert "findings.about" not in read_npz(run / FILE)
    assert b"IRT003" in write_page(run)


def test_a_run_in_use_is_reported_and_nothing_kept(run, page):
    (run / FILE).unlink()
    with locked(run):
        assert write_page(run) == page
    assert not (run / FILE).exists()


def test_a_run_that_is_replaced_meanwhile_gets_no_analyses_of_the_old(run):
    (run / FILE).unlink()
    source = read_source(run)
    kept = KeptAnalyses(read_run(run))
    kept.add(kept_findings.FINDINGS, all_findings.findings(source.fit))
    ic.fit(ic.simulate("rasch", respondents=50, items=5, seed=1).responses, "rasch").save(run)
    kept.write()
    assert not (run / FILE).exists()


def test_commands_say_in_a_line_that_they_compute_again(run, capsys):
    change(run, findings__about=np.array(["0", "x"]))
    assert itemcurve(["findings", str(run)]) == 0
    printed = capsys.readouterr()
    assert printed.err.startswith("Analyses kept in ")
    assert printed.err.endswith("findings: it is of another version. They are computed again.\n")
    assert "IRT003" in printed.out
    for words in (["findings", str(run)], ["report", str(run)]):
        assert itemcurve(words) == 0
        assert capsys.readouterr().err == ""

"""`itemcurve report`, `plot` and `findings`."""

import json
import shutil

import pandas
import pytest
from tests.cli.test_main import assert_one_line_error

from itemcurve.storage.run_folder import update_run
from itemcurve.storage.tables import pack_table


def test_a_report_is_written_into_the_run_folder(command, files):
    outcome = command("report", files / "run")
    assert outcome.code == 0
    page = files / "run" / "report.html"
    assert outcome.out.startswith(f"Report saved to {page}")
    assert page.read_text("utf-8").startswith("<!DOCTYPE html>")
    # The folder is still a sound run.
    assert command("show", files / "run").code == 0


def test_a_report_goes_where_it_is_told(command, files, tmp_path):
    target = tmp_path / "new folder" / "page.html"
    outcome = command("report", files / "run", "--out", target, "--title", "Mine", "--json")
    printed = json.loads(outcome.out)
    assert printed["report"] == str(target)
    assert printed["bytes"] == target.stat().st_size
    assert "<title>Mine</title>" in target.read_text("utf-8")


@pytest.mark.parametrize(
    "kind",
    [
        "abilities",
        "ability-metric",
        "information",
        "item-curves",
        "item-fit",
        "items",
        "local-dependence",
        "parameters",
        "residuals",
        "wright-map",
    ],
)
def test_every_kind_of_picture_is_written(kind, command, files, tmp_path):
    target = tmp_path / "picture.png"
    outcome = command("plot", files / "run", "--kind", kind, "--out", target)
    assert (outcome.code, outcome.err) == (0, "")
    assert target.read_bytes().startswith(b"\x89PNG")


def test_pictures_of_named_items_and_as_json(command, files, tmp_path):
    target = tmp_path / "curves.svg"
    arguments = ("--kind", "item-curves", "--item", "item_01", "--item", "item_02")
    outcome = command("plot", files / "run", *arguments, "--out", target, "--json")
    assert json.loads(outcome.out)["picture"] == str(target)
    assert "<svg" in target.read_text("utf-8")


def test_findings_are_printed_and_muted(command, files):
    outcome = command("findings", files / "run")
    assert outcome.code == 0
    assert "IRT003 few respondents" in outcome.out
    muted = command("findings", files / "run", "--mute", "IRT003", "--mute", "IRT005")
    assert "IRT003" not in muted.out
    printed = json.loads(command("findings", files / "run", "--json").out)
    assert {"code", "title", "severity", "message", "advice"} <= set(printed["findings"][0])


def test_findings_know_the_audit_of_the_run(command, files, tmp_path):
    shutil.copytree(files / "run", tmp_path / "run")
    audit = pandas.DataFrame({"item": ["item_03"], "verdict": ["suspect label"]})
    update_run(tmp_path / "run", {"audit": pack_table(audit, "Audit")}, {})
    assert "by the item audit" in command("findings", tmp_path / "run").out


def test_wrong_wishes_are_one_line(command, files, tmp_path):
    run = files / "run"
    picture = tmp_path / "x.png"
    assert_one_line_error(command("report", tmp_path / "nowhere"), "no folder")
    assert_one_line_error(command("report", run, "--mute", "IRT9"), "IRT9", "IRT001")
    assert_one_line_error(command("findings", run, "--mute", "x"), "'x'")
    assert_one_line_error(command("plot", run, "--kind", "pie", "--out", picture), "pie", "items")
    assert_one_line_error(
        command("plot", run, "--kind", "items", "--out", tmp_path / "x.gif"), ".png"
    )
    assert_one_line_error(
        command("plot", run, "--kind", "items", "--item", "a", "--out", picture), "item-curves"
    )
    assert_one_line_error(
        command("plot", run, "--kind", "item-curves", "--item", "nope", "--out", picture), "nope"
    )

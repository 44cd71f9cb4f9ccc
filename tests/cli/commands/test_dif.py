"""`itemcurve dif`: text, JSON, a table, and what is refused."""

import json

import numpy as np
import pytest

import itemcurve as ic


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("dif")
    rng = np.random.default_rng(1)
    late = np.repeat([False, True], 200)
    logits = (
        rng.normal(size=400)[:, None] - rng.normal(size=6) + 2.0 * np.outer(late, [1] + [0] * 5)
    )
    observed = (rng.random(logits.shape) < 1 / (1 + np.exp(-logits))).astype(int)
    responses = ic.Responses.from_array(observed, items=[f"q{k}" for k in range(6)])
    responses.frame("wide").to_csv(
        place / "responses.csv", index="respondent" not in responses.frame("wide")
    )
    rows = [
        f"{name},{'late' if is_late else 'early'}"
        for name, is_late in zip(responses.respondents, late, strict=True)
    ]
    (place / "groups.csv").write_text("respondent,group\n" + "\n".join(rows) + "\n")
    return place


def test_the_leaked_item_comes_first(command, folder):
    outcome = command(
        "dif", folder / "responses.csv", "--groups", folder / "groups.csv", "--test", "score"
    )
    assert outcome.code == 0, outcome.err
    assert "1 of 6 items differ between groups: q0." in outcome.out
    assert "large" in outcome.out


def test_json_and_a_table(command, folder):
    outcome = command(
        "dif",
        folder / "responses.csv",
        "--groups",
        folder / "groups.csv",
        "--test",
        "score",
        "--reference",
        "late",
        "--out",
        folder / "table.csv",
        "--picture",
        folder / "curves.png",
        "--json",
    )
    found = json.loads(outcome.out)
    assert found["groups"] == ["late", "early"]
    assert found["items"][0]["item"] == "q0"
    assert found["items"][0]["difference"] < 0
    assert (folder / "curves.png").stat().st_size > 5_000
    assert (folder / "table.csv").read_text().startswith("item,")


def test_a_file_without_groups_is_refused(command, folder):
    outcome = command("dif", folder / "responses.csv", "--groups", folder / "responses.csv")
    assert outcome.code != 0
    assert "columns respondent and group" in outcome.out + outcome.err


def test_a_run_knows_its_groups_and_keeps_the_table_for_its_report(command, folder):
    answers, groups, run = folder / "responses.csv", folder / "groups.csv", folder / "run"
    assert command("fit", answers, "--groups", groups, "--out", run).code == 0
    outcome = command("dif", run, "--test", "score", "--keep")
    assert outcome.code == 0, outcome.err
    assert "1 of 6 items differ between groups: q0." in outcome.out
    assert command("report", run, "--out", folder / "page.html").code == 0
    shown = command("show", run)
    assert shown.code == 0, shown.err
    assert (run / "dif.json").is_file()


def test_what_names_no_groups_is_refused(command, folder):
    outcome = command("dif", folder / "responses.csv")
    assert outcome.code == 2
    assert "Give --groups with a CSV file: columns respondent and group." in outcome.err
    kept = command("dif", folder / "responses.csv", "--groups", folder / "groups.csv", "--keep")
    assert kept.code == 2
    assert "is none" in kept.err

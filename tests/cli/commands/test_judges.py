"""`itemcurve judges`: text, JSON, a run folder, and what is refused."""

import json

import pytest

from itemcurve.judges import load_rater_fit, simulate_ratings


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("judges")
    drawn = simulate_ratings(respondents=10, items=40, raters=5, seed=1, harsh=[0], random=[1])
    table = drawn.ratings.frame().rename(
        columns={"rater": "judge", "respondent": "model", "rating": "score"}
    )
    table["score"] = table["score"].astype(int)
    table.to_csv(place / "ratings.csv", index=False)
    lines = ["id,family", *(f"{name},{family}" for name, family in drawn.families.items())]
    (place / "families.csv").write_text("\n".join(lines))
    return place


COLUMNS = ("--rater", "judge", "--respondent", "model", "--rating", "score")


def test_words_come_before_tables(command, folder):
    outcome = command("judges", folder / "ratings.csv", *COLUMNS)
    assert (outcome.code, outcome.err) == (0, "")
    lines = outcome.out.splitlines()
    assert lines[0] == "5 judges, 2,000 ratings of 10 respondents on 40 items"
    assert any(line.startswith("judge_1 rates the same answers") for line in lines)
    assert "inconsistent" in outcome.out
    assert "fair rating" in outcome.out


def test_json_and_the_run_say_the_same(command, folder, tmp_path):
    outcome = command(
        "judges",
        folder / "ratings.csv",
        *COLUMNS,
        "--families",
        folder / "families.csv",
        "--anchor",
        "judge_3",
        "--out",
        tmp_path / "run",
        "--json",
    )
    found = json.loads(outcome.out)
    assert found["command"] == "judges"
    assert found["status"]["is_converged"]
    assert found["judges"][0]["flags"] == ["severe"]
    assert "own_family_p" in found["judges"][0]
    saved = load_rater_fit(tmp_path / "run")
    assert saved.raters["severity"][2] == pytest.approx(0, abs=1e-9)
    assert found["judges"][0]["severity"] == pytest.approx(saved.raters["severity"][0])


def test_what_cannot_be_used_is_said_in_one_line(command, folder, tmp_path):
    outcome = command("judges", folder / "ratings.csv")
    assert outcome.code == 2
    assert "must have the column 'respondent'" in outcome.err
    (tmp_path / "wrong.csv").write_text("name,kind\na,b\n")
    outcome = command(
        "judges", folder / "ratings.csv", *COLUMNS, "--families", tmp_path / "wrong.csv"
    )
    assert outcome.code == 2
    assert "columns id and family" in outcome.err


def test_fit_takes_a_column_of_raters(command, folder, tmp_path):
    table = (folder / "ratings.csv").read_text().replace("model,item,judge,score", "", 1)
    (tmp_path / "r.csv").write_text("respondent,item,judge,rating" + table)
    outcome = command(
        *("fit", tmp_path / "r.csv", "--raters", "judge", "--model", "rsm"),
        *("--out", tmp_path / "run", "--json"),
    )
    found = json.loads(outcome.out)
    assert (found["command"], found["model"]) == ("fit", "rsm")
    assert load_rater_fit(tmp_path / "run").model == "rsm"
    refused = command("fit", tmp_path / "r.csv", "--raters", "judge", "--method", "joint")
    assert "Leave these out" in refused.err
    assert "Use 'grm'" in command("fit", tmp_path / "r.csv", "--raters", "judge").err


def test_interactions_are_options(command, folder):
    usual = command("judges", folder / "ratings.csv", *COLUMNS, "--json")
    none = command("judges", folder / "ratings.csv", *COLUMNS, "--interaction", "none", "--json")
    assert json.loads(usual.out)["spreads"]["tastes_for_items"] > 0
    assert json.loads(none.out)["spreads"]["tastes_for_items"] == 0

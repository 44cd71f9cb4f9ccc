"""`itemcurve adapt plan`: what a test costs."""

import json

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.analysis.findings.finding_kinds import Finding
from itemcurve.cli.layout.rules_summary import describe_rules, say_rules
from itemcurve.estimation.saving.saved_fit import load


def test_a_short_benchmark_has_a_plan_too(command, tmp_path):
    known = ic.simulate("2pl", respondents=30, items=6, seed=1).responses
    known.save(tmp_path / "short.csv")
    plan = command("adapt", "plan", tmp_path / "short.csv", "--json")
    assert plan.code == 0, plan.err
    assert [row["items"] for row in json.loads(plan.out)["plan"]] == [2, 3, 5]
    known.take(columns=[0, 1]).save(tmp_path / "two.csv")
    refused = command("adapt", "plan", tmp_path / "two.csv")
    assert (refused.code, "The calibration has 2" in refused.err) == (2, True)


@pytest.fixture(scope="module")
def placing(tmp_path_factory):
    """A run of 40 items that place 60 respondents."""
    run = tmp_path_factory.mktemp("placing") / "run, one"
    ic.fit(ic.simulate("2pl", respondents=60, items=40, seed=3).responses).save(run)
    return run


def test_rules_are_compared_by_when_their_tests_place_respondents(placing, command):
    done = command("adapt", "plan", placing, "--rules")
    assert done.code == 0, done.err
    assert "places respondents first: after" in done.out
    assert "too early to end a test" in done.out
    assert "ability is known to ± 0." in done.out
    # Rules of equal numbers have one line.
    assert "fisher, kl" in done.out
    assert "Equal in all numbers here, on one line: fisher and kl." in done.out
    assert f"--bank '{placing}' --select" in done.out
    assert f"itemcurve adapt plan '{placing}' --half-width" in done.out
    found = json.loads(command("adapt", "plan", placing, "--rules", "--json").out)
    assert [row["rule"] for row in found["rules"]] == ["fisher", "kl", "combined", "random"]
    after = {row["rule"]: row["places_after"] for row in found["rules"]}
    assert found["first_to_place"] == min(after, key=lambda rule: after[rule])
    assert f"--max-items {after[found['first_to_place']]:g}" in done.out
    assert found["finding"] is None


def test_a_file_has_no_rules_and_is_told_what_makes_a_run(files, command):
    refused = command("adapt", "plan", files / "responses.csv", "--rules")
    assert refused.code == 2
    assert f"{str(files / 'responses.csv')!r} is a file" in refused.err
    assert "itemcurve evaluate" in refused.err
    assert "itemcurve datasets" in refused.err
    assert "× 0" not in refused.err
    told = command("adapt", "--help").out
    assert "--rules" in told


def test_no_test_is_recommended_where_items_tell_nothing(command, tmp_path):
    chance = np.random.default_rng(5).random((9, 47)) < 0.8
    ic.Responses.from_array(chance.astype(float)).save(tmp_path / "chance.csv")
    assert command("fit", tmp_path / "chance.csv", "--out", tmp_path / "run").code in {0, 3}
    done = command("adapt", "plan", tmp_path / "run", "--rules")
    assert "These items place nobody, and no test of them is recommended" in done.out
    assert "asking nothing" in done.out
    assert "places respondents first" not in done.out
    assert "--select" not in done.out
    assert "itemcurve findings" in done.out
    found = json.loads(command("adapt", "plan", tmp_path / "run", "--rules", "--json").out)
    assert (found["tells"], found["first_to_place"]) == (False, None)


def test_one_place_of_data_sets_that_hardly_differ_is_no_recommendation(command, tmp_path):
    # Fifteen classifiers on fourteen data sets: each has favourites, none is able everywhere.
    rng = np.random.default_rng(2)
    level, own = rng.uniform(0.4, 0.95, 14), rng.normal(0, 0.06, (15, 14))
    values = np.clip(level + own + rng.normal(0, 0.015, (15, 1)), 0.02, 0.98)
    fit = ic.fit(
        ic.Responses.from_array(values),
        "logit-normal",
        discrimination="positive",
        on_failure="ignore",
    )
    fit.save(tmp_path / "run")
    done = command("adapt", "plan", tmp_path / "run", "--rules")
    assert "These items place nobody" in done.out
    assert "--max-items" not in done.out


def test_a_finding_against_few_items_is_repeated(placing):
    found = ic.selection.compare_rules(load(placing), ("fisher", "random"))
    doubt = Finding("IRT014", "note", "One ability is not enough.", "Do not choose items by it.")
    told = say_rules(found, doubt, placing)
    assert "IRT014: One ability is not enough. Do not choose items by it." in told
    assert describe_rules(found, doubt)["finding"]["code"] == "IRT014"


def test_what_a_test_costs_is_said_before_it_starts(home, command, tmp_path):
    copy = tmp_path / "responses.npz"
    copy.write_bytes((home / "responses.npz").read_bytes())
    refused = command("adapt", "plan", copy, "--budget", 100)
    assert (refused.code, "needs costs" in refused.err) == (2, True)
    items = ic.Responses.read(copy).items
    rows = "".join(f"{item},25,tokens\n" for item in items)
    (tmp_path / "responses.costs.csv").write_text("item,cost,unit\n" + rows)
    done = command("adapt", "plan", copy, "--budget", 1000, "--half-width", 0.12)
    assert done.code == 0, done.err
    assert "1,000 tokens pay 40 items" in done.out
    assert "± 0.12 takes" in done.out
    plan = json.loads(command("adapt", "plan", copy, "--json").out)
    assert plan["cost_unit"] == "tokens"
    assert plan["plan"][0]["cost"] == 250
    begun = command("adapt", "start", tmp_path / "s.json", "--bank", copy, "--budget", 700)
    assert "28 of them asked" in begun.out

"""`itemcurve adapt plan`: what a test costs."""

import json

import numpy as np

import itemcurve as ic


def test_a_short_benchmark_has_a_plan_too(command, tmp_path):
    known = ic.simulate("2pl", respondents=30, items=6, seed=1).responses
    known.save(tmp_path / "short.csv")
    plan = command("adapt", "plan", tmp_path / "short.csv", "--json")
    assert plan.code == 0, plan.err
    assert [row["items"] for row in json.loads(plan.out)["plan"]] == [2, 3, 5]
    known.take(columns=[0, 1]).save(tmp_path / "two.csv")
    refused = command("adapt", "plan", tmp_path / "two.csv")
    assert (refused.code, "The calibration has 2" in refused.err) == (2, True)


def test_rules_are_compared_by_when_their_tests_converge(files, command):
    done = command("adapt", "plan", files / "run", "--rules")
    assert done.code == 0, done.err
    assert "converges first, after" in done.out
    assert "--select" in done.out
    found = json.loads(command("adapt", "plan", files / "run", "--rules", "--json").out)
    assert [row["rule"] for row in found["rules"]] == ["fisher", "kl", "combined", "random"]
    assert found["best"] in {"fisher", "kl", "combined", "random"}
    refused = command("adapt", "plan", files / "responses.csv", "--rules")
    assert (refused.code, "itemcurve fit" in refused.err) == (2, True)


def test_no_rule_is_named_where_items_tell_nothing(command, tmp_path):
    chance = np.random.default_rng(5).random((9, 47)) < 0.8
    ic.Responses.from_array(chance.astype(float)).save(tmp_path / "chance.csv")
    assert command("fit", tmp_path / "chance.csv", "--out", tmp_path / "run").code in {0, 3}
    done = command("adapt", "plan", tmp_path / "run", "--rules")
    assert "asking nothing" in done.out
    assert "converges first" not in done.out
    assert "--select" not in done.out
    assert "itemcurve findings" in done.out
    found = json.loads(command("adapt", "plan", tmp_path / "run", "--rules", "--json").out)
    assert found["tells"] is False


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

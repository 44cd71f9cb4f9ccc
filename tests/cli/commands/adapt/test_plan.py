"""`itemcurve adapt plan`: what a test costs."""

import json

import itemcurve as ic


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

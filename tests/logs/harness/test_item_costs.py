"""What items cost, from the logs to a file and back."""

import pytest

import itemcurve as ic
from itemcurve.errors import StorageError
from itemcurve.logs.harness.item_costs import load_costs, mean_costs, save_costs


@pytest.fixture
def logs(tmp_path):
    lines = ["model,question,right,tokens"]
    lines += [
        f"m{m},q{q},{(m + q) % 2},{100 * (q + 1) + 10 * m}" for m in range(3) for q in range(4)
    ]
    (tmp_path / "table.csv").write_text("\n".join(lines))
    columns = ic.LogColumns(respondent="model", item="question", value="right", cost="tokens")
    return ic.read_logs(tmp_path, columns=columns, cache=False)


def test_costs_are_means_over_models(logs):
    costs, unit = mean_costs(logs)
    assert sorted(costs.values()) == [110, 210, 310, 410]
    assert isinstance(unit, str)


def test_costs_are_written_and_read_back(logs, tmp_path):
    costs, _ = mean_costs(logs)
    save_costs(costs, "tokens", tmp_path / "r.costs.csv")
    assert load_costs(tmp_path / "r.costs.csv") == (costs, "tokens")


@pytest.mark.parametrize("text", ["", "item,price\na,1\n", "item,cost,unit\na,-1,tokens\n"])
def test_a_foreign_list_of_costs_is_refused(text, tmp_path):
    path = tmp_path / "r.costs.csv"
    path.write_text(text)
    with pytest.raises(StorageError, match="list of costs"):
        load_costs(path)


def test_logs_without_costs_have_none(tmp_path):
    (tmp_path / "toy.jsonlines").write_text('{"subject_id": "a", "responses": {"q1": 1}}')
    assert mean_costs(ic.read_logs(tmp_path, cache=False)) == ({}, "")

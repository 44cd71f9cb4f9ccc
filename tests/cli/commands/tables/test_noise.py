"""`itemcurve noise`: tables in, changes of abilities and errors out."""

import json

import numpy as np
import pandas
import pytest


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(120, 2))
    frame = pandas.DataFrame(X, columns=["a", "b"])
    frame["price"] = X[:, 0] + 0.3 * rng.normal(size=120)
    frame["count"] = np.round(40 * frame["price"]) + 200
    frame["label"] = np.where(X[:, 0] + 0.5 * rng.normal(size=120) > 0, "yes", "no")
    path = tmp_path_factory.mktemp("noise") / "data.csv"
    frame.to_csv(path, index=False)
    return path


@pytest.mark.slow
def test_numbers_are_blurred_and_compared_in_per_cent_where_a_model_is_named(
    command, table, tmp_path
):
    out = tmp_path / "out"
    done = command(
        "noise", table, "--target", "price", "--drop", "label", "--drop", "count", "--level", 0.3,
        "--repeats", 1, "--jobs", 1, "--model", "fractional-beta3", "--out", out,
    )  # fmt: skip
    assert done.code == 0, done.err
    assert "mean absolute error" in done.out
    assert "leave --model out" in done.out
    assert f"Saved to {out}" in done.out
    assert f"itemcurve evaluate {table} --target price" in done.out
    found = pandas.read_csv(out / "variation.csv")
    assert set(found["noise"]) == {0.3}
    assert {path.name for path in out.iterdir()} == {"sweep.csv", "variation.csv"}
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.slow
def test_features_of_whole_numbers_are_noisy_as_those_of_any_numbers(command, table, tmp_path):
    given = (
        "noise", table, "--target", "count", "--drop", "label", "--drop", "price",
        "--kind", "features", "--level", 0.5, "--repeats", 1, "--jobs", 1,
    )  # fmt: skip
    done = command(*given, "--out", tmp_path / "out")
    assert done.code == 0, done.err
    assert "Loses least ability" in done.out
    found = pandas.read_csv(tmp_path / "out" / "changes.csv")
    assert {"mae", "mae_change", "ability_change"} <= set(found)
    refused = command(*given, "--task", "classification")
    assert (refused.code, "--task regression" in refused.err) == (2, True)


@pytest.mark.slow
def test_labels_are_flipped_and_compared_by_error_rate(command, table):
    done = command(
        "noise", table, "--target", "label", "--drop", "price", "--pool", "random:5",
        "--level", 0.2, "--repeats", 1, "--jobs", 1, "--json",
    )  # fmt: skip
    assert done.code == 0, done.err
    found = json.loads(done.out)
    assert found["measure"] == "accuracy"
    assert any("judged by" in line for line in found["says"])


def test_levels_are_refused_in_the_unit_of_their_noise(command, table):
    given = ("noise", table, "--target", "label", "--drop", "price", "--drop", "count")
    done = command(*given, "--level", -1)
    assert (done.code, "share that is flipped" in done.err) == (2, True)
    done = command(*given, "--kind", "features", "--level", -1)
    assert (done.code, "noise in features is in standard deviations" in done.err) == (2, True)


def test_labels_of_numbers_are_refused(command, table):
    done = command("noise", table, "--target", "price", "--kind", "labels")
    assert done.code == 2
    assert (
        "Use kind 'targets' (targets blurred; what it is when left out) or 'features'" in done.err
    )

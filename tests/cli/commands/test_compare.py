"""`itemcurve compare`, and `fit --method mcmc`."""

import json

import pytest

from itemcurve.estimation.fit import fit
from itemcurve.responses.matrix import Responses


@pytest.fixture(scope="session")
def runs(files):
    fit(Responses.read(files / "responses.csv"), "1pl").save(files / "run-1pl")
    return files / "run", files / "run-1pl"


def test_it_prints_a_table_and_what_is_comparable(command, runs):
    done = command("compare", *runs)
    assert done.code == 0
    assert "held-out score" in done.out
    assert "run-1pl" in done.out
    assert "comparable" in done.out


def test_json_has_one_object_per_run(command, runs):
    done = command("compare", *runs, "--seed", 3, "--json")
    found = json.loads(done.out)
    assert {row["fit"] for row in found["fits"]} == {"run", "run-1pl"}
    assert found["seed"] == 3
    assert found["fits"][0]["psis_loo"] is None


def test_runs_of_other_responses_end_in_one_line(command, files, runs, tmp_path):
    fit(Responses.read(files / "responses.csv").take(list(range(60))), "2pl").save(tmp_path / "r")
    done = command("compare", runs[0], tmp_path / "r")
    assert done.code == 2
    assert done.err.count("\n") == 1
    assert "same responses" in done.err


@pytest.mark.slow
def test_fit_samples_when_asked_to(command, files):
    done = command(
        "fit", files / "responses.csv", "--method", "mcmc", "--chains", 2, "--draws", 50, "--json"
    )
    found = json.loads(done.out)
    assert found["method"] == "mcmc"
    assert found["diagnostics"]["chains"] == 2
    assert found["items"][0]["probability_negative"] is not None

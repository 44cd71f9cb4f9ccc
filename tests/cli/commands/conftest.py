"""Logs of a calibration, imported, for the commands that ask for a score."""

import pytest
from tests.logs.examples import lm_eval_results, lm_eval_run, lm_eval_sample

from itemcurve.cli.main import run
from itemcurve.datasets.simulation import simulate

MODELS, ITEMS = 16, 120


@pytest.fixture(scope="session")
def truth():
    """Answers of 16 models of the calibration and of two new ones."""
    return simulate("2pl", respondents=MODELS + 2, items=ITEMS, seed=3).responses


@pytest.fixture(scope="session")
def home(truth, tmp_path_factory):
    """Logs of 16 models, imported: responses.npz with its list of items."""
    folder = tmp_path_factory.mktemp("home")
    for model in range(MODELS):
        write_log(folder / "logs", f"model-{model:02d}", dict(enumerate(truth.array()[model])))
    out = folder / "responses.npz"
    assert run(["import", str(folder / "logs"), "--out", str(out), "--no-cache"]) == 0
    return folder


def write_log(folder, model, answers):
    samples = [lm_eval_sample(number, acc=value) for number, value in answers.items()]
    lm_eval_run(folder / model, samples, lm_eval_results(model, date=1.0))

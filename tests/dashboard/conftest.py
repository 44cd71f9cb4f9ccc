"""Runs with hostile names for the dashboard, live and frozen."""

import numpy as np
import pandas
import pytest
from tests.reports.conftest import HOSTILE, browser  # noqa: F401  # a fixture

from itemcurve.datasets.simulation import simulate
from itemcurve.estimation.fit import fit
from itemcurve.responses.matrix import Responses
from itemcurve.storage.run_folder import update_run
from itemcurve.storage.tables import pack_table

SUBJECTS = ("algebra", "<i>history</i>", "logic")
# One pixel.
PICTURE = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhg"
    "GAWjR9awAAAABJRU5ErkJggg=="
)


def write_run(folder, *, seed=1, wrong=(11,)):
    """Sixty respondents and forty items; keys of some are wrong, some names are hostile."""
    drawn = simulate("2pl", respondents=60, items=40, seed=1).responses.array()
    noise = np.random.default_rng(seed).random(drawn.shape) < 0.02
    drawn = np.where(noise, 1 - drawn, drawn)
    drawn[:, list(wrong)] = 1 - drawn[:, list(wrong)]
    items = [HOSTILE, "javascript:alert(1)", *(f"item {i}" for i in range(3, 41))]
    names = [HOSTILE + "&amp;", "javascript:alert(2)", *(f"model-{i}" for i in range(3, 61))]
    fit(Responses.from_array(drawn, respondents=names, items=items), "2pl").save(folder)
    content = pandas.DataFrame(
        {
            "item": items,
            "question": [f"What is <b>{i}</b>?" for i in range(40)],
            "group": [SUBJECTS[i % 3] for i in range(40)],
            "image": [PICTURE, "data:text/html;base64,PGI+", *[None] * 38],
        }
    )
    update_run(folder, {"questions": pack_table(content, "Questions <i>asked</i>")}, {})
    return folder


@pytest.fixture(scope="session")
def exam(tmp_path_factory):
    return write_run(tmp_path_factory.mktemp("dashboard") / "exam")


@pytest.fixture(scope="session")
def second_exam(tmp_path_factory):
    return write_run(tmp_path_factory.mktemp("dashboard") / "second", seed=2, wrong=(11, 20))

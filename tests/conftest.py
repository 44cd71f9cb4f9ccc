"""Published reference values, real data, fits to share; pictures are closed after each test."""

import json
import os
import sys
from pathlib import Path

import numpy as np
import pytest

from itemcurve.datasets.simulation import simulate
from itemcurve.estimation.fit import fit
from itemcurve.estimation.marginal.settings import Marginal
from itemcurve.estimation.result import FitResult
from itemcurve.responses.matrix import Responses

# Pictures are drawn without a screen.
os.environ.setdefault("MPLBACKEND", "Agg")


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    if (pyplot := sys.modules.get("matplotlib.pyplot")) is not None:
        pyplot.close("all")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder that ITEMCURVE_DATA names; tests that need it skip where it is absent."""
    setting = os.environ.get("ITEMCURVE_DATA")
    if not setting or not Path(setting).is_dir():
        pytest.skip("ITEMCURVE_DATA names no folder with data/, reference/ and fixtures/")
    return Path(setting)


@pytest.fixture(scope="session")
def reference(shared_data: Path) -> dict:
    return json.loads((shared_data / "reference" / "reference_values.json").read_text())


@pytest.fixture(scope="session")
def law_school(shared_data: Path):
    """Load LSAT6 or LSAT7: five items, patterns with frequencies, 1,000 respondents."""

    def load(name: str) -> np.ndarray:
        path = shared_data / "reference" / f"{name}.csv"
        table = np.genfromtxt(path, delimiter=",", skip_header=1)
        return np.repeat(table[:, :5], table[:, 5].astype(int), axis=0)

    return load


@pytest.fixture(scope="session")
def sat12(shared_data: Path) -> Responses:
    return Responses.read(shared_data / "data" / "students" / "sat12_scored.csv")


@pytest.fixture(scope="session")
def fitted():
    """Give the fit of a model to 60 × 12 simulated responses, made once."""
    made = {}

    def get(model: str) -> FitResult:
        if model not in made:
            drawn = simulate(model, respondents=60, items=12, seed=3)
            method = Marginal(over="respondents", max_iterations=100)
            made[model] = fit(drawn.responses, model, method=method, on_failure="ignore")
        return made[model]

    return get

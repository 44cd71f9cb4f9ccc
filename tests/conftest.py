"""What tests share: published values, data, fits; shapes are checked, pictures closed again."""

import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from tests import shape_checks

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


def pytest_configure() -> None:
    """Check arrays against the shapes in signatures; ITEMCURVE_SHAPES=0 leaves it out."""
    if os.environ.get("ITEMCURVE_SHAPES") != "0":
        shape_checks.install()


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


@dataclass(frozen=True)
class Parts:
    """Rows to train on and rows to ask about."""

    X_train: np.ndarray
    y_train: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray

    def __iter__(self):
        return iter((self.X_train, self.y_train, self.X_test, self.y_test))


@pytest.fixture(scope="session")
def moons() -> Parts:
    """Two classes that overlap a little."""
    from sklearn.datasets import make_moons

    X, y = make_moons(160, noise=0.3, random_state=0)
    return Parts(X[:100], y[:100], X[100:], y[100:])


@pytest.fixture(scope="session")
def line() -> Parts:
    """A number that three features give, with noise."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 3))
    y = X @ [1.0, -2.0, 0.5] + 0.3 * rng.normal(size=120)
    return Parts(X[:80], y[:80], X[80:], y[80:])


@pytest.fixture
def few() -> dict:
    """Four classifiers."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.tree import DecisionTreeClassifier

    return {
        "logistic": LogisticRegression(),
        "bayes": GaussianNB(),
        "neighbours": KNeighborsClassifier(5),
        "tree": DecisionTreeClassifier(max_depth=3),
    }


@pytest.fixture(scope="session")
def postgres():
    """A PostgreSQL server; tests skip where its programs cannot be had."""
    from tests.running.postgres_server import PostgresServer, find_programs

    pytest.importorskip("psycopg", reason="psycopg is not installed")
    if find_programs() is None:
        pytest.skip("there is no initdb; .ci/postgres installs it")
    server = PostgresServer()
    yield server
    server.stop()


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request, tmp_path):
    """Name an empty database, of either kind."""
    if request.param == "sqlite":
        return str(tmp_path / "store" / "itemcurve.db")
    return request.getfixturevalue("postgres").new_database()

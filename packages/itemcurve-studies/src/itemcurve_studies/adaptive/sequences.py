"""Adaptive tests of held-out classifiers: which data sets, and the error after each."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from itemcurve.adaptive.ability.ability_test import AdaptiveTest
from itemcurve.adaptive.simulation.convergence import find_convergence
from itemcurve.adaptive.simulation.simulated_tests import simulate_tests
from itemcurve.bank.item_bank import Bank
from itemcurve.datasets.dataset_table import DatasetTable
from itemcurve.responses.matrix import Responses

Floats = NDArray[np.float64]

RULES = ("fisher", "kl", "random", "combined")
INFORMED = ("fisher", "kl")


@dataclass(frozen=True, eq=False)
class Sequences:
    """Tests of all held-out classifiers under one rule, several runs of each.

    Attributes
    ----------
    asked : data sets in order (classifiers × runs × tests).
    rmse : error of the inferred measurements, at the start and after each test
        (classifiers × runs × tests + 1).
    """

    asked: NDArray[np.int_]
    rmse: Floats

    @property
    def typical(self) -> Floats:
        """Convergence point of each classifier, the median of its runs."""
        return np.asarray(np.median(self.converged, axis=1))

    @property
    def converged(self) -> NDArray[np.int_]:
        """Convergence point of each sequence (classifiers × runs)."""
        return np.apply_along_axis(find_convergence, -1, self.rmse[..., 1:])


def held_out_values(table: DatasetTable, measure: str) -> Floats:
    """Measurements of the held-out classifiers (classifiers × data sets × splits)."""
    rows = [place for place, group in enumerate(table.groups) if group == "held out"]
    return np.asarray(table.values[table.measures.index(measure)][rows], dtype=np.float64)


def run_sequences(bank: Bank, values: Floats, rule: str, orders: int) -> Sequences:
    """Test every held-out classifier from average ability until all data sets are used.

    Each complete split is a run: the answers are its measurements, the error is that of the
    expected measurements against all splits. Random orders take the splits in turn.

    Parameters
    ----------
    values : classifiers × data sets × splits.
    orders : of random choice; information gives one for each run.
    """
    runs = values[..., np.isfinite(values).all(axis=(0, 1))]
    if rule == "combined":
        # A rule that counts answers cannot be tabulated: one session of the first candidate.
        values = values[:1]
        asked, abilities = _run_sessions(bank, runs[:1, :, 0])
    else:
        repeats = np.arange(orders if rule == "random" else runs.shape[-1]) % runs.shape[-1]
        answers = np.moveaxis(runs[..., repeats], -1, 1).reshape(-1, len(bank))
        given = Responses.from_array(answers, items=bank.items)
        tests = simulate_tests(bank, responses=given, select=rule, max_items=len(bank), seed=1)
        shape = (len(values), len(repeats), -1)
        asked, abilities = (v.reshape(shape) for v in (tests.asked, tests.ability_path))
    start = np.full((*abilities.shape[:2], 1), bank.ability_mean)
    path = np.concatenate([start, abilities], axis=-1)
    return Sequences(
        asked, np.stack([_errors(bank, *pair) for pair in zip(path, values, strict=True)])
    )


def _run_sessions(bank: Bank, answers: Floats) -> tuple[NDArray[np.int_], Floats]:
    """Run the rule that depends on the number of answers, one session per classifier."""
    asked, abilities = [], []
    for own in answers:
        test = AdaptiveTest(bank, "combined", seed=0)
        order, path = [], []
        while (item := test.next_item()) is not None:
            order.append(int(bank.positions([item])[0]))
            test.record(item, own[order[-1]])
            path.append(test.ability)
        asked.append([order])
        abilities.append([path])
    return np.array(asked), np.array(abilities)


def _errors(bank: Bank, abilities: Floats, measured: Floats) -> Floats:
    """RMSE at each ability against data sets × splits (as abilities)."""
    expected = np.asarray(bank.expected_response(abilities.ravel()))
    # Around the mean of each data set: Σ n (expected − mean)² plus what no expectation explains.
    counts = np.isfinite(measured).sum(axis=1)
    means = np.nanmean(measured, axis=1)
    rest = np.nansum((measured - means[:, None]) ** 2)
    squares = (expected - means) ** 2 @ counts + rest
    return np.asarray(np.sqrt(squares / counts.sum()).reshape(abilities.shape))

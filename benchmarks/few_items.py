"""Scores of new models from 50 items chosen for ability, beside the mean of 50 random ones."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

import itemcurve as ic
from benchmarks.section import Column, Options, Row, Section, show_progress
from itemcurve.adaptive.ability.score_of_ability_test import predict_state

_ASKED, _BATCH = 50, 10
# Share of draws among all items, which lets the score be corrected where the model is wrong.
_EXPLORE = (0.0, 0.3)


class Case(NamedTuple):
    """Responses, how many models calibrate and are new, and how often to split them.

    `better` models are new ones above all that calibrate: these are the worst half.
    """

    name: str
    answers: np.ndarray
    calibration: int
    new: int
    seeds: int
    protocol: str = "random"

    def split(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Give the rows that calibrate and the new ones."""
        if self.protocol == "random":
            order = rng.permutation(len(self.answers))
            return order[self.new : self.new + self.calibration], order[: self.new]
        order = np.argsort(self.answers.mean(axis=1), kind="stable")
        worst, best = order[: len(order) // 2], order[-(3 * len(order) // 10) :]
        return (
            rng.permutation(worst)[: self.calibration],
            rng.permutation(best)[: self.new],
        )


def measure(options: Options, cached: list[Row]) -> list[Row]:
    """Calibrate on some models, test the others, on simulated and on real responses."""
    rows = []
    for case in _cases(options.small):
        found = np.concatenate([_test_models(case, seed) for seed in range(case.seeds)])
        for place, explore in enumerate(_EXPLORE):
            row: Row = {
                "data": case.name,
                "new_are": case.protocol,
                "calibration": case.calibration,
                "explore": explore,
            }
            rows.append(row | _describe(found[:, place]))
            show_progress(f"  {rows[-1]}")
    return rows


def _cases(is_small: bool) -> Iterator[Case]:
    for calibration in (12,) if is_small else (15, 30):
        drawn = ic.simulate("2pl", respondents=calibration + 15, items=600, seed=calibration)
        yield Case("simulated 2PL, 600 items", drawn.responses.array(), calibration, 15, 2)
    folder = Path(os.environ.get("ITEMCURVE_DATA", "nowhere"), "data", "llm")
    if is_small or not folder.is_dir():
        return
    for path in sorted(folder.glob("*.npz")):
        own = _load(path)
        name = f"{path.stem.removeprefix('benchpred_')}, {own.shape[1]:,} items"
        for protocol in ("random", "better"):
            yield Case(name, own, min(40, len(own) // 2), 12, 1, protocol)


def _load(path: Path) -> np.ndarray:
    """Read a matrix of models × items; items that some model was not asked are left out."""
    with np.load(path) as arrays:
        answers = arrays["R"].astype(float)
    answers[answers == 255] = np.nan
    return answers[:, ~np.isnan(answers).any(axis=0)]


def _test_models(case: Case, seed: int) -> np.ndarray:
    """Give what `_test_model` finds and the error of the random mean: models × explore × these."""
    rng = np.random.default_rng(seed)
    known, new = case.split(rng)
    responses = ic.Responses.from_array(case.answers[known])
    fit = ic.fit(responses, "2pl", on_failure="ignore")
    misfit = ic.measure_misfit(fit, max_items=_ASKED, seed=seed).score_sd
    found = []
    for model in new:
        own = case.answers[model]
        plain = own[rng.choice(own.size, _ASKED, replace=False)].mean() - own.mean()
        # A seed of its own: models that share the items drawn at random share their luck.
        chance = 1000 * seed + int(model)
        found.append(
            [(*_test_model(fit.bank, own, explore, misfit, chance), plain) for explore in _EXPLORE]
        )
    return np.array(found, dtype=float)


def _test_model(
    bank: ic.Bank, own: np.ndarray, explore: float, misfit: float, seed: int
) -> tuple[float, float, float, float, float]:
    """Error, then coverage and width of the interval, without and with the misfit measured."""
    place = {item: position for position, item in enumerate(bank.items)}
    exposure = ic.selection.Exposure(explore=explore)
    test = ic.AdaptiveTest(bank, stop=ic.stopping.max_items(_ASKED), exposure=exposure, seed=seed)
    while items := test.next_batch(_BATCH):
        test.record_many({item: own[place[item]] for item in items})
    full = own.mean()
    both = [test.score, predict_state(replace(test.state, score_misfit=misfit))]
    # The value with the misfit is the one that users of it get.
    inside = [value for s in both for value in (s.lower <= full <= s.upper, s.upper - s.lower)]
    return both[1].value - full, *inside


def _describe(found: np.ndarray) -> Row:
    error, covered, width, covered_wider, wider, plain = found.T
    return {
        "new": len(found),
        "error": float(np.abs(error).mean()),
        "plain": float(np.abs(plain).mean()),
        "cover": float(covered.mean()),
        "width": float(width.mean()),
        "cover_misfit": float(covered_wider.mean()),
        "width_misfit": float(wider.mean()),
    }


SECTION = Section(
    name="few_items",
    title="Scores from 50 items chosen for ability",
    notes=(
        "A bank (2PL) from the calibration models; new models answer 50 items chosen for them, in "
        "batches of 10, as through a harness. Errors are those of the score over all items, beside "
        "the plain mean of 50 items drawn at random. Better: calibrated on models of the worst "
        "half, new ones from the best 30 %. Misfit: intervals widened by what `measure_misfit` "
        "finds among the calibration models."
    ),
    columns=(
        Column("data", "data"),
        Column("new_are", "new models are"),
        Column("calibration", "calibration models"),
        Column("explore", "explore", ".1f"),
        Column("new", "new models"),
        Column("error", "mean error", ".3f"),
        Column("plain", "of a random mean", ".3f"),
        Column("cover", "90 % intervals cover", ".2f"),
        Column("width", "their width", ".3f"),
        Column("cover_misfit", "with misfit", ".2f"),
        Column("width_misfit", "width with misfit", ".3f"),
    ),
    measure=measure,
)

"""Scores of new models from 50 items of a benchmark, beside the plain mean of 50 random ones."""

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import itemcurve as ic
from benchmarks.section import Column, Options, Row, Section, show_progress

_ASKED, _BATCH = 50, 10
# Share of draws among all items, which lets the score be corrected where the model is wrong.
_EXPLORE = (0.0, 0.3)


def measure(options: Options, cached: list[Row]) -> list[Row]:
    """Calibrate on some models, test the others, on simulated and on real responses."""
    rows = []
    for name, answers, calibration, new, seeds in _cases(options.small):
        found = np.concatenate(
            [_test_models(answers, calibration, new, seed) for seed in range(seeds)]
        )
        for place, explore in enumerate(_EXPLORE):
            case: Row = {"data": name, "calibration": calibration, "explore": explore}
            rows.append(case | _describe(found[:, place]))
            show_progress(f"  {rows[-1]}")
    return rows


def _cases(is_small: bool) -> Iterator[tuple[str, np.ndarray, int, int, int]]:
    """Give name, responses, numbers of calibration and of new models, and how often to split."""
    for calibration in (8,) if is_small else (8, 15, 30):
        drawn = ic.simulate("2pl", respondents=calibration + 15, items=600, seed=calibration)
        yield "simulated 2PL, 600 items", drawn.responses.array(), calibration, 15, 4
    folder = Path(os.environ.get("ITEMCURVE_DATA", "nowhere"), "data", "llm")
    if is_small or not folder.is_dir():
        return
    mmlu = _load(folder / "mmlu_pro_29x12k.npz")
    yield f"MMLU-Pro, {mmlu.shape[1]:,} items", mmlu, 20, 9, 3
    yield f"MMLU-Pro, {mmlu.shape[1]:,} items", mmlu, 10, 9, 3
    arc = _load(folder / "benchpred_openllm_arc_challenge.npz")
    for calibration in (15, 30, 100):
        yield f"ARC challenge, {arc.shape[1]:,} items", arc, calibration, 20, 2


def _load(path: Path) -> np.ndarray:
    """Read a matrix of models × items; items that some model was not asked are left out."""
    with np.load(path) as arrays:
        answers = arrays["R"].astype(float)
    answers[answers == 255] = np.nan
    return answers[:, ~np.isnan(answers).any(axis=0)]


def _test_models(answers: np.ndarray, calibration: int, new: int, seed: int) -> np.ndarray:
    """Give error, coverage, width and error of the random mean: new models × explore × these."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(answers))
    responses = ic.Responses.from_array(answers[order[new : new + calibration]])
    bank = ic.fit(responses, "2pl", on_failure="ignore").bank
    found = []
    for model in order[:new]:
        own = answers[model]
        plain = own[rng.choice(own.size, _ASKED, replace=False)].mean() - own.mean()
        found.append([(*_test_model(bank, own, explore, seed), plain) for explore in _EXPLORE])
    return np.array(found, dtype=float)


def _test_model(
    bank: ic.Bank, own: np.ndarray, explore: float, seed: int
) -> tuple[float, bool, float]:
    place = {item: position for position, item in enumerate(bank.items)}
    exposure = ic.Exposure(explore=explore)
    test = ic.AdaptiveTest(bank, stop=ic.max_items(_ASKED), exposure=exposure, seed=seed)
    while items := test.next_batch(_BATCH):
        test.record_many({item: own[place[item]] for item in items})
    score, full = test.score, own.mean()
    return score.value - full, score.lower <= full <= score.upper, score.upper - score.lower


def _describe(found: np.ndarray) -> Row:
    error, covered, width, plain = found.T
    return {
        "new": len(found),
        "error": float(np.abs(error).mean()),
        "plain": float(np.abs(plain).mean()),
        "cover": float(covered.mean()),
        "width": float(width.mean()),
    }


SECTION = Section(
    name="few_items",
    title="Scores from 50 items",
    notes=(
        "A bank (2PL) from the calibration models; new models answer 50 items chosen for them, in "
        "batches of 10, as through a harness. Errors are those of the score over all items, beside "
        "the plain mean of 50 items drawn at random."
    ),
    columns=(
        Column("data", "data"),
        Column("calibration", "calibration models"),
        Column("explore", "explore", ".1f"),
        Column("new", "new models"),
        Column("error", "mean error", ".3f"),
        Column("plain", "of a random mean", ".3f"),
        Column("cover", "90 % intervals cover", ".2f"),
        Column("width", "their width", ".3f"),
    ),
    measure=measure,
)

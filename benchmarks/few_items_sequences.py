"""Intervals that hold at every look, decisions by them, and the speed of choice and prediction."""

import os
from collections.abc import Iterator
from pathlib import Path
from time import process_time

import numpy as np

import itemcurve as ic
from benchmarks.few_items_scores import PROTOCOLS
from benchmarks.section import Column, Options, Row, Section, show_progress
from itemcurve.adaptive.score.every_look import forecast_draws
from itemcurve.analysis.comparison.confidence_sequence import DrawnAnswers, confidence_sequence
from itemcurve_studies.llm.matrices import read_matrices, split

_SEEDS, _LONGEST, _MOST_TARGETS = 5, 200, 20
_LOOKS = (50, 100, 200)
_MARGIN = 0.05


def measure(options: Options, cached: list[Row]) -> list[Row]:
    """Follow new models answer by answer, and time the parts."""
    rows = list(_speed(options.small))
    folder = Path(os.environ.get("ITEMCURVE_DATA", "nowhere"))
    if not (folder / "data" / "llm").is_dir():
        return rows
    matrices = read_matrices(folder)
    for protocol in PROTOCOLS:
        for name, matrix in list(matrices.items())[: 1 if options.small else None]:
            found = [
                outcome
                for seed in range(1 if options.small else _SEEDS)
                for outcome in _follow(matrix, protocol, seed)
            ]
            rows.append(_row(name, protocol, np.array(found, dtype=float)))
            show_progress(f"  {rows[-1]}")
    for protocol in PROTOCOLS:
        own = [row for row in rows if row.get("new_are") == protocol]
        keys = [key for key in own[0] if isinstance(own[0][key], float)]
        means = {key: float(np.nanmean([float(str(row[key])) for row in own])) for key in keys}
        rows.append({"table": "every look", "data": "mean", "new_are": protocol, **means})
    return rows


def _follow(matrix: np.ndarray, protocol: str, seed: int) -> Iterator[list[float]]:
    """Whether all looks hold, half-widths, and how decisions fare, for each new model."""
    sources, targets, _ = split(matrix, protocol, seed)
    rng = np.random.default_rng(seed)
    known, size = matrix[sources], matrix.shape[1]
    length = min(_LONGEST, size)
    for target in rng.permutation(targets)[:_MOST_TARGETS]:
        own, truth = matrix[target], float(matrix[target].mean())
        places = rng.permutation(size)[:length]
        # In batches of ten, as through a harness.
        before = 10 * (np.arange(length) // 10)
        lower, upper = confidence_sequence(forecast_draws(known, places, own[places], before))
        holds = bool(((lower <= truth) & (truth <= upper)).all())
        widths = [(upper - lower)[min(look, length) - 1] / 2 for look in _LOOKS]
        threshold = truth + _MARGIN * (1 if rng.random() < 0.5 else -1)
        decided = np.flatnonzero((lower > threshold) | (upper < threshold))
        is_wrong = decided.size > 0 and (lower[decided[0]] > threshold) != (truth > threshold)
        rival = matrix[rng.choice(sources)]
        gaps = 0.5 + (own[places] - rival[places]) / 2
        low, high = confidence_sequence(DrawnAnswers.without_forecasts(gaps, size))
        told = np.flatnonzero((low > 0.5) | (high < 0.5))
        error = told.size > 0 and (low[told[0]] > 0.5) != (truth > rival.mean())
        yield [
            holds,
            *widths,
            decided.size > 0,
            is_wrong,
            decided[0] + 1 if decided.size else np.nan,
            told.size > 0,
            error,
            told[0] + 1 if told.size else np.nan,
        ]


def _row(name: str, protocol: str, found: np.ndarray) -> Row:
    means = found.mean(axis=0)
    items = [np.nanmean(found[:, k]) if np.isfinite(found[:, k]).any() else np.nan for k in (6, 9)]
    return {
        "table": "every look",
        "data": name,
        "new_are": protocol,
        "holds": float(means[0]),
        **{f"half_{look}": float(means[1 + k]) for k, look in enumerate(_LOOKS)},
        "decided": float(means[4]),
        "decided_wrongly": float(means[5]),
        "decided_after": float(items[0]),
        "told": float(means[7]),
        "told_wrongly": float(means[8]),
        "told_after": float(items[1]),
    }


def _speed(is_small: bool) -> Iterator[Row]:
    """Processor seconds of a choice of 100 of 10,000 items, and of one prediction."""
    size = 500 if is_small else 10_000
    for models in (30, 300):
        known = ic.simulate("2pl", respondents=models, items=size, seed=1).responses
        started = process_time()
        choice = ic.choose_items(known, 100)
        yield _time(f"choice of 100 of {size:,} items, {models} models", started)
        form = ic.make_short_form(known, choice)
        new = known.take(rows=[0]).select(items=choice.items)
        started = process_time()
        form.predict(new)
        yield _time(f"prediction by a short form of 100 items, {models} models", started)
        asked = known.take(rows=[0], columns=list(range(0, size, size // 50))[:50])
        ic.predict_scores(known, asked)
        started = process_time()
        ic.predict_scores(known, asked)
        yield _time(f"prediction from 50 drawn of {size:,} items, {models} models", started)


def _time(what: str, started: float) -> Row:
    return {"table": "speed", "data": what, "milliseconds": 1e3 * (process_time() - started)}


SECTION = Section(
    name="few_items_sequences",
    title="Scores that may be looked at any time",
    notes=(
        "Items drawn one by one, up to 200, forecasts made anew after every batch of 10; 5 seeds. "
        "Holds: the share of models whose 90 % intervals contain the score at every look from the "
        "first to the last. Threshold: 5 points above or below the truth; pair: against a "
        "calibrated model that answered the same items. Speed in processor milliseconds."
    ),
    columns=(
        Column("data", "data"),
        Column("new_are", "new models are"),
        Column("holds", "holds at every look", ".3f"),
        Column("half_50", "half-width at 50", ".3f"),
        Column("half_100", "at 100", ".3f"),
        Column("half_200", "at 200", ".3f"),
        Column("decided", "threshold decided", ".2f"),
        Column("decided_wrongly", "wrongly", ".3f"),
        Column("decided_after", "after items", ".0f"),
        Column("told", "pair decided", ".2f"),
        Column("told_wrongly", "wrongly", ".3f"),
        Column("told_after", "after items", ".0f"),
        Column("milliseconds", "ms", ".1f"),
    ),
    measure=measure,
    group_by="table",
)

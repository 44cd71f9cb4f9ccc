"""Scores of new language models from few items: default test, single predictions, plain rivals."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

import itemcurve as ic
from benchmarks.section import Column, Options, Row, Section, show_progress
from itemcurve.adaptive.prediction.catalogue import ESTIMATORS
from itemcurve.adaptive.prediction.complete_responses import CompleteResponses
from itemcurve.adaptive.prediction.contract import Calibration, Sample
from itemcurve.adaptive.prediction.score_prediction import interval
from itemcurve_studies.llm.matrices import read_matrices, split

PARTS = Path(__file__).with_name("results") / "few_items"
PROTOCOLS = ("random", "better")
# Items asked, and seeds; more where coverage is judged by matrix.
_SIZES = {50: 20, 30: 5, 10: 5, 100: 5}
_MOST_TARGETS, _BATCHES = 25, 5
_RIVALS = ("sample-mean", "ridge", "ridge-aipw", "guarded", "stacked")
DEFAULT, CHOSEN = "default test, two stages", "chosen at once, half drawn"
_NAMES = {
    "sample-mean": "random items, mean",
    "ridge": "random items, ridge",
    "ridge-aipw": "random items, ridge-AIPW",
    "guarded": "random items, guarded",
    "stacked": "random items, stacked",
}


class Outcome(NamedTuple):
    """One prediction: its error, whether the interval covers, its width, and what was flagged."""

    error: float
    is_covered: bool
    width: float
    is_outside: bool


def measure(options: Options, cached: list[Row]) -> list[Row]:
    """Hold models out of every matrix, test each with items of its own, and compare."""
    folder = Path(os.environ.get("ITEMCURVE_DATA", "nowhere"))
    if not (folder / "data" / "llm").is_dir():
        show_progress("  no data/llm: kept what was measured before")
        return cached
    sizes = {10: 1} if options.small else _SIZES
    matrices = read_matrices(folder)
    if options.small:
        matrices = dict(list(matrices.items())[:1])
    found: dict[tuple[int, str, str], dict[str, np.ndarray]] = {}
    for count, seeds in sizes.items():
        for name, matrix in matrices.items():
            for protocol in PROTOCOLS:
                part = _part(name, matrix, protocol, count, seeds, keep=not options.small)
                for way, means in part.items():
                    found.setdefault((count, protocol, way), {})[name] = np.array(means)
                show_progress(f"  {count} items, {name}, {protocol}")
    return list(_rows(found))


def _part(
    name: str, matrix: np.ndarray, protocol: str, count: int, seeds: int, *, keep: bool
) -> dict[str, list[float]]:
    """Count and means by way of one matrix, from a file where it was measured before."""
    path = PARTS / f"{name}-{protocol}-{count}.json"
    if keep and path.is_file():
        return json.loads(path.read_text())
    found: dict[str, list[list[float]]] = {}
    for seed in range(seeds):
        sources, targets, _ = split(matrix, protocol, seed)
        rng = np.random.default_rng([seed, count])
        for target in rng.permutation(targets)[:_MOST_TARGETS]:
            for way, outcome in _test(matrix[sources], matrix[target], count, rng):
                found.setdefault(way, []).append([float(x) for x in outcome])
    means = {way: summarise(np.array(outcomes)) for way, outcomes in found.items()}
    if keep:
        save_part(path, means)
    return means


def summarise(outcomes: np.ndarray) -> list[float]:
    """Give how many outcomes there are, and their means."""
    return [len(outcomes), *(round(float(mean), 6) for mean in outcomes.mean(axis=0))]


def save_part(path: Path, means: dict[str, list[float]]) -> None:
    """Keep what one part of a section found: a section goes on where it was interrupted."""
    PARTS.mkdir(exist_ok=True)
    path.write_text(json.dumps(means, indent=1, ensure_ascii=False) + "\n")


def _test(
    known: np.ndarray, own: np.ndarray, count: int, rng: np.random.Generator
) -> Iterator[tuple[str, Outcome]]:
    """Every way to score one model from as many items."""
    truth = float(own.mean())
    asked = rng.choice(own.size, count, replace=False)
    for name in _RIVALS:
        found = ESTIMATORS[name](Calibration(None, known), Sample(asked, own[None, asked]))
        lower, upper = interval(found.score, found.se, np.asarray(found.degrees), (0.0, 1.0))
        is_outside = found.is_outside is not None and bool(found.is_outside[0])
        yield _NAMES[name], _outcome(found.score[0], lower[0], upper[0], is_outside, truth)
    names = tuple(map(str, range(own.size)))
    seed = int(rng.integers(2**31))
    test = ic.ScoreTest(CompleteResponses((), names, known), count, seed=seed)
    while items := test.next_batch(count // _BATCHES):
        test.record_many({item: own[int(item)] for item in items})
    score = test.score
    yield (
        DEFAULT,
        _outcome(score.value, score.lower, score.upper, score.is_outside_calibration, truth),
    )
    responses = ic.Responses.from_array(known, items=names)
    choice = ic.choose_items(responses, count, seed=seed)
    new = ic.Responses.from_array(
        own[None, [int(item) for item in choice.items]], items=choice.items
    )
    got = ic.predict_scores(responses, new, choice=choice)
    yield (
        CHOSEN,
        _outcome(
            got.score[0], got.score_lower[0], got.score_upper[0], got.outside_calibration[0], truth
        ),
    )


def _outcome(score: float, lower: float, upper: float, is_outside: bool, truth: float) -> Outcome:
    return Outcome(abs(score - truth), lower <= truth <= upper, upper - lower, is_outside)


def _rows(found: dict[tuple[int, str, str], dict[str, np.ndarray]]) -> Iterator[Row]:
    """Means over matrices by way, then the default by matrix."""
    for (count, protocol, way), parts in sorted(found.items(), key=lambda pair: pair[0][:2]):
        means = np.array([part[1:] for part in parts.values()])
        row = _row(f"{count} items", f"{len(parts)} matrices", protocol, way, means.mean(axis=0))
        models = int(sum(part[0] for part in parts.values()))
        yield row | {"worst": float(means[:, 1].min()), "models": models}
    for (count, protocol, way), parts in found.items():
        if way == DEFAULT and count == 50:
            for name, part in parts.items():
                row = _row("50 items, the default by matrix", name, protocol, way, part[1:])
                yield row | {"worst": None, "models": int(part[0])}


def _row(table: str, data: str, protocol: str, way: str, means: np.ndarray) -> Row:
    return {
        "table": table,
        "data": data,
        "new_are": protocol,
        "way": way,
        "error": 100 * float(means[0]),
        "cover": float(means[1]),
        "width": 100 * float(means[2]),
        "outside": float(means[3]),
    }


SECTION = Section(
    name="few_items_scores",
    title="Scores of new language models from few items",
    notes=(
        "Eight response matrices of language models. Random: a quarter of the models is held out; "
        "better: the worst half calibrates, new ones are the best 30 %. Every new model is asked "
        "items of its own (20 seeds at 50 items, 5 elsewhere, at most 25 new models for each). "
        "Errors and widths in points of 100; 90 % intervals; outside: flagged as outside the "
        "calibration. The default test is `ScoreTest` in five batches."
    ),
    columns=(
        Column("data", "data"),
        Column("new_are", "new models are"),
        Column("way", "way"),
        Column("models", "predictions"),
        Column("error", "mean error", ".2f"),
        Column("cover", "intervals cover", ".3f"),
        Column("worst", "worst matrix", ".2f"),
        Column("width", "their width", ".1f"),
        Column("outside", "flagged", ".2f"),
    ),
    measure=measure,
    group_by="table",
)

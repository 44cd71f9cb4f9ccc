"""The tinyBenchmarks way: n items per scenario, balanced truth, beside anchors and gp-IRT."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

import itemcurve as ic
from benchmarks.few_items_scores import PARTS, save_part, summarise
from benchmarks.gp_irt import estimate_bias, find_anchors, fit_curves, predict_gp_irt
from benchmarks.section import Column, Options, Row, Section, show_progress

_SIZES = (10, 30, 60, 100)
_FOLDS, _SEEDS = 5, 5
_DIMENSIONS = (2, 5)
_SHARES = {
    0.5: "itemcurve, half drawn (the default)",
    0.3: "itemcurve, 0.3 drawn",
    0.0: "itemcurve, none drawn",
}


class Suite(NamedTuple):
    """Responses of the same models to several scenarios.

    `labels` says which scenario an item belongs to, `weights` how much it counts in its own.
    """

    name: str
    answers: np.ndarray
    labels: np.ndarray
    weights: np.ndarray
    groups: tuple[str, ...]


def measure(options: Options, cached: list[Row]) -> list[Row]:
    """Predict models left out from n items per scenario, chosen and used in every way."""
    folder = Path(os.environ.get("ITEMCURVE_DATA", "nowhere"), "data", "llm")
    if not folder.is_dir():
        show_progress("  no data/llm: kept what was measured before")
        return cached
    rows: list[Row] = []
    for suite in _suites(folder):
        for count in (10,) if options.small else _SIZES:
            found = _part(
                suite, count, seeds=1 if options.small else _SEEDS, keep=not options.small
            )
            for way, (_, error) in found.items():
                rows.append({"data": suite.name, "items": count, "way": way, "error": 100 * error})
            show_progress(f"  {suite.name}, {count} items")
    return rows


def _suites(folder: Path) -> Iterator[Suite]:
    parts = []
    for name in ("commonsense", "gsm", "math"):
        with np.load(folder / f"benchpred_helm_{name}.npz", allow_pickle=False) as arrays:
            parts.append(arrays["R"].astype(float))
    labels = np.repeat(np.arange(3), [part.shape[1] for part in parts])
    weights = 1 / np.bincount(labels)[labels]
    yield Suite("three HELM tasks", np.hstack(parts), labels, weights, ())
    with np.load(folder / "mmlu_pro_29x12k.npz", allow_pickle=False) as arrays:
        answers, subjects = arrays["R"], arrays["scenario"]
    kept = (answers != 255).all(axis=0)
    subjects = subjects[kept]
    sizes = {name: int((subjects == name).sum()) for name in sorted(set(subjects.tolist()))}
    weights = np.array([1 / (len(sizes) * sizes[name]) for name in subjects.tolist()])
    yield Suite(
        "MMLU-Pro, 14 subjects",
        answers[:, kept].astype(float),
        np.zeros(int(kept.sum()), dtype=int),
        weights,
        tuple(subjects.tolist()),
    )


def _part(suite: Suite, count: int, *, seeds: int, keep: bool) -> dict[str, list[float]]:
    """Count and mean error by way, from a file where they were measured before."""
    path = PARTS / f"groups-{suite.name.split()[0].strip(',')}-{count}.json"
    if keep and path.is_file():
        return json.loads(path.read_text())
    found: dict[str, list[float]] = {}
    for seed in range(seeds):
        order = np.random.default_rng(seed).permutation(len(suite.answers))
        for fold in range(_FOLDS):
            new = np.sort(order[fold::_FOLDS])
            known = np.setdiff1d(order, new)
            for way, errors in _compare(suite, known, new, count, 100 * seed + fold):
                found.setdefault(way, []).extend(errors.ravel().tolist())
    means = {way: summarise(np.array(errors)[:, None]) for way, errors in found.items()}
    if keep:
        save_part(path, means)
    return means


def _compare(
    suite: Suite, known: np.ndarray, new: np.ndarray, count: int, seed: int
) -> Iterator[tuple[str, np.ndarray]]:
    """Errors of every way in every scenario."""
    yield from _rivals(suite, known, new, count, seed)
    for share, way in _SHARES.items():
        yield way, _ours(suite, known, new, count, seed, random_share=share)


def _rivals(
    suite: Suite, known: np.ndarray, new: np.ndarray, count: int, seed: int
) -> Iterator[tuple[str, np.ndarray]]:
    found: dict[str, list[np.ndarray]] = {}
    for label in range(int(suite.labels.max()) + 1):
        own = suite.labels == label
        weights = suite.weights[own] / suite.weights[own].sum()
        past, answers = suite.answers[np.ix_(known, own)], suite.answers[np.ix_(new, own)]
        truth = answers @ weights
        rng = np.random.default_rng([seed, label])
        drawn = rng.choice(len(weights), count, replace=False, p=weights)
        found.setdefault("random items, mean", []).append(answers[:, drawn].mean(axis=1) - truth)
        places, shares = find_anchors(past.T, weights, count, seed)
        found.setdefault("k-means anchors, weighted mean", []).append(
            answers[:, places] @ shares - truth
        )
        biases = {d: estimate_bias(past, weights, count, d, seed) for d in _DIMENSIONS}
        best = min(biases, key=lambda d: biases[d])
        curves = fit_curves(past, best, seed)
        by_curve = np.column_stack([curves.slopes, curves.intercepts])
        for name, anchors in (
            ("gp-IRT, anchors", (places, shares)),
            ("gp-IRT, IRT anchors", find_anchors(by_curve, weights, count, seed)),
        ):
            guess = predict_gp_irt(
                past, answers[:, anchors[0]], weights, *anchors, curves, biases[best]
            )
            found.setdefault(name, []).append(guess - truth)
    for name, gaps in found.items():
        yield name, np.abs(np.array(gaps))


def _ours(
    suite: Suite, known: np.ndarray, new: np.ndarray, count: int, seed: int, *, random_share: float
) -> np.ndarray:
    past = ic.Responses.from_array(suite.answers[known])
    answers = ic.Responses.from_array(suite.answers[new], items=past.items)
    is_one = not suite.labels.any()
    names = suite.groups or tuple(map(str, suite.labels))
    choice = ic.choose_items(
        past,
        count * (int(suite.labels.max()) + 1),
        item_groups=names,
        aim="total" if is_one else "groups",
        random_share=random_share,
        seed=seed,
    )
    given = answers.select(items=choice.items)
    if is_one:
        found = ic.predict_scores(past, given, weights=suite.weights, choice=choice)
        return np.abs(found.score - suite.answers[new] @ suite.weights / suite.weights.sum())
    found = ic.predict_scores(past, given, groups=names, choice=choice)
    truth = [suite.answers[np.ix_(new, suite.labels == k)].mean(axis=1) for k in range(3)]
    parts = {part.group: part.score for part in found.groups}
    return np.abs(np.array([parts[str(k)] - truth[k] for k in range(3)]))


SECTION = Section(
    name="few_items_groups",
    title="Several scenarios: the tinyBenchmarks way",
    notes=(
        "n items per scenario; MMLU-Pro is one scenario whose 14 subjects count the same, the "
        "three HELM tasks (83 models) are three. A fifth of the models is left out in turn, 5 "
        "seeds. Mean absolute error of scenario scores, points of 100. gp-IRT is rebuilt from its "
        "description (multidimensional 2PL by penalised likelihood, 2 or 5 dimensions by models "
        "held out)."
    ),
    columns=(
        Column("items", "items per scenario"),
        Column("way", "way"),
        Column("error", "mean error", ".2f"),
    ),
    measure=measure,
    group_by="data",
)

"""Ratings held out: how well a fit with judges foretells them, beside the plainest rival."""

import os
from pathlib import Path
from time import process_time

import numpy as np
import pandas
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from scipy.special import ndtr

import itemcurve as ic
from benchmarks.section import Column, Options, Row, Section, show_progress

_SPLITS, _SHARE = 5, 0.15
_MODELS = ("grm", "gpcm", "pcm", "rsm", "sequential")
# Errors of translations, cut into six grades, the best highest.
_CUTS = (1e-9, 1, 2, 5, 10)
Numbers = NDArray[np.float64]


def measure(options: Options, cached: list[Row]) -> list[Row]:
    """Fit most of the ratings, foretell the rest."""
    folder = Path(os.environ.get("ITEMCURVE_DATA", "nowhere"), "data", "judges")
    if not folder.is_dir():
        show_progress("  skipped: ITEMCURVE_DATA names no folder with ratings of judges")
        return cached
    rows: list[Row] = []
    for name, ratings in real_ratings(folder).items():
        models = _MODELS if name.startswith("WMT") else _MODELS[:1]
        rows += _measure_set(name, ratings, 1 if options.small else _SPLITS, models)
    return rows


def real_ratings(folder: Path) -> dict[str, ic.judges.Ratings]:
    """Give the sets of ratings, by name."""
    errors = pandas.read_csv(folder / "wmt_mqm.csv.gz")
    scores = pandas.read_csv(folder / "wildbench_scores.csv.gz")
    scores = scores[scores["version"] == "v2.0522"]
    judges = scores.groupby("model")["judge"].transform("nunique")
    return {
        "WMT 2023 zh-en": _translations(errors[errors["test"] == "wmt23-zhen"]),
        "WMT 2023 en-de": _translations(errors[errors["test"] == "wmt23-ende"]),
        "WildBench, both judges": ic.judges.Ratings.from_frame(
            scores[judges == 2],
            ic.judges.RatingColumns(rater="judge", respondent="model", rating="score"),
        ),
    }


def _translations(errors: pandas.DataFrame) -> ic.judges.Ratings:
    table = pandas.DataFrame(
        {
            "respondent": errors["system"],
            "item": errors["document"].astype(str) + ":" + errors["segment"].astype(str),
            "rater": errors["rater"],
            "rating": len(_CUTS) - np.digitize(errors["mqm"], _CUTS),
        }
    )
    return ic.judges.Ratings.from_frame(table, repeats=True)


def _measure_set(
    name: str, ratings: ic.judges.Ratings, splits: int, models: tuple[str, ...]
) -> list[Row]:
    losses: dict[str, list[float]] = {}
    seconds: dict[str, list[float]] = {}
    for seed in range(splits):
        kept, held = ratings.split(_SHARE, seed=seed)
        losses.setdefault("additive normal", []).append(_additive_loss(kept, held))
        # The first is what is advised; the others on one split.
        for model in models if seed == 0 else models[:1]:
            began = process_time()
            fit = ic.fit(kept, model, raters="rater")
            seconds.setdefault(model, []).append(process_time() - began)
            shares = fit.predict(held).to_numpy()
            losses.setdefault(model, []).append(_loss(shares, held.grade))
    rows: list[Row] = [
        {
            "set": f"{name}: {len(ratings):,} ratings",
            "what": word,
            "splits": len(found),
            "loss": float(np.mean(found)),
            "first": found[0],
            "seconds": min(seconds[word]) if word in seconds else None,
        }
        for word, found in losses.items()
    ]
    show_progress("\n".join(f"  {row}" for row in rows))
    return rows


def _additive_loss(kept: ic.judges.Ratings, held: ic.judges.Ratings) -> float:
    """A normal round additive means, cut at the grades, with the spread best for what is asked."""
    grades = np.asarray(kept.grades)
    means = _additive_means(kept, held)
    edges = np.concatenate([[-np.inf], (grades[1:] + grades[:-1]) / 2, [np.inf]])

    def loss(log_spread: float) -> float:
        shares = np.diff(ndtr((edges - means[:, None]) / np.exp(log_spread)), axis=1)
        return _loss(shares, held.grade)

    return float(minimize_scalar(loss, bounds=(-2.0, 2.0), method="bounded").fun)


def _additive_means(kept: ic.judges.Ratings, held: ic.judges.Ratings) -> Numbers:
    """Least squares in respondent, item and rater, by turns."""
    sides = [
        (getattr(kept, name), getattr(held, name), len(getattr(kept, f"{name}s")))
        for name in ("respondent", "item", "rater")
    ]
    centre = float(kept.values.mean())
    effects = [np.zeros(size) for _, _, size in sides]
    for _ in range(200):
        for k, (code, _, size) in enumerate(sides):
            rest = kept.values - centre
            rest = rest - sum(effects[j][sides[j][0]] for j in range(3) if j != k)
            counts = np.maximum(np.bincount(code, minlength=size), 1)
            effects[k] = np.bincount(code, rest, size) / counts
    return np.asarray(centre + sum(effects[k][sides[k][1]] for k in range(3)))


def _loss(shares: Numbers, grade: NDArray[np.int64]) -> float:
    chosen = shares[np.arange(len(grade)), grade]
    return float(-np.log(np.maximum(chosen, 1e-12)).mean())


SECTION = Section(
    name="raters",
    title="Ratings foretold",
    notes=f"""\
Ratings of real judges; {_SHARE:.0%} held out by chance, {_SPLITS} times (models other than grm: \
once). Log-loss per rating. The rival: a normal round additive means of system, rater and item, \
cut at the grades, with the spread that suits the left-out ratings best. WMT: errors counted by \
professional raters, cut into six grades. First: the first split alone. Seconds of a processor, \
the fastest fit.""",
    columns=(
        Column("what", "what is known"),
        Column("splits", "splits"),
        Column("loss", "log-loss", ".4f"),
        Column("first", "first", ".4f"),
        Column("seconds", "seconds", ".1f"),
    ),
    measure=measure,
    group_by="set",
)

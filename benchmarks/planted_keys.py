"""Wrong keys planted in answers of real language models: how many of the first ones are found."""

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.section import Column, Options, Row, Section, show_progress
from itemcurve.analysis.health.item_counts import item_rest
from itemcurve.analysis.health.key_evidence import weigh_keys
from itemcurve.analysis.health.option_votes import count_votes

Floats = NDArray[np.float64]
Score = Callable[[Floats], Floats]

_SEEDS = 20
_SHARE = 0.05
_FIRST = (20, 50)
_MMLU_PRO = "MMLU-Pro, 29 models × 12,032 items, keys replaced by another option"
_OTHERS = "Six matrices of right and wrong, the first 20"
# Matrix, and which share of errors lands on a wrong key: all of them with two classes, one of
# three with four options, hardly any where answers are free.
_MATRICES = {
    "glue_mrpc": 1.0,
    "glue_rte": 1.0,
    "helm_commonsense": 1 / 3,
    "openllm_arc_challenge": 1 / 3,
    "helm_gsm": 0.02,
    "helm_math": 0.02,
}


def measure(options: Options, cached: list[Row]) -> list[Row]:
    """Precision of the first items, by every way to rank them; means over seeds."""
    folder = Path(os.environ.get("ITEMCURVE_DATA", "nowhere"), "data", "llm")
    if not folder.is_dir():
        show_progress("  ITEMCURVE_DATA names no folder with data/llm")
        return cached
    seeds = range(2 if options.small else _SEEDS)
    return _measure_options(folder, seeds) + _measure_matrices(folder, seeds)


def _measure_options(folder: Path, seeds: range) -> list[Row]:
    stored = np.load(folder / "mmlu_pro_29x12k.npz")
    letters = stored["choice"]
    chosen = np.where(letters == "", -1, letters.astype("U1").view(np.uint32) - ord("A"))
    chosen = chosen.astype(np.int32)
    keys = stored["answer"].astype("U1").view(np.uint32).astype(np.int32) - ord("A")
    subjects = np.unique(stored["scenario"], return_inverse=True)[1]
    together = np.zeros_like(subjects)
    ways: dict[str, Score] = {
        "lowest mean": lambda Y: -Y.mean(axis=0),
        "lowest item-rest correlation": lambda Y: -np.nan_to_num(item_rest(Y)),
        "right and wrong": lambda Y: weigh_keys(Y, together).log_odds,
        "right and wrong, 10 options": lambda Y: weigh_keys(Y, together, None, 10).log_odds,
        "right and wrong, subjects": lambda Y: weigh_keys(Y, subjects).log_odds,
        "right and wrong, subjects, 10 options": lambda Y: (
            weigh_keys(Y, subjects, None, 10).log_odds
        ),
        "chosen options": lambda Y: (
            weigh_keys(Y, together, count_votes(Y, chosen, together)).log_odds
        ),
        "chosen options, subjects": lambda Y: (
            weigh_keys(Y, subjects, count_votes(Y, chosen, subjects)).log_odds
        ),
    }
    untouched = (chosen == keys).astype(float)
    votes = count_votes(untouched, chosen, subjects)
    clear = weigh_keys(untouched, subjects, votes).probabilities < 0.5
    show_progress(f"  {np.count_nonzero(~clear)} untouched keys are doubtful by the options")
    found: dict[str, list[list[float]]] = {way: [] for way in ways}
    for seed in seeds:
        planted, wrong = _replace_keys(keys, stored["n_options"].astype(int), seed)
        Y = (chosen == planted).astype(float)
        for way, score in ways.items():
            scores = score(Y)
            parts = [(scores, wrong), (scores[clear], wrong[clear])]
            found[way].append([precision(*part, first) for part in parts for first in _FIRST])
    return _summarise(_MMLU_PRO, found)


def _replace_keys(
    keys: NDArray[np.int32], n_options: NDArray[np.integer], seed: int
) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
    """Give 5 % of the items another key, any of the other options alike."""
    random = np.random.default_rng(seed)
    chosen = random.choice(keys.size, int(_SHARE * keys.size), replace=False)
    planted = keys.copy()
    shift = 1 + (random.random(chosen.size) * (n_options[chosen] - 1)).astype(np.int32)
    planted[chosen] = (keys[chosen] + shift) % n_options[chosen]
    wrong = np.zeros(keys.size, dtype=bool)
    wrong[chosen] = True
    return planted, wrong


def _measure_matrices(folder: Path, seeds: range) -> list[Row]:
    rows: list[Row] = []
    for name, landing in _MATRICES.items():
        values = np.load(folder / f"benchpred_{name}.npz")["R"].astype(float)
        found: dict[str, list[float]] = {"mean": [], "rest": [], "health": []}
        for seed in seeds:
            random = np.random.default_rng(seed)
            chosen = random.choice(values.shape[1], int(_SHARE * values.shape[1]), replace=False)
            Y = values.copy()
            lands = random.random((len(Y), chosen.size)) < landing
            Y[:, chosen] = (1 - Y[:, chosen]) * lands
            wrong = np.zeros(values.shape[1], dtype=bool)
            wrong[chosen] = True
            together = np.zeros(values.shape[1], dtype=int)
            found["mean"].append(precision(-Y.mean(axis=0), wrong, 20))
            found["rest"].append(precision(-np.nan_to_num(item_rest(Y)), wrong, 20))
            found["health"].append(precision(weigh_keys(Y, together).log_odds, wrong, 20))
        rows.append(
            {"part": _OTHERS, "way": f"{name}, {len(values)} × {values.shape[1]}"}
            | {"planted": int(_SHARE * values.shape[1])}
            | {way: float(np.mean(runs)) for way, runs in found.items()}
        )
        show_progress(f"  {rows[-1]}")
    return rows


def precision(scores: Floats, wrong: NDArray[np.bool_], first: int) -> float:
    """Share of wrong keys among the first items; of equals, as expected in random order."""
    order = np.argsort(-scores, kind="stable")
    ranked, hit = scores[order], wrong[order]
    above, equal = ranked > ranked[first - 1], ranked == ranked[first - 1]
    return float((hit[above].sum() + (first - above.sum()) * hit[equal].mean()) / first)


def _summarise(part: str, found: dict[str, list[list[float]]]) -> list[Row]:
    rows: list[Row] = []
    base = np.array(found["lowest mean"])
    for way, runs in found.items():
        values = np.array(runs)
        row: Row = {"part": part, "way": way}
        for place, first in enumerate(_FIRST):
            row[f"p{first}"] = float(values[:, place].mean())
            row[f"sd{first}"] = float(values[:, place].std())
            row[f"above{first}"] = float((values[:, place] > base[:, place]).mean())
            row[f"clear{first}"] = float(values[:, len(_FIRST) + place].mean())
        rows.append(row)
        show_progress(f"  {row}")
    return rows


SECTION = Section(
    name="planted_keys",
    title="Wrong keys planted in real answers",
    notes=f"""\
{_SHARE:.0%} of the keys made wrong, {_SEEDS} seeds; precision of the first items by each way to \
rank them (of equal scores, as expected in random order), its standard deviation over seeds, and \
in how many seeds it is above sorting by the lowest mean. Keys that were wrong before count as \
right ones here, so that precision stays below 1 whatever the way, and the more so the better a \
way finds them: of 30 untouched items, 95 % of all models agree on one other option. The last two \
columns set the 847 items aside whose untouched key the options speak against with P > 0.5 (which \
favours the options: their own doubts are what is left out). Without subjects, right and wrong \
answers of 29 models hold no more than the mean: 650 items are failed by all, and nothing tells \
these apart.

The six other matrices hold right and wrong only; of a planted item those are right who were \
wrong and land on the new key: all of them with two classes, a third with four options, 2 % where \
answers are free. Constants were chosen on seeds 0 to 5 of MMLU-Pro and 0 to 7 of the others, the \
largest share of errors on one option (that of the weakest respondent) on seeds 20 to 27 of both, \
which are not among those shown.""",
    columns=(
        Column("way", "ranked by"),
        Column("planted", "planted", ","),
        Column("p20", "first 20", ".3f"),
        Column("sd20", "± sd", ".3f"),
        Column("above20", "above the mean", ".0%"),
        Column("p50", "first 50", ".3f"),
        Column("sd50", "± sd", ".3f"),
        Column("above50", "above the mean", ".0%"),
        Column("clear20", "first 20, doubtful set aside", ".3f"),
        Column("clear50", "first 50, doubtful set aside", ".3f"),
        Column("mean", "lowest mean", ".3f"),
        Column("rest", "item-rest", ".3f"),
        Column("health", "health", ".3f"),
    ),
    measure=measure,
    group_by="part",
)

"""Votes held out: how well strengths foretell them, beside the plainest rivals, on real judges."""

import os
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import pandas
from numpy.typing import NDArray

import itemcurve as ic
from benchmarks.section import Column, Options, Row, Section, show_progress

_SPLITS, _SHARE = 5, 0.2
# Votes that a rival's rate is shrunk by towards the rate of all.
_SHRUNK = 2.0
_PEOPLE = ("human_1", "human_2", "human_3", "gpt-3.5-turbo", "pandalm-7b")
_FITS: dict[str, dict[str, Any]] = {
    "strengths": {},
    "and length": {"style": "length"},
    "and judges of their own": {"judges": "own"},
    "and items of their own": {"items": "own"},
    "and length, judges": {"style": "length", "judges": "own"},
    "and length, items": {"style": "length", "items": "own"},
    "and length, judges, items": {"style": "length", "judges": "own", "items": "own"},
}
_RIVALS = {
    "rate of each pair": ["model_1", "model_2"],
    "rate of each pair and judge": ["model_1", "model_2", "judge"],
    "rate of each item": ["item"],
}


def measure(options: Options, cached: list[Row]) -> list[Row]:
    """Fit four fifths of the votes, foretell the rest."""
    folder = Path(os.environ.get("ITEMCURVE_DATA", "nowhere"), "data", "judges")
    if not folder.is_dir():
        show_progress("  skipped: ITEMCURVE_DATA names no folder with votes of judges")
        return cached
    rows = []
    for name, votes in _sets(folder).items():
        rows += _measure_set(name, votes, 1 if options.small else _SPLITS)
    return rows


def _sets(folder: Path) -> dict[str, pandas.DataFrame]:
    alpaca = pandas.read_csv(folder / "alpaca_pairwise.csv.gz")
    # A folder that holds another model's votes, and a model against itself.
    alpaca = alpaca[alpaca["folder"] != "falcon-7b-instruct"]
    alpaca = alpaca[(alpaca["model_1"] != alpaca["model_2"]) & alpaca["preference"].notna()]
    alpaca = alpaca.drop_duplicates(["judge", "model_1", "model_2", "item"])
    panda = pandas.read_csv(folder / "pandalm_pairwise.csv.gz").melt(
        id_vars=["item", "model_1", "model_2", "length_1", "length_2"],
        value_vars=list(_PEOPLE),
        var_name="judge",
        value_name="preference",
    )
    weighted = alpaca["judge"] == "weighted_alpaca_eval_gpt4_turbo"
    return {
        "AlpacaEval, weighted GPT-4 turbo": alpaca[weighted],
        "AlpacaEval, GPT-4": alpaca[alpaca["judge"] == "alpaca_eval_gpt4"],
        "AlpacaEval, six judges": alpaca,
        "PandaLM, three people and two models": panda[panda["preference"].notna()],
    }


def _measure_set(name: str, votes: pandas.DataFrame, splits: int) -> list[Row]:
    left_out = set() if votes["judge"].nunique() > 1 else {"judges"}
    # PandaLM has one pair of models on each item.
    left_out |= {"items"} if votes.groupby("item")["model_2"].nunique().median() < 3 else set()
    fits = {word: kw for word, kw in _FITS.items() if not left_out & set(kw)}
    losses: dict[str, list[float]] = {}
    seconds: dict[str, list[float]] = {}
    for seed in range(splits):
        held = np.random.default_rng(seed).random(len(votes)) < _SHARE
        known, asked = votes[~held], votes[held]
        for word, loss in _rivals(known, asked).items():
            losses.setdefault(word, []).append(loss)
        for word, settings in fits.items():
            began = process_time()
            fit = ic.fit_pairs(known, **settings)
            seconds.setdefault(word, []).append(process_time() - began)
            losses.setdefault(word, []).append(fit.log_loss(asked))
    rows: list[Row] = [
        {
            "set": f"{name}: {len(votes):,} votes",
            "what": word,
            "loss": float(np.mean(found)),
            "spread": float(np.std(found)),
            "seconds": min(seconds[word]) if word in seconds else None,
        }
        for word, found in losses.items()
    ]
    show_progress("\n".join(f"  {row}" for row in rows))
    return rows


def _rivals(known: pandas.DataFrame, asked: pandas.DataFrame) -> dict[str, float]:
    counts, truth = _counts(known), _counts(asked)
    base = counts.sum(axis=0) / counts.sum()
    losses = {"constant": _loss(np.tile(base, (len(asked), 1)), truth)}
    for word, keys in _RIVALS.items():
        own = pandas.DataFrame(counts, columns=list("abt"))
        own[keys] = known[keys].to_numpy()
        sums = own.groupby(keys).sum()
        found = asked[keys].merge(sums, how="left", left_on=keys, right_index=True)
        seen = found[list("abt")].fillna(0.0).to_numpy()
        rates = (seen + _SHRUNK * base) / (seen.sum(axis=1, keepdims=True) + _SHRUNK)
        losses[word] = _loss(rates, truth)
    return losses


def _counts(votes: pandas.DataFrame) -> NDArray[np.float64]:
    """What each vote counts for the first, the second and a tie."""
    preference = votes["preference"].to_numpy(dtype=float)
    is_tie = (preference == 0) | (preference == 1.5)
    return np.column_stack(
        [np.where(is_tie, 0, 2 - preference), np.where(is_tie, 0, preference - 1), is_tie]
    )


def _loss(rates: NDArray[np.float64], truth: NDArray[np.float64]) -> float:
    return float(-(truth * np.log(np.maximum(rates, 1e-12))).sum() / truth.sum())


SECTION = Section(
    name="pairs",
    title="Votes foretold",
    notes=f"""\
Votes of real judges between two answers; {_SHARE:.0%} held out by chance, {_SPLITS} times. \
Log-loss: mean of −log probability of what was voted (first, second, tie), votes given as \
probabilities shared out. Rivals are rates of the votes known, shrunk by {_SHRUNK:g} votes towards \
that of all. AlpacaEval has one reference, so that a strength and the rate of a pair are nearly \
the same thing; what is gained comes from length, judges and items. Seconds of a processor, the \
fastest split.""",
    columns=(
        Column("what", "what is known"),
        Column("loss", "log-loss", ".4f"),
        Column("spread", "± sd", ".4f"),
        Column("seconds", "seconds", ".2f"),
    ),
    measure=measure,
    group_by="set",
)

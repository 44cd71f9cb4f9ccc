"""Odd data through what is built on fits: groups, links, raters, votes, predictions and the like.

Every trial is made three times: with what is known of respondents and items in their order, with
the same in another order, by ids (the result must be the same), and with an id that nobody has
(which must be refused).
"""

import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import pandas

from benchmarks.faults.odd_trials import KINDS, Trial, draw_trial
from benchmarks.faults.processor_time import TooLongError, at_most
from benchmarks.faults.tally import Outcome, Tally
from itemcurve.errors import ItemcurveError

TRIALS = 720
PATIENCE = 20.0
ABSURD = 1e4
_LONGEST_ERROR = 1000
# Two orders of the same data end where searches end: within their tolerance of each other.
_ALIKE = 2e-2


def units(amount: float, seed: int) -> dict[str, Callable[[], list[Tally]]]:
    """Try every kind of analysis, so many trials each."""
    count = max(1, round(TRIALS * amount / len(KINDS)))
    return {kind: partial(_all_of, kind, seed, count) for kind in KINDS}


def _all_of(kind: str, seed: int, count: int) -> list[Tally]:
    rows = [
        Tally(f"analyses: {kind}"),
        Tally("analyses: another order"),
        Tally("analyses: strangers"),
    ]
    for number in range(count):
        try_analysis(kind, seed, number, *rows)
    return rows


def try_analysis(
    kind: str, seed: int, number: int, plain: Tally, shuffled: Tally, strange: Tally
) -> None:
    """Count what becomes of one trial and of its two variants."""
    trial = draw_trial(kind, seed, number)
    ending = _judged(trial)
    plain.add(ending.outcome, f"{trial}: {ending.said}")
    if ending.outcome == "fine" and trial.shuffled is not None:
        again = _judged(trial.shuffled)
        # Of a maximum that is flat, or was not reached, each order shows another place.
        is_same = ending.is_doubted or again.is_doubted or again.outcome != "fine"
        said = "" if is_same else _difference(ending.tables, again.tables)
        shuffled.add("silent" if said else again.outcome, f"{trial}: {said or again.said}")
    if ending.outcome == "fine" and trial.strange is not None:
        other = _judged(trial.strange)
        is_taken = other.outcome in ("fine", "silent")
        strange.add("silent" if is_taken else other.outcome, f"{trial}: {other.said or 'taken'}")


@dataclass(frozen=True)
class Ending:
    """How a call ended: what it said, what it shows, and whether its status casts doubt on that."""

    outcome: Outcome
    said: str = ""
    tables: list[pandas.DataFrame] = field(default_factory=list)
    is_doubted: bool = False


def _judged(trial: Trial) -> Ending:
    """Run it; say how it ended and what nobody would be warned of."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            with at_most(PATIENCE):
                result = trial.run()
                tables = [table for table in trial.tables(result) if len(table)]
                is_doubted = trial.is_doubted(result)
        except TooLongError:
            return Ending("hang", f"over {PATIENCE:g} s")
        except ItemcurveError as error:
            is_short = len(str(error)) <= _LONGEST_ERROR
            return Ending("clean error" if is_short else "traceback", str(error)[:200])
        except Exception:
            return Ending("traceback", traceback.format_exc()[-500:])
    problems = [] if is_doubted else [said for table in tables for said in _unsaid(table)]
    said = "; ".join(problems[:3])
    return Ending("silent" if problems else "fine", said, tables, is_doubted)


def _unsaid(table: pandas.DataFrame) -> list[str]:
    """Name errors of estimates that are absurd, and estimates that are no numbers."""
    found = []
    flags = table["flags"] if "flags" in table else pandas.Series("", table.index)
    for name in table.select_dtypes("number").columns:
        values = table[name].to_numpy(dtype=float)
        is_error = str(name) == "se" or str(name).endswith("_se")
        bad = np.isinf(values) | (is_error & ((np.abs(values) > ABSURD) | (values < 0)))
        bad &= (flags == "").to_numpy()
        found += [f"{name} = {value:.3g}" for value in values[bad]]
    return found


def _difference(one: list[pandas.DataFrame], other: list[pandas.DataFrame]) -> str:
    """Say where two results differ that should not; rows are found by their names."""
    for mine, theirs in zip(map(_by_name, one), map(_by_name, other), strict=True):
        if sorted(mine.index) != sorted(theirs.index):
            return f"rows {sorted(set(mine.index) ^ set(theirs.index))[:4]}"
        theirs = theirs.loc[mine.index]
        for name in mine.select_dtypes("number").columns:
            a, b = (table[name].to_numpy(dtype=float) for table in (mine, theirs))
            close = np.isclose(a, b, rtol=_ALIKE, atol=_ALIKE) | (np.isnan(a) & np.isnan(b))
            if not close.all():
                at = int(np.argmin(close))
                return f"{name} of {mine.index[at]!r}: {a[at]:.6g} and {b[at]:.6g}"
    return ""


def _by_name(table: pandas.DataFrame) -> pandas.DataFrame:
    """The table by its columns of names, each row once."""
    names = [name for name in _NAMES if name in table]
    if not names:
        return table
    keyed = table.set_index(table[names].astype(str).agg("|".join, axis=1))
    return keyed[~keyed.index.duplicated(keep=False)]


_NAMES = ("respondent", "item", "group", "rater", "term", "effect", "judge")

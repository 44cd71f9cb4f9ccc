"""`fit_pairs`: strengths from votes between two."""

import time
import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal, get_args

import numpy as np

from itemcurve.errors import ConvergenceError, ConvergenceWarning, ModelError
from itemcurve.numerics.engine import Engine, get_engine
from itemcurve.pairs.model.item_spreads import maximise_with_spreads
from itemcurve.pairs.model.newton_search import maximise
from itemcurve.pairs.model.parameter_layout import ITEM_SLOPE, JUDGE_SLOPE, ORDER, TIES
from itemcurve.pairs.pair_estimates import endless_effects, gather
from itemcurve.pairs.pair_fit import PairFit
from itemcurve.pairs.pair_settings import (
    BothBad,
    Errors,
    OnFailure,
    Own,
    PairSettings,
    Pieces,
    Ties,
    as_names,
)
from itemcurve.pairs.pair_setup import HELD, PairSetup, prepare
from itemcurve.pairs.votes.comparison_graph import find_pieces, refuse_pieces
from itemcurve.pairs.votes.vote_data import Floats, Votes
from itemcurve.pairs.votes.vote_table import Repeats, read_votes


def fit_pairs(
    votes: Any,
    *,
    ties: Ties = "model",
    both_bad: BothBad = "tie",
    order: bool | Literal["auto"] = "auto",
    style: str | Sequence[str] = (),
    judges: Own = "same",
    items: Own = "same",
    reference: str | None = None,
    prior: float | None = None,
    errors: Errors = "auto",
    repeats: Repeats = "refuse",
    pieces: Pieces = "refuse",
    level: float = 0.9,
    significance: float = 0.05,
    max_iterations: int = 100,
    engine: str | Engine = "numpy",
    on_failure: OnFailure = "warn",
) -> PairFit:
    """Estimate how strong respondents are from votes between two of them.

    Bradley and Terry (1952): the log odds that a is preferred to b are the difference of their
    strengths. Ties are Davidson's (1970), whose share between equals is estimated; the advantage of
    side a (order) and covariates of style add to the log odds.

    Parameters
    ----------
    votes : a table, columns by name, or the path of a file: `respondent_a`, `respondent_b`,
        `winner` (a, b, tie, both_bad, or a name), optionally `judge`, `item`, `weight`. Logs of
        arenas and of AlpacaEval are read as they are (`itemcurve.pairs.read_votes`).
    ties : `"model"` estimates them, `"half"` counts half a vote for each, `"drop"` leaves them out.
    both_bad : `"tie"` counts it as a tie: who is stronger, it does not say. That a prompt is too
        hard for both is said of the items and respondents (`.items()`, `.frame()`).
    order : whether side a may have an advantage; `"auto"` says yes where sides change enough to
        tell it from strengths, and a note says no.
    style : covariates that votes may follow besides strength, as `"length"` for the columns
        `length_a` and `length_b`. Strengths are then those of answers of equal style.
    judges : `"own"` gives each judge its own discrimination (0 one who answers at random, below 0
        one who prefers the weaker; their mean, each by its votes, is held at 1, which settles the
        unit of strengths), ties and order effect.
    items : `"own"` gives each item its own discrimination (mean 1) and ties and, where all votes
        are against one reference, its difficulty: how much harder it is to win there. Without a
        reference no difficulty can be told, it is the same for both sides.
    reference : the respondent that difficulties are about; found where it is in every vote.
    prior : spread of a normal prior of strengths, as 2.0; without it those who won or lost
        everything have no finite strength, and the status says so.
    errors : which votes may go together: none (`"independent"`), each by itself yet of unknown
        variance (`"votes"`), those on one `"item"`, of one `"judge"`, or both. `"auto"` goes by
        items and judges where there are 20 or more that repeat, and by votes where some are
        probabilities or have weights that are no counts.
    repeats : the same two on the same item before the same judge and sides: `"refuse"`, `"keep"`,
        or the `"first"` alone.
    pieces : votes that fall into pieces with none between them: `"refuse"`, or fit the `"largest"`.
    level : of intervals.
    significance : of ranks and tiers, all pairs together.
    on_failure : what to do with a fit that did not converge, or not to finite strengths.

    Examples
    --------
    >>> import itemcurve as ic
    >>> votes = ic.pairs.simulate_votes(respondents=5, votes=2000, seed=1)
    >>> fit = ic.fit_pairs(votes.frame())
    >>> fit.status.name, fit.frame()["respondent"].tolist()[0] == votes.best
    ('CONVERGED', True)
    """
    settings = PairSettings(
        *(ties, both_bad, order, as_names(style), judges, items, reference, prior, errors),
        *(pieces, level, significance, max_iterations),
    )
    if on_failure not in get_args(OnFailure):
        raise ModelError(
            f"on_failure must be one of {', '.join(get_args(OnFailure))};",
            f"given is {on_failure!r}.",
            "Leave it out.",
        )
    read = (
        votes
        if isinstance(votes, Votes)
        else read_votes(votes, style=settings.style, repeats=repeats)
    )
    found = fit_votes(read, settings, get_engine(engine))
    _tell(found, on_failure)
    return found


def fit_votes(
    votes: Votes, settings: PairSettings, engine: Engine, start: Floats | None = None
) -> PairFit:
    """Fit votes that are already read.

    Parameters
    ----------
    start : where the search begins, from a fit of the same parameters.
    """
    began = time.perf_counter()
    setup = prepare(_one_piece(votes, settings), settings, engine)
    first = _start(setup, settings.max_iterations) if start is None else start
    best, spreads = maximise_with_spreads(setup.problem, first, settings.max_iterations)
    endless = endless_effects(setup, best)
    if endless and settings.order == "auto" and ORDER in setup.problem.layout.slices:
        note = "The advantage of side a is left out: votes do not determine it."
        again = replace(votes, notes=(*votes.notes, note))
        return fit_votes(again, replace(settings, order=False), engine)
    _refuse_endless(endless)
    estimates = gather(setup, best, spreads)
    return PairFit(setup, settings, estimates, time.perf_counter() - began)


def _refuse_endless(names: list[str]) -> None:
    if names:
        raise ModelError(
            "Every effect needs votes that speak for it and votes that speak against it;",
            f"{' and '.join(names)} would rise without end: no vote contradicts.",
            'Leave it out (order=False, no such style, ties="half"), or collect more votes.',
        )


def _one_piece(votes: Votes, settings: PairSettings) -> Votes:
    pieces = find_pieces(votes)
    if settings.pieces == "refuse":
        refuse_pieces(votes, pieces)
    if pieces.max() == 0:
        return votes
    left = sorted(name for name, piece in zip(votes.respondents, pieces, strict=True) if piece)
    note = (
        f"{len(left)} respondents are left out, with no vote that links them to the others: "
        f"{', '.join(left[:5])}{' …' if len(left) > 5 else ''}."
    )
    return replace(votes.only(pieces == 0), notes=(*votes.notes, note))


def _start(setup: PairSetup, max_iterations: int) -> Floats:
    """Where all judges and items are alike, if they are not to be; else where all are."""
    problem, layout = setup.problem, setup.problem.layout
    alike = _alike(setup)
    own = [
        name for name in (*layout.slices, *layout.item_parts) if name.startswith(("judge", "item"))
    ]
    if not own:
        return alike
    precision = problem.precision.copy()
    for name in own:
        layout.block(precision, name)[:] = HELD
    return maximise(replace(problem, precision=precision), alike, max_iterations).point.theta


def _alike(setup: PairSetup) -> Floats:
    """All alike; ties as often as they are."""
    layout = setup.problem.layout
    theta = np.zeros(layout.size)
    for name in (JUDGE_SLOPE, ITEM_SLOPE):
        layout.block(theta, name)[:] = 1.0
    totals = setup.problem.rows.counts.sum(axis=0)
    if TIES in layout.slices:
        layout.block(theta, TIES)[:] = np.log(2 * totals[2] / (totals[0] + totals[1] + 1.0))
    return theta


def _tell(found: PairFit, on_failure: OnFailure) -> None:
    from itemcurve.pairs.pair_status import PairStatus

    status = found.status
    if status is PairStatus.CONVERGED or on_failure == "ignore":
        return
    names = found.unbounded
    who = f" ({', '.join(names[:5])}{' …' if len(names) > 5 else ''})" if names else ""
    if on_failure == "raise":
        raise ConvergenceError("The fit must converge.", f"It {status}{who}.", status.advice)
    warnings.warn(f"The fit {status}{who}. {status.advice}", ConvergenceWarning, stacklevel=3)

"""From votes and settings to the problem that is solved: rows, parameters, priors, clusters."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import ModelError, ResponsesError
from itemcurve.numerics.engine import Engine
from itemcurve.pairs.model.confounding import find_confounded, order_is_told
from itemcurve.pairs.model.pair_problem import PairProblem
from itemcurve.pairs.model.parameter_layout import (
    ITEM_DIFFICULTY,
    ITEM_SLOPE,
    ITEM_TIES,
    JUDGE_ORDER,
    JUDGE_SLOPE,
    JUDGE_TIES,
    ORDER,
    STRENGTH,
    STYLE,
    TIES,
    Layout,
)
from itemcurve.pairs.model.vote_errors import Clusters
from itemcurve.pairs.model.vote_predictors import Codings
from itemcurve.pairs.pair_settings import Errors, PairSettings
from itemcurve.pairs.votes.comparison_graph import Reach, find_reach
from itemcurve.pairs.votes.style_columns import standardise
from itemcurve.pairs.votes.vote_cells import number_cells
from itemcurve.pairs.votes.vote_data import BOTH_BAD, TIE, Floats, Votes
from itemcurve.pairs.votes.vote_rows import VoteRows, add_up

# Of parameters of single judges and items: spread before anything is known, in logits.
FIRST_SPREADS = {
    JUDGE_SLOPE: 1.0,
    JUDGE_TIES: 2.0,
    JUDGE_ORDER: 1.0,
    ITEM_SLOPE: 0.5,
    ITEM_TIES: 0.5,
    ITEM_DIFFICULTY: 0.5,
}
CENTRES = {JUDGE_SLOPE: 1.0, ITEM_SLOPE: 1.0}
# 1 / variance of what is held at its centre.
HELD = 1e8
# Pairs on an item below which its discrimination is anybody's guess.
_LEAST_PAIRS = 3
# Fewer clusters than these say too little of how votes go together.
_LEAST_CLUSTERS = 20


@dataclass(frozen=True, eq=False)
class PairSetup:
    """What is fitted.

    Attributes
    ----------
    votes : those that count.
    rows : of all respondents; those of the problem may be fewer.
    style_scales : unit of each covariate of style.
    reach : who has a finite strength; all of them with a prior.
    reference : the respondent that items are hard to beat for, if any.
    """

    votes: Votes
    rows: VoteRows
    style_scales: Floats
    reach: Reach
    problem: PairProblem
    clusters: Clusters | None
    reference: str | None
    notes: tuple[str, ...]


def prepare(votes: Votes, settings: PairSettings, engine: Engine) -> PairSetup:
    """Add votes up and lay out what is to be estimated."""
    votes = _counted(votes, settings)
    _check_parts(votes, settings)
    errors = choose_errors(votes, settings.errors)
    votes, scales = _scaled(votes)
    rows = add_up(
        votes,
        by_judge=settings.judges == "own" or "judge" in errors,
        by_item=settings.items == "own" or "item" in errors,
        singly=errors == "votes",
    )
    rows = _settle_ties(rows, settings)
    reach = _find_reach(rows, len(votes.respondents), settings)
    inside = rows if reach.is_whole else _inside(rows, reach.is_core)
    has_order, notes = _decide_order(inside, votes, int(reach.is_core.sum()), settings)
    reference, side = _reference_side(votes, inside, reach, settings)
    layout = _lay_out(votes, inside, reach, settings, (has_order, reference is not None))
    none = np.full(len(inside), -1)
    codings = Codings(
        inside.judge if settings.judges == "own" else none,
        inside.item if settings.items == "own" else none,
        side,
    )
    centre, precision = _priors(layout, settings)
    if JUDGE_ORDER in layout.slices:
        told = order_is_told(inside, int(reach.is_core.sum()), inside.judge, len(votes.judges))
        # Where a judge's own votes cannot tell, it has the advantage that all share.
        layout.block(precision, JUDGE_ORDER)[~told] = HELD
    judge_votes = np.bincount(inside.judge, inside.counts.sum(axis=1), max(len(votes.judges), 1))
    held = layout.constraints(judge_votes)
    problem = PairProblem(layout, inside, codings, centre, precision, held, engine)
    clusters = _cluster(inside, errors)
    return PairSetup(
        votes, rows, scales, reach, problem, clusters, reference, (*votes.notes, *notes)
    )


def choose_errors(votes: Votes, asked: Errors) -> Errors:
    """Say which votes may go together, where that is left open."""
    if asked != "auto":
        return asked
    count = len(votes)
    by_item = votes.item is not None and _LEAST_CLUSTERS <= len(votes.items) < 0.95 * count
    by_judge = votes.judge is not None and _LEAST_CLUSTERS <= len(votes.judges) < 0.95 * count
    if by_item:
        return "item and judge" if by_judge else "item"
    if by_judge:
        return "judge"
    is_whole = votes.weights is None or bool((votes.weights == np.round(votes.weights)).all())
    return "independent" if votes.shares is None and is_whole else "votes"


def _counted(votes: Votes, settings: PairSettings) -> Votes:
    """Leave out outcomes that are not to count."""
    dropped = np.zeros(len(votes), dtype=bool)
    if settings.both_bad == "drop":
        dropped |= votes.outcomes == BOTH_BAD
    if settings.ties == "drop":
        dropped |= (votes.outcomes == TIE) | (votes.outcomes == BOTH_BAD)
    if not dropped.any():
        return votes
    if dropped.all():
        raise ResponsesError(
            "Some vote must be left to count;", "all are ties.", 'Use ties="model".'
        )
    left = votes.take(~dropped)
    met = np.zeros(len(left.respondents), dtype=bool)
    met[left.first] = met[left.second] = True
    note = f"{dropped.sum():,} ties are left out."
    return replace(left.only(met), notes=(*votes.notes, note))


def _check_parts(votes: Votes, settings: PairSettings) -> None:
    """Refuse to tell apart what the votes do not name."""
    for part, own in (("judge", settings.judges), ("item", settings.items)):
        has = getattr(votes, part) is not None
        if (own == "own" or part in settings.errors) and not has:
            asked = f'{part}s="own"' if own == "own" else f"errors={settings.errors!r}"
            raise ModelError(
                f"{asked} needs a column `{part}`;", "the votes have none.", "Leave it out."
            )
    if settings.items == "own":
        _check_items(votes)
    if settings.judges == "own" and len(votes.judges) < 2:
        raise ModelError(
            'judges="own" needs 2 judges at least;', "all votes are of one.", "Leave it out."
        )


def _check_items(votes: Votes) -> None:
    """Refuse discriminations of items that have seen too few pairs to follow strengths or not."""
    assert votes.item is not None
    size = len(votes.respondents)
    low, high = np.minimum(votes.first, votes.second), np.maximum(votes.first, votes.second)
    _, firsts = number_cells((votes.item, low, high), (len(votes.items), size, size))
    pairs = np.bincount(votes.item[firsts], minlength=len(votes.items))
    if np.median(pairs) < _LEAST_PAIRS:
        raise ModelError(
            f'items="own" needs items on which {_LEAST_PAIRS} pairs of respondents or more met;',
            f"the typical item has {np.median(pairs):g}.",
            "Leave it out; errors allow for votes on one item going together all the same.",
        )


def _scaled(votes: Votes) -> tuple[Votes, Floats]:
    if votes.style is None:
        return votes, np.zeros(0)
    found = [
        standardise(column, name, votes.weights)
        for column, name in zip(votes.style.T, votes.style_names, strict=True)
    ]
    scaled = np.stack([column for column, _ in found], axis=1)
    return replace(votes, style=scaled), np.array([unit for _, unit in found])


def _settle_ties(rows: VoteRows, settings: PairSettings) -> VoteRows:
    if settings.ties != "half":
        return rows
    halves = rows.counts[:, 2:] / 2
    return replace(rows, counts=np.column_stack([rows.counts[:, :2] + halves, 0 * halves]))


def _find_reach(rows: VoteRows, size: int, settings: PairSettings) -> Reach:
    if settings.prior is not None:
        return Reach(np.ones(size, dtype=bool), np.zeros(size, dtype=np.int64))
    reach = find_reach(rows.first, rows.second, rows.counts, size)
    if reach.is_core.sum() < 2:
        raise ResponsesError(
            "Two respondents at least must both have won against each other, or tied, directly or "
            "through others;",
            "the votes put all in one order without exception, so that no strength is finite.",
            "Collect more votes, or hold strengths together with prior=2.0.",
        )
    return reach


def _inside(rows: VoteRows, is_core: NDArray[np.bool_]) -> VoteRows:
    codes = np.cumsum(is_core) - 1
    some = rows.take(is_core[rows.first] & is_core[rows.second])
    return replace(some, first=codes[some.first], second=codes[some.second])


def _decide_order(
    rows: VoteRows, votes: Votes, size: int, settings: PairSettings
) -> tuple[bool, tuple[str, ...]]:
    """Whether the advantage of side a is estimated; styles that cannot be told are refused."""
    is_confounded, styles = find_confounded(rows, size)
    if styles:
        raise ModelError(
            f"The style {votes.style_names[styles[0]]!r} must vary within pairs of respondents;",
            "strengths, or styles named before it, make the same difference in every vote.",
            "Leave it out.",
        )
    if settings.order is True and is_confounded:
        raise ModelError(
            "The advantage of side a can be told from strengths only where sides change;",
            "in these votes who is on side a says the same as who it is.",
            'Leave order out, or judge pairs in both orders (order="auto" finds out by itself).',
        )
    if settings.order != "auto" or not is_confounded:
        return settings.order is not False, ()
    note = (
        "The advantage of side a is left out: sides do not change enough to tell it from strengths."
    )
    return False, (note,)


def _reference_side(
    votes: Votes, rows: VoteRows, reach: Reach, settings: PairSettings
) -> tuple[str | None, Floats]:
    """Find the respondent that all meet, and the side it is on in each row."""
    none = np.zeros(len(rows))
    names = [name for name, is_in in zip(votes.respondents, reach.is_core, strict=True) if is_in]
    if settings.reference is not None and settings.reference not in names:
        raise ModelError(
            "reference must be a respondent of the votes with a finite strength;",
            f"{settings.reference!r} is none.",
            f"Use one of {', '.join(names[:5])}{' …' if len(names) > 5 else ''}.",
        )
    if settings.items != "own":
        return None, none
    wanted = names if settings.reference is None else [settings.reference]
    for name in wanted:
        code = names.index(name)
        side = (rows.first == code).astype(float) - (rows.second == code)
        if settings.reference is not None or bool((side != 0).all()):
            # Two respondents alone: there is nobody else to be harder for.
            return (name, side) if len(names) > 2 else (None, none)
    return None, none


def _lay_out(
    votes: Votes,
    rows: VoteRows,
    reach: Reach,
    settings: PairSettings,
    has: tuple[bool, bool],
) -> Layout:
    has_order, has_reference = has
    has_ties = bool(rows.counts[:, 2].sum() > 0)
    n_judges = len(votes.judges) if settings.judges == "own" else 0
    core = [
        (STRENGTH, int(reach.is_core.sum())),
        (TIES, int(has_ties)),
        (ORDER, int(has_order)),
        (STYLE, len(votes.style_names)),
        (JUDGE_SLOPE, n_judges),
        (JUDGE_TIES, n_judges * has_ties),
        (JUDGE_ORDER, n_judges * has_order),
    ]
    parts = (ITEM_SLOPE, *[ITEM_TIES] * has_ties, *[ITEM_DIFFICULTY] * has_reference)
    is_own = settings.items == "own"
    return Layout(
        tuple((name, size) for name, size in core if size),
        parts if is_own else (),
        len(votes.items) if is_own else 0,
    )


def _priors(layout: Layout, settings: PairSettings) -> tuple[Floats, Floats]:
    centre, precision = np.zeros(layout.size), np.zeros(layout.size)
    for name in (*layout.slices, *layout.item_parts):
        spread = settings.prior if name == STRENGTH else FIRST_SPREADS.get(name)
        layout.block(centre, name)[:] = CENTRES.get(name, 0.0)
        layout.block(precision, name)[:] = 0.0 if spread is None else spread**-2
    return centre, precision


def _cluster(rows: VoteRows, errors: Errors) -> Clusters | None:
    if errors == "independent":
        return None
    if errors == "votes":
        return Clusters((np.arange(len(rows)),), "vote")
    parts = [getattr(rows, part) for part in errors.split(" and ")]
    # Of those left inside, without gaps.
    codes = tuple(number_cells((part,), (int(part.max()) + 1,))[0] for part in parts)
    return Clusters(codes, errors)


def code_rows(setup: PairSetup, rows: VoteRows) -> Codings:
    """Say which judge, item and side of the reference rows of all respondents have."""
    none = np.full(len(rows), -1)
    layout = setup.problem.layout
    side = np.zeros(len(rows))
    if setup.reference is not None:
        code = setup.votes.respondents.index(setup.reference)
        side = (rows.first == code).astype(float) - (rows.second == code)
    return Codings(
        rows.judge if JUDGE_SLOPE in layout.slices else none,
        rows.item if layout.width else none,
        side,
    )

"""Tables of what else votes follow: order, ties, styles, judges, items."""

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import expit

from itemcurve.errors import ModelError
from itemcurve.pairs.model.davidson import NEVER, expected_share
from itemcurve.pairs.model.parameter_layout import (
    ITEM_SLOPE,
    JUDGE_ORDER,
    JUDGE_SLOPE,
    JUDGE_TIES,
    ORDER,
    STYLE,
    TIES,
)
from itemcurve.pairs.votes.vote_data import BOTH_BAD, TIE, Codes, Floats
from itemcurve.pairs.votes.vote_rows import count_outcomes

if TYPE_CHECKING:
    import pandas

    from itemcurve.pairs.pair_fit import PairFit


def effects_frame(fit: "PairFit") -> "pandas.DataFrame":
    """Give one row per effect that all votes share.

    Columns: effect, estimate, se, lower, upper (logits), share, share_lower, share_upper, unit. The
    share of `ties` is that of ties between equals; of `order`, of wins (ties half) of side a
    between equals; of a style, of wins between equals when a has one unit more of it.
    """
    import pandas

    reach = fit.reach(fit.settings.level)
    rows = []
    for name, place, label, unit in _listed(fit):
        estimate, error = fit.estimates.effect(name, place)
        ends = np.array([estimate, estimate - reach * error, estimate + reach * error])
        shares = _tie_shares(ends) if name == TIES else _win_shares(fit, ends)
        rows.append([label, estimate, error, *ends[1:], *shares, unit])
    columns = ["effect", "estimate", "se", "lower", "upper"]
    return pandas.DataFrame(rows, columns=[*columns, "share", "share_lower", "share_upper", "unit"])


def _listed(fit: "PairFit") -> list[tuple[str, int, str, float]]:
    slices = fit.estimates.layout.slices
    found = [(name, 0, name, np.nan) for name in (TIES, ORDER) if name in slices]
    names, scales = fit.setup.votes.style_names, fit.setup.style_scales
    found += [(STYLE, place, name, float(scales[place])) for place, name in enumerate(names)]
    return found


def _tie_shares(ends: Floats) -> list[float]:
    """Of ties between equals, e^τ / (2 + e^τ)."""
    return [float(share) for share in expit(ends - np.log(2))]


def _win_shares(fit: "PairFit", ends: Floats) -> list[float]:
    has_ties = TIES in fit.estimates.layout.slices
    tau = np.full(len(ends), fit.estimates.effect(TIES)[0] if has_ties else NEVER)
    # An error that is not known, of a fit that stopped early, gives ends that are not.
    with np.errstate(invalid="ignore"):
        return [float(share) for share in expected_share(ends, tau)[0]]


def judges_frame(fit: "PairFit") -> "pandas.DataFrame":
    """Give one row per judge.

    Columns: judge, votes, agreement (share of its decided votes that go to the stronger of the
    two), ties (share) and, where judges have parameters of their own, discrimination with se, lower
    and upper (1 the average judge, 0 at random), `order`, the advantage of side a before it in
    logits, with its se, and `ties_own`, how much more than the average judge it ties.
    """
    import pandas

    votes, level = fit.setup.votes, fit.settings.level
    if votes.judge is None:
        raise _absent("judge")
    count = len(votes.judges)
    table = {
        "judge": list(votes.judges),
        "votes": np.bincount(votes.judge, minlength=count),
        "agreement": _agreement(fit, votes.judge, count),
        "ties": _share(votes.judge, votes.outcomes >= TIE, count),
    }
    layout, theta = fit.estimates.layout, fit.estimates.theta
    if JUDGE_SLOPE in layout.slices:
        table |= _own(fit, JUDGE_SLOPE, "discrimination", level)
    if JUDGE_ORDER in layout.slices:
        table["order"] = fit.estimates.effect(ORDER)[0] + layout.block(theta, JUDGE_ORDER)
        table["order_se"] = _order_errors(fit, count)
    if JUDGE_TIES in layout.slices:
        table["ties_own"] = layout.block(theta, JUDGE_TIES)
    return pandas.DataFrame(table)


def items_frame(fit: "PairFit") -> "pandas.DataFrame":
    """Give one row per item.

    Columns: item, votes, ties and both_bad (shares) and, where items have parameters of their own,
    `discrimination` (mean 1), how far votes there follow strengths, `ties_own` and `difficulty`,
    how many logits harder it is to beat the reference there, each with se, lower and upper.
    """
    import pandas

    votes, level = fit.setup.votes, fit.settings.level
    if votes.item is None:
        raise _absent("item")
    count = len(votes.items)
    table = {
        "item": list(votes.items),
        "votes": np.bincount(votes.item, minlength=count),
        "ties": _share(votes.item, votes.outcomes >= TIE, count),
        "both_bad": _share(votes.item, votes.outcomes == BOTH_BAD, count),
    }
    for part in fit.estimates.layout.item_parts:
        name = part.removeprefix("item_")
        table |= _own(fit, part, "ties_own" if name == "ties" else name, level)
    return pandas.DataFrame(table)


def is_random_judge(table: "pandas.DataFrame") -> "pandas.Series":
    """Whether a judge's discrimination may be 0 or less, and is less than half the average's."""
    return (table["discrimination_lower"] <= 0) & (table["discrimination_upper"] < 0.5)


def has_own_items(fit: "PairFit") -> bool:
    """Whether items have parameters of their own."""
    return ITEM_SLOPE in fit.estimates.layout.item_parts


def _own(fit: "PairFit", part: str, name: str, level: float) -> dict[str, Floats]:
    values = fit.estimates.layout.block(fit.estimates.theta, part)
    errors = fit.estimates.errors_of(part)
    room = fit.reach(level) * errors
    return {
        name: values,
        f"{name}_se": errors,
        f"{name}_lower": values - room,
        f"{name}_upper": values + room,
    }


def _order_errors(fit: "PairFit", count: int) -> Floats:
    """Of the sum of what all judges share and what each has of its own."""
    layout, covariance = fit.estimates.layout, fit.estimates.core_covariance
    shared, own = layout.slices[ORDER].start, layout.slices[JUDGE_ORDER].start + np.arange(count)
    variances = covariance[shared, shared] + covariance[own, own] + 2 * covariance[shared, own]
    return np.sqrt(np.maximum(variances, 0.0))


def _agreement(fit: "PairFit", codes: Codes, count: int) -> Floats:
    votes = fit.setup.votes
    strengths = np.nan_to_num(fit.estimates.strengths, posinf=1e9, neginf=-1e9)
    gap = strengths[votes.first] - strengths[votes.second]
    counts, _ = count_outcomes(votes)
    agreed = np.where(gap > 0, counts[:, 0], np.where(gap < 0, counts[:, 1], 0.0))
    decided = np.where(gap == 0, 0.0, counts[:, :2].sum(axis=1))
    total = np.bincount(codes, decided, count)
    found = np.full(count, np.nan)
    return np.divide(np.bincount(codes, agreed, count), total, out=found, where=total > 0)


def _share(codes: Codes, holds: np.typing.NDArray[np.bool_], count: int) -> Floats:
    total = np.bincount(codes, minlength=count)
    found = np.full(count, np.nan)
    return np.divide(np.bincount(codes, holds, count), total, out=found, where=total > 0)


def _absent(part: str) -> ModelError:
    return ModelError(
        f"A table of {part}s needs votes with a column `{part}`;", "these have none.", "Add it."
    )

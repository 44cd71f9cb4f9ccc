"""What a fit of votes says, in sentences."""

from typing import TYPE_CHECKING, Any

import numpy as np

from itemcurve.pairs.model.parameter_layout import JUDGE_SLOPE, ORDER, TIES

if TYPE_CHECKING:
    import pandas

    from itemcurve.pairs.pair_fit import PairFit

_NAMED = 3


def summarise(fit: "PairFit") -> list[str]:
    """Give the sentences: what was voted, who is first, who ties, what else votes follow."""
    lines = [_say_votes(fit), _say_first(fit)]
    others = _say_others(fit)
    lines += [others] * bool(others)
    lines += [_say_effect(fit, row) for row in fit.effects().to_dict("records")]
    lines += [_say_errors(fit)]
    lines += _say_unbounded(fit)
    lines += list(fit.notes)
    if not fit.status.is_converged:
        lines.append(f"The fit {fit.status}. {fit.status.advice}")
    return lines + [f"{f.code} {f.title}: {f.message} {f.advice}" for f in fit.findings()]


def _say_votes(fit: "PairFit") -> str:
    rows = fit.setup.rows
    total = float(rows.counts.sum())
    ties, bad = float(rows.counts[:, 2].sum()), float(rows.both_bad.sum())
    parts = [f"{len(fit.respondents):,} respondents, {total:,.0f} votes"]
    if ties:
        own = f", {bad / total:.1%} both bad" if bad else ""
        parts.append(f"{ties / total:.1%} ties{own}")
    for name, count in (
        ("judges", len(fit.setup.votes.judges)),
        ("items", len(fit.setup.votes.items)),
    ):
        parts += [f"{count:,} {name}"] * (count > 1)
    return "; ".join(parts) + "."


def _say_first(fit: "PairFit") -> str:
    first = fit.frame().iloc[0]
    if not np.isfinite(first["strength"]):
        return (
            f"{first['respondent']} is first: it won all its {first['votes']:,.0f} votes, so that "
            f"its strength is only known to be above {first['lower']:.2f}."
        )
    return (
        f"{first['respondent']} is first, with strength {first['strength']:.2f} "
        f"({fit.settings.level:.0%} interval {first['lower']:.2f} to {first['upper']:.2f}): it "
        f"would win {first['expected_win_rate']:.1%} against all others alike; of its own votes it "
        f"won {first['win_rate']:.1%}."
    )


def _say_others(fit: "PairFit") -> str:
    """Who may be first as well, and whether win rates give another order."""
    board = fit.board
    also = [
        name for name, best in zip(board.respondents, board.best_rank, strict=True) if best == 1
    ]
    said = "It is told apart from everybody else."
    if len(also) > 1:
        more = len(also) - 1 - _NAMED
        named = ", ".join(also[1 : 1 + _NAMED])
        said = f"May be the best as well: {named}{f' and {more} more' if more > 0 else ''}."
    leader = board.respondents[int(np.argmax(board.win_rate))]
    if leader != board.respondents[0]:
        rate = board.win_rate.max()
        said += f" The highest plain win rate has {leader} ({rate:.1%}), by the opponents it met."
    return said


def _say_effect(fit: "PairFit", row: dict[Any, Any]) -> str:
    name, share = str(row["effect"]), f"{row['share']:.1%}"
    ends = (
        f"({fit.settings.level:.0%} interval {row['share_lower']:.1%} to {row['share_upper']:.1%})"
    )
    is_clear = row["lower"] > 0 or row["upper"] < 0
    if name == TIES:
        return f"Equals tie in {share} of votes {ends}."
    if name == ORDER:
        said = f"Side a wins {share} between equals {ends}"
        return said + (": votes follow the order too." if is_clear else ", which may be chance.")
    said = f"Between equals, one unit ({row['unit']:.3g}) more {name} wins {share} {ends}"
    return said + ("." if is_clear else ", which may be chance.")


def _say_errors(fit: "PairFit") -> str:
    clusters = fit.setup.clusters
    own = ""
    if JUDGE_SLOPE in fit.estimates.layout.slices:
        own = " Judges have discriminations of their own: see .judges()."
    if clusters is None:
        return "Errors take votes as independent." + own
    if clusters.name == "vote":
        return "Errors go by single votes, whatever their variance." + own
    return f"Errors let votes of the same {clusters.name} go together ({clusters.count:,})." + own


def _say_unbounded(fit: "PairFit") -> list[str]:
    names = fit.unbounded
    if not names:
        return []
    table: pandas.DataFrame = fit.frame().set_index("respondent")
    parts = []
    for name in names[:_NAMED]:
        row = table.loc[name]
        strength = row["strength"]
        end = f"above {row['lower']:.2f}" if strength > 0 else f"below {row['upper']:.2f}"
        parts.append(
            f"{name} ({end if np.isfinite(strength) or strength == strength else 'unknown'})"
        )
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return [f"No finite strength: {', '.join(parts)}{more}."]

"""Findings about votes: what to know before trusting an order made of them."""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.analysis.findings.all_findings import Findings
from itemcurve.analysis.findings.data_findings import count, has
from itemcurve.analysis.findings.finding_kinds import Finding
from itemcurve.analysis.respondents.paired_differences import adjust_p_values
from itemcurve.pairs.model.parameter_layout import JUDGE_SLOPE, ORDER
from itemcurve.pairs.pair_effects import is_random_judge

if TYPE_CHECKING:
    from itemcurve.pairs.pair_fit import PairFit

# Votes below which the interval of a strength covers a win rate from a third to two thirds.
_FEW_VOTES = 30
_FALSE_SHARE = 0.05


def find_in_pairs(fit: "PairFit") -> Findings:
    """Run all checks, by code."""
    checks = (
        *(_find_few_votes, _find_order, _find_style, _find_judges),
        *(_find_unbounded, _find_misfit),
    )
    found = [check(fit) for check in checks]
    return Findings(tuple(finding for finding in found if finding is not None))


def _find_few_votes(fit: "PairFit") -> Finding | None:
    table = fit.frame()
    few = table[table["votes"] < _FEW_VOTES].sort_values("votes", kind="stable")
    if few.empty:
        return None
    least = few.iloc[0]
    return Finding(
        "IRT030",
        "warning",
        f"{count(len(few), 'respondent')} {has(len(few))} fewer than {_FEW_VOTES} votes, "
        f"{least['respondent']!r} {least['votes']:,.0f}.",
        "Read their intervals, not their ranks, and collect votes for them first.",
        tuple(few["respondent"]),
    )


def _find_order(fit: "PairFit") -> Finding | None:
    """An advantage of a side beyond chance."""
    if ORDER not in fit.estimates.layout.slices:
        return None
    row = fit.effects().set_index("effect").loc[ORDER]
    if row["lower"] <= 0 <= row["upper"]:
        return None
    side, share = ("a", row["share"]) if row["estimate"] > 0 else ("b", 1 - row["share"])
    return Finding(
        "IRT031",
        "note",
        f"Votes follow the order of the sides: side {side} wins {share:.1%} between equals.",
        "Strengths allow for it; plain win rates do not. Judge every pair in both orders.",
    )


def _find_style(fit: "PairFit") -> Finding | None:
    """Respondents whose rank at equal style is none that they might have had otherwise."""
    if not fit.settings.style:
        return None
    from itemcurve.pairs.pair_fitting import fit_votes

    votes = replace(fit.setup.votes, style=None, style_names=(), notes=())
    plain = fit_votes(votes, replace(fit.settings, style=()), fit.setup.problem.engine)
    former = plain.frame().set_index("respondent").loc[list(fit.board.respondents)]
    ranks = np.arange(1, len(former) + 1)
    is_moved = (ranks < former["best_rank"]) | (ranks > former["worst_rank"])
    moves = np.abs(former["rank"] - ranks)[is_moved].sort_values(ascending=False, kind="stable")
    if moves.empty:
        return None
    moved, names = [str(name) for name in moves.index], " and ".join(fit.settings.style)
    most = moved[0]
    before = plain.board.respondents.index(most) + 1
    now = fit.board.respondents.index(most) + 1
    return Finding(
        "IRT032",
        "note",
        f"At equal {names} {count(len(moved), 'respondent')} {has(len(moved))} a rank that chance "
        f"alone would not give, most of all {most!r}: {before} before, {now} "
        "now.",
        f"Say which order is meant: with what {names} brings, or without.",
        tuple(moved),
    )


def _find_judges(fit: "PairFit") -> Finding | None:
    """Judges whose votes do not follow strengths."""
    if JUDGE_SLOPE not in fit.estimates.layout.slices:
        return None
    table = fit.judges()
    random = table[is_random_judge(table)].sort_values("discrimination", kind="stable")
    if random.empty:
        return None
    names = tuple(random["judge"])
    return Finding(
        "IRT033",
        "warning",
        f"{count(len(random), 'judge')} of {len(table):,} {has(len(random))} votes that do not "
        f"follow strengths (discrimination near 0, or below): {', '.join(names[:3])}"
        f"{' …' if len(names) > 3 else ''}.",
        "They count for little where judges have discriminations of their own; leave them out, and "
        "look at what they were asked.",
        names,
    )


def _find_unbounded(fit: "PairFit") -> Finding | None:
    names = fit.unbounded
    if not names:
        return None
    return Finding(
        "IRT034",
        "warning",
        f"{count(len(names), 'respondent')} won or lost everything and {has(len(names))} no finite "
        "strength.",
        "Collect votes against nearer opponents, or hold strengths together with prior=2.0.",
        names,
    )


def _find_misfit(fit: "PairFit") -> Finding | None:
    """Pairs that one strength each does not explain: a beats b beats c beats a."""
    if fit.setup.clusters is not None:
        # The variance of votes that go together is not that of independent ones.
        return None
    from scipy.special import ndtr

    rows, moments = fit.setup.problem.rows, fit.setup.problem.at(fit.estimates.theta).moments
    size = int(fit.setup.reach.is_core.sum())
    low, high = np.minimum(rows.first, rows.second), np.maximum(rows.first, rows.second)
    signs = np.where(rows.first == low, 1.0, -1.0)
    cells = low * size + high
    residual = np.bincount(cells, signs * moments.eta_residual, size * size)
    variance = np.bincount(cells, moments.eta_variance, size * size)
    met = np.flatnonzero(variance > 1.0)
    if not len(met):
        return None
    p_values = 2 * ndtr(-np.abs(residual[met]) / np.sqrt(variance[met]))
    odd = met[adjust_p_values(p_values, "false-discovery") < _FALSE_SHARE]
    if not len(odd):
        return None
    inside = [n for n, is_in in zip(fit.respondents, fit.setup.reach.is_core, strict=True) if is_in]
    worst = odd[np.argmax(np.abs(residual[odd]) / np.sqrt(variance[odd]))]
    a, b = inside[worst // size], inside[worst % size]
    better, other = (a, b) if residual[worst] > 0 else (b, a)
    return Finding(
        "IRT035",
        "note",
        f"{count(len(odd), 'pair')} of {len(met):,} {has(len(odd))} votes that one strength each "
        f"does not explain: {better!r} does better against {other!r} than its strength says.",
        "Look at what such pairs are asked; one order of all hides what each is good at.",
        tuple(f"{inside[c // size]} / {inside[c % size]}" for c in odd[:50]),
    )

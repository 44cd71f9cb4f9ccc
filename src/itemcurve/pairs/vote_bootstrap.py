"""A check of the errors: votes drawn again, and fitted again."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.errors import ModelError
from itemcurve.pairs.model.newton_search import maximise
from itemcurve.pairs.model.pair_problem import PairProblem
from itemcurve.pairs.model.parameter_layout import STRENGTH
from itemcurve.pairs.votes.comparison_graph import find_reach
from itemcurve.pairs.votes.vote_data import Floats
from itemcurve.pairs.votes.vote_rows import VoteRows
from itemcurve.storage.tables import tabulate

if TYPE_CHECKING:
    import pandas

    from itemcurve.pairs.pair_fit import PairFit


@dataclass(frozen=True, eq=False)
class VoteBootstrap:
    """Strengths of respondents with finite ones, over votes drawn again.

    Attributes
    ----------
    strength, strength_se : of the fit.
    bootstrap_se, lower, upper : spread over draws, and the interval between their quantiles.
    n_left_out : draws in which somebody won or lost everything, which have no finite strengths.
    """

    respondents: tuple[str, ...]
    strength: Floats
    strength_se: Floats
    bootstrap_se: Floats
    lower: Floats
    upper: Floats
    draws: Floats
    n_left_out: int

    def frame(self) -> "pandas.DataFrame":
        """One row per respondent, the best first."""
        columns = ("strength", "strength_se", "bootstrap_se", "lower", "upper")
        return tabulate(self, *columns, respondent=self.respondents)


def bootstrap_votes(fit: "PairFit", draws: int, seed: int) -> VoteBootstrap:
    """Draw votes with replacement, clusters of them where errors go by one kind, and fit again.

    What items have of their own keeps its spread.
    """
    if draws < 2:
        raise ModelError("A bootstrap needs 2 draws at least;", f"given is {draws}.", "Use 200.")
    random = np.random.default_rng(seed)
    problem = fit.setup.problem
    theta = fit.estimates.theta
    size = dict(problem.layout.core)[STRENGTH]
    found = []
    for _ in range(draws):
        rows = _draw(fit, random)
        if fit.settings.prior is None:
            reach = find_reach(rows.first, rows.second, rows.counts, size)
            if not reach.is_whole:
                continue
        again: PairProblem = replace(problem, rows=rows)
        best = maximise(again, theta, fit.settings.max_iterations)
        found.append(problem.layout.block(best.point.theta, STRENGTH))
    if len(found) < 2:
        raise ModelError(
            "A bootstrap needs draws in which nobody won or lost everything;",
            f"{len(found)} of {draws} are such.",
            "Collect more votes, or use prior=2.0.",
        )
    return _gather(fit, np.array(found), draws - len(found))


def _draw(fit: "PairFit", random: np.random.Generator) -> VoteRows:
    """Give rows with new counts."""
    rows, clusters = fit.setup.problem.rows, fit.setup.clusters
    if clusters is not None:
        codes = clusters.codes[0]
        count = int(codes.max()) + 1
        times = random.multinomial(count, np.full(count, 1 / count)).astype(float)
        return rows.weighted(times[codes])
    total = rows.counts.sum()
    flat = rows.counts.ravel() / total
    drawn = random.multinomial(round(total), flat).astype(float)
    return replace(rows, counts=drawn.reshape(rows.counts.shape))


def _gather(fit: "PairFit", draws: Floats, n_left_out: int) -> VoteBootstrap:
    is_core = fit.setup.reach.is_core
    strengths, errors = fit.estimates.strengths[is_core], fit.strength_errors[is_core]
    names = [name for name, is_in in zip(fit.respondents, is_core, strict=True) if is_in]
    order = np.argsort(-strengths, kind="stable")
    tail = (1 - fit.settings.level) / 2
    lower, upper = np.quantile(draws, [tail, 1 - tail], axis=0)
    return VoteBootstrap(
        tuple(names[place] for place in order),
        strengths[order],
        errors[order],
        draws.std(axis=0, ddof=1)[order],
        lower[order],
        upper[order],
        draws[:, order],
        n_left_out,
    )

"""Does noise move abilities less than it moves errors? (Moraes et al., figure 9)."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

import numpy as np

from itemcurve.bank.ability_estimation import score
from itemcurve.errors import EvaluationError
from itemcurve.evaluation.evaluation_result import Evaluation
from itemcurve.evaluation.grading.assembly import grade
from itemcurve.evaluation.noise.ability_loss import check_levels, metric_of
from itemcurve.evaluation.noise.noise_sweep import NoiseSweep
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import PerRespondent, axes

if TYPE_CHECKING:
    import pandas

Changes = Annotated[Array, axes("levels respondents")]
Values = Annotated[Array, axes("levels 2 respondents")]
"""Ability and error of every respondent."""


@dataclass(frozen=True, eq=False)
class AbilityVariation:
    """Changes from the level without noise, in per cent of the value there.

    Attributes
    ----------
    levels : amounts of noise above 0.
    respondents : who was evaluated.
    measure : of error: `mae` of numbers, `error_rate` of classes.
    ability, error : absolute changes of the means over repeats (levels × respondents). Abilities
        are taken in (0, 1), as the paper has them: those of models on an unbounded scale by the
        logistic function.
    difference, p_value : mean of ability minus error over all levels and respondents, and p of the
        paper's paired t-test, whose pairs are levels and respondents.
    p_respondents : p of the same test with one pair per respondent: levels are no independent data.
    left_out : whose ability or error is 0 without noise: of 0 nothing has a percentage.
    ability_at, error_at : the means themselves, the first row without noise (levels + 1 ×
        respondents): the percentages have no sign.
    """

    levels: tuple[float, ...]
    respondents: tuple[str, ...]
    measure: str
    ability: Changes
    error: Changes
    difference: float
    p_value: float
    p_respondents: float
    left_out: tuple[str, ...] = ()
    ability_at: Changes = field(default_factory=lambda: np.zeros((1, 0)))
    error_at: Changes = field(default_factory=lambda: np.zeros((1, 0)))

    def frame(self) -> "pandas.DataFrame":
        """One row per level and respondent; below 0 where ability changes less than error."""
        import pandas

        level, who = np.indices(self.ability.shape).reshape(2, -1)
        gap = self.ability - self.error
        return pandas.DataFrame(
            {
                "noise": np.array(self.levels)[level],
                "respondent": np.array(self.respondents, dtype=object)[who],
                "ability": self.ability_at[1:].ravel(),
                self.measure: self.error_at[1:].ravel(),
                "ability_change": self.ability.ravel(),
                f"{self.measure}_change": self.error.ravel(),
                "difference": gap.ravel(),
            }
        )

    def __repr__(self) -> str:
        return (
            f"AbilityVariation({len(self.respondents)} respondents, {len(self.levels)} levels, "
            f"ability − {self.measure} {self.difference:+.1f} points, p {self.p_value:.2g})"
        )


def compare_variation(sweep: NoiseSweep) -> AbilityVariation:
    """Set the change of abilities along a sweep beside that of errors.

    Examples
    --------
    >>> import itemcurve as ic
    >>> from sklearn.datasets import make_moons
    >>> X, y = make_moons(120, noise=0.3, random_state=0)
    >>> data = X[:60], y[:60], X[60:], y[60:]
    >>> sweep = ic.noise.noise_sweep(ic.pools.random_pool(4), *data, levels=(0, 0.1, 0.2))
    >>> compare_variation(sweep).measure
    'error_rate'
    """
    levels = check_levels(sweep)
    first = sweep.steps[0].evaluation
    board = first.leaderboard().frame()
    # References such as the best answer of all have no place on it.
    ranked = set(board["respondent"]) - set(sweep.failures)
    respondents = tuple(name for name in first.responses.respondents if name in ranked)
    measure = "mae" if "mae" in board else "error_rate"
    means = np.array([_mean_values(sweep, level, respondents, measure) for level in levels])
    has_values = (means[0] != 0).all(axis=0)
    _check_any(has_values, measure)
    means_at = means[:, :, has_values]
    ability, error = np.moveaxis(_percent(means_at), 1, 0)
    names = np.array(respondents, dtype=object)
    gap = ability - error
    return AbilityVariation(
        levels[1:],
        tuple(names[has_values]),
        measure,
        ability,
        error,
        float(gap.mean()),
        _paired_p(gap.ravel()),
        _paired_p(gap.mean(axis=0)),
        tuple(names[~has_values]),
        means_at[:, 0],
        means_at[:, 1],
    )


def _mean_values(
    sweep: NoiseSweep, level: float, respondents: tuple[str, ...], measure: str
) -> tuple[PerRespondent, PerRespondent]:
    """Abilities in (0, 1) and errors at a level, means over repeats."""
    found = [
        _values(step.evaluation, respondents, measure)
        for step in sweep.steps
        if step.level == level
    ]
    ability, error = np.mean(found, axis=0)
    return ability, error


def _values(
    evaluation: Evaluation, respondents: tuple[str, ...], measure: str
) -> tuple[PerRespondent, PerRespondent]:
    fit = evaluation.fit
    known = dict(zip(fit.responses.respondents, fit.estimates.abilities, strict=True))
    constant = [name for name in respondents if name not in known]
    if constant:
        # Who answers all items alike under noise is a reference there, which a model that was not
        # named is fitted without.
        everybody = grade(
            evaluation.predictions, evaluation.settings["response"], with_references=True
        )
        placed = score(fit.bank, everybody.select(respondents=constant))
        known |= dict(zip(placed.respondents, placed.ability, strict=True))
    logits = np.array([known[name] for name in respondents], dtype=np.float64)
    metric = metric_of(evaluation, respondents)
    # The logistic function, without overflow at either end.
    return 0.5 * (1 + np.tanh(logits / 2)), metric if measure == "mae" else 1.0 - metric


def _check_any(has_values: Annotated[Array, axes("respondents")], measure: str) -> None:
    if not has_values.any():
        raise EvaluationError(
            "A change in per cent needs a value other than 0 without noise;",
            f"ability or {measure} of every respondent is 0 there.",
            "Take more test rows, or other respondents.",
        )


def _percent(values: Values) -> Values:
    """Changes from the first level."""
    return np.asarray(100 * np.abs(values[1:] - values[0]) / np.abs(values[0]))


def _paired_p(gaps: Array) -> float:
    from scipy.stats import ttest_1samp

    return float(ttest_1samp(gaps, 0.0).pvalue) if len(gaps) > 1 else float("nan")

"""What noise takes from every model: of its ability, its skill and a plain metric, on one scale."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.metrics.usual_metrics import measure_classes, measure_numbers
from itemcurve.analysis.predictions import Predictions
from itemcurve.errors import EvaluationError
from itemcurve.estimation.fit import fit
from itemcurve.estimation.result import FitResult
from itemcurve.evaluation.evaluation_result import Evaluation
from itemcurve.evaluation.grading.assembly import grade
from itemcurve.evaluation.grading.grades import choose_response
from itemcurve.evaluation.noise.noise_sweep import NoiseSweep, NoisyEvaluation
from itemcurve.evaluation.noise.noisy_standings import NoisyStandings, find_noisy_standings
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import axes
from itemcurve.responses.matrix import Responses

if TYPE_CHECKING:
    import pandas

Values = Annotated[Array, axes("levels respondents")]
# Of intervals at 90 %.
_REACH = 1.645


@dataclass(frozen=True, eq=False)
class AbilityLoss:
    """Models without noise and with more and more of it; values are levels × respondents.

    Attributes
    ----------
    kind : of noise.
    levels : amounts of noise, the first 0.
    respondents : those ranked without noise, whatever they answer under it.
    measure : the plain metric: `accuracy` of classes, `mae` of numbers.
    plain, skill : means over repeats; skill is that of the leaderboard.
    ability, ability_se : every model at every level is a respondent of its own in one fit with one
        slope for all rows, so that all levels share a scale.
    standings : everybody beside constant answers, at every level.
    is_same : whether all answer alike at every level: noise in what they are judged by alone.
    failures : who is left out, and why.
    """

    kind: str
    levels: tuple[float, ...]
    respondents: tuple[str, ...]
    measure: Literal["accuracy", "mae"]
    plain: Values
    skill: Values
    ability: Values
    ability_se: Values
    standings: NoisyStandings
    is_same: bool
    fit: FitResult
    failures: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_ahead(self) -> NDArray[np.bool_]:
        """Who is clearly better than a constant answer without noise, and has that to lose."""
        return self.standings.is_ahead

    @cached_property
    def graded(self) -> Annotated[Array, axes("levels respondents items")]:
        """What skill is the mean of, on every item; mean over repeats."""
        shape = (*self.ability.shape, self.fit.responses.shape[1])
        graded = self.fit.responses.array().reshape(shape)
        return np.asarray(graded if self.measure == "accuracy" else 1 - graded)

    @cached_property
    def by_item(self) -> Annotated[Array, axes("levels respondents items")]:
        """Change of skill on every item, mean over repeats."""
        return np.asarray(self.graded - self.graded[0])

    def frame(self) -> "pandas.DataFrame":
        """One row per level and respondent; changes are signed, below 0 where something is lost.

        Only a mean absolute error that rises is a loss above 0. The interval of the change of skill
        (90 %) is over items, for these draws of noise. `beats_constant` is the share of draws in
        which a model is clearly better than the best constant answer, `one_class` the share of the
        rows that get the class it gives most often: near 1 it no longer looks at the row.
        """
        import pandas

        level, who = np.indices(self.ability.shape).reshape(2, -1)
        change, reach = self.skill_change()
        columns = {
            self.measure: self.plain,
            f"{self.measure}_change": self.plain - self.plain[0],
            "skill": self.skill,
            "skill_change": change,
            "skill_change_lower": change - reach,
            "skill_change_upper": change + reach,
            "ability": self.ability,
            "ability_se": self.ability_se,
            "ability_change": self.ability - self.ability[0],
            "beats_constant": self.standings.ahead,
            "one_class": self.standings.one_class,
        }
        if self.measure != "accuracy":
            del columns["one_class"]
        return pandas.DataFrame(
            {
                "noise": np.array(self.levels)[level],
                "respondent": np.array(self.respondents, dtype=object)[who],
                **{name: values.ravel() for name, values in columns.items()},
            }
        )

    def order(self) -> NDArray[np.intp]:
        """Places of the respondents: who keeps most ability at the strongest level comes first.

        Who has nothing to lose (`is_ahead`) comes last, by skill without noise.
        """
        lost = np.where(self.is_ahead, self.ability[0] - self.ability[-1], -self.skill[0])
        return np.lexsort((lost, ~self.is_ahead))

    def skill_change(self) -> tuple[Array, Array]:
        """Change of skill at every level, and half of its interval (90 %) over items."""
        reach = _REACH * self.by_item.std(axis=2, ddof=1) / np.sqrt(self.by_item.shape[2])
        return self.skill - self.skill[0], np.asarray(reach)

    def say(self) -> list[str]:
        """Say who keeps its ability best and worst, and what ability tells that errors do not."""
        from itemcurve.evaluation.noise.noise_words import say_loss

        return say_loss(self)

    def not_told_from(self, place: int) -> list[int]:
        """Places whose change of skill at the strongest level is not told from another's (90 %)."""
        gap = self.by_item[-1] - self.by_item[-1, place]
        error = gap.std(axis=1, ddof=1) / np.sqrt(gap.shape[1])
        is_near = np.abs(gap.mean(axis=1)) <= _REACH * error
        return [int(other) for other in np.flatnonzero(is_near) if other != place]

    def leaders(self) -> NDArray[np.intp]:
        """Place of the best at each level up to the first at which nobody beats a constant answer.

        Of those that do there, and without noise.
        """
        is_of_use = self.is_ahead & (self.standings.ahead > 0.5)
        count = int(np.logical_and.accumulate(is_of_use.any(axis=1)).sum())
        return np.asarray(np.where(is_of_use, self.skill, -np.inf).argmax(axis=1)[:count])

    def is_clearly_better(self, level: int, place: int, other: int) -> bool:
        """Whether one's skill at a level (by its place) is above another's by more than chance.

        At 90 %, over items.
        """
        gap = self.graded[level, place] - self.graded[level, other]
        return bool(gap.mean() > _REACH * gap.std(ddof=1) / np.sqrt(gap.size))

    def rank_correlation(self) -> float:
        """Spearman correlation of what is kept in ability and in the plain metric.

        Over those that have something to lose; NaN where all keep the same.
        """
        from scipy.stats import spearmanr

        ability, plain = (values[self.is_ahead] for values in self.kept())
        if np.ptp(ability) == 0 or np.ptp(plain) == 0:
            return float("nan")
        return float(spearmanr(ability, plain).statistic)

    def kept(self) -> tuple[Array, Array]:
        """Change of ability and of the plain metric at the strongest level, below 0 where lost."""
        side = 1 if self.measure == "accuracy" else -1
        return self.ability[-1] - self.ability[0], side * (self.plain[-1] - self.plain[0])

    def __repr__(self) -> str:
        return (
            f"AbilityLoss({self.kind}, {len(self.respondents)} respondents at "
            f"{', '.join(f'{level:g}' for level in self.levels)})"
        )


def measure_ability_loss(sweep: NoiseSweep) -> AbilityLoss:
    """Say what noise takes from every model: in ability, in skill and in accuracy or mean error.

    Answers are graded as the leaderboard grades them by default, by what models get right; how sure
    they are of it does not count.

    Examples
    --------
    >>> import itemcurve as ic
    >>> from sklearn.datasets import make_moons
    >>> X, y = make_moons(120, noise=0.3, random_state=0)
    >>> data = X[:60], y[:60], X[60:], y[60:]
    >>> settings = {"kind": "features", "levels": (0, 0.5)}
    >>> sweep = ic.noise.noise_sweep(ic.pools.random_pool(4), *data, **settings)
    >>> measure_ability_loss(sweep).measure
    'accuracy'
    """
    levels = check_levels(sweep)
    first = next(step.evaluation for step in sweep.steps if step.level == 0)
    names = _present(first, sweep.failures)
    count = len(names)
    measure: Literal["accuracy", "mae"] = "accuracy" if first.task == "classification" else "mae"
    parts = [_at_level(sweep.steps, level, names) for level in levels]
    graded = np.concatenate([part[0] for part in parts])
    ids = [f"{name} @ {level:g}" for level in levels for name in names]
    responses = Responses.from_array(graded, ids, first.responses.items)
    # One slope for all rows: a model at another level is no new evidence of how rows discriminate,
    # and who gets more right is then more able.
    model = "fractional-1pl" if measure == "accuracy" else "rasch-errors"
    fitted = fit(responses, model, on_failure="ignore")
    means = graded.mean(axis=1).reshape(len(levels), count)
    return AbilityLoss(
        kind=sweep.kind,
        levels=levels,
        respondents=names,
        measure=measure,
        plain=np.array([part[1] for part in parts]),
        skill=means if measure == "accuracy" else 1 - means,
        ability=np.asarray(fitted.estimates.abilities).reshape(len(levels), count),
        ability_se=np.asarray(fitted.estimates.ability_errors).reshape(len(levels), count),
        standings=find_noisy_standings(sweep, levels, names),
        is_same=_answer_alike(sweep.steps, names),
        fit=fitted,
        failures=sweep.failures,
    )


def _present(first: Evaluation, failures: Mapping[str, str]) -> tuple[str, ...]:
    """Name those that are ranked without noise and predict at every level, the best first."""
    names = tuple(name for name in first.leaderboard().respondents if name not in failures)
    if not names:
        raise EvaluationError(
            "Noise is measured on models that predict at every level;",
            f"all failed at some: {', '.join(failures)}.",
            "Take less noise, or other models.",
        )
    return names


def check_levels(sweep: NoiseSweep) -> tuple[float, ...]:
    """Give the levels from 0 up; raise unless there are one without noise and one with it."""
    levels = tuple(sorted({step.level for step in sweep.steps}))
    if levels[0] != 0 or len(levels) < 2:
        raise EvaluationError(
            "Changes are measured from a level without noise to at least one with it;",
            f"the levels are {', '.join(f'{level:g}' for level in levels)}.",
            "Give 0 and one more.",
        )
    return levels


def answers_of(evaluation: Evaluation, names: Iterable[str]) -> NDArray[np.floating]:
    """Give what these respondents answered, models and references alike."""
    everybody = evaluation.predictions
    rows = [everybody.respondents.index(name) for name in names]
    values = everybody.probabilities if isinstance(everybody, Predictions) else everybody.values
    return np.asarray(values[rows])


def metric_of(evaluation: Evaluation, names: Iterable[str]) -> NDArray[np.float64]:
    """Give accuracy or mean absolute error of these respondents.

    One whose answers no longer change under noise has left the leaderboard: it is a reference there
    and has its metric all the same.
    """
    everybody = evaluation.predictions
    rows = [everybody.respondents.index(name) for name in names]
    if isinstance(everybody, Predictions):
        return measure_classes(everybody)["accuracy"][rows]
    return measure_numbers(everybody)["mae"][rows]


def _at_level(
    steps: Iterable[NoisyEvaluation], level: float, names: tuple[str, ...]
) -> tuple[Array, NDArray[np.float64]]:
    """Graded answers (respondents × items) and metric, means over repeats."""
    own = [step.evaluation for step in steps if step.level == level]
    kind = choose_response(None, None, own[0].task)
    graded = []
    for evaluation in own:
        responses = grade(evaluation.predictions, kind, with_references=True)
        graded.append(responses.select(respondents=list(names)).array())
    plain = [metric_of(evaluation, names) for evaluation in own]
    return np.mean(graded, axis=0), np.asarray(np.mean(plain, axis=0))


def _answer_alike(steps: tuple[NoisyEvaluation, ...], names: tuple[str, ...]) -> bool:
    first = answers_of(steps[0].evaluation, names)
    return all(np.array_equal(answers_of(step.evaluation, names), first) for step in steps)

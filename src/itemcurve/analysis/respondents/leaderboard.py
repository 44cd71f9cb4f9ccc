"""Leaderboard: skill and ability with intervals beside the usual metrics, ranks and tiers."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.evaluated_fits import HasFit, fit_of
from itemcurve.analysis.labels.label_audit import LabelAudit, judge_labels
from itemcurve.analysis.metrics.likely_metrics import measure_likely
from itemcurve.analysis.metrics.usual_metrics import (
    measure_by_labels,
    measure_classes,
    measure_numbers,
)
from itemcurve.analysis.predictions import Forecasts, Predictions
from itemcurve.analysis.respondents.calibration_slopes import calibration_slopes, say_calibration
from itemcurve.analysis.respondents.standings import Standings, find_standings
from itemcurve.analysis.respondents.tiers import assign_tiers, assign_tiers_by_pairs
from itemcurve.errors import EvaluationError
from itemcurve.estimation.result import FitResult
from itemcurve.showing.html_cards import html_card
from itemcurve.showing.text_tables import text_table, wrapped

if TYPE_CHECKING:
    import pandas

Floats = NDArray[np.float64]
# Metrics of which less is better; negated before ranks are correlated.
LOSSES = ("brier", "log_loss", "mae", "rmse", "brier_likely", "log_loss_likely")


@dataclass(frozen=True, eq=False)
class Leaderboard:
    """Respondents ranked; arrays in the order of `respondents`, the best first.

    Attributes
    ----------
    ranked_by : `skill`, the share of right answers (or of the mean's error that is left out) with
        tiers from paired tests over the items; or `ability`, as the fit has it.
    skill : by column: `skill`, its interval, how far `behind_best` with its interval; empty where
        there are no predictions.
    abilities, errors, lower, upper : ability, standard error, and the interval at `level`.
    tiers : 1 for the best; `assign_tiers` has the rule.
    metrics : by name; losses as they are, smaller is better.
    mean_response : what a plain average says.
    references : constant answers and oracles on the same items, as rows of such a table without
        ranks; None without predictions.
    metrics_by_labels : accuracy, Brier score, log-loss and AUC with and without the suspect
        labels, one row per respondent; None where no labels were judged.
    calibration : how much surer each should be (`calibration_slopes`); None without classes.
    is_absolute : whether abilities are logits of a value in (0, 1), which the table then shows too.
    """

    respondents: tuple[str, ...]
    abilities: Floats
    errors: Floats
    lower: Floats
    upper: Floats
    tiers: NDArray[np.int64]
    metrics: dict[str, Floats]
    mean_response: Floats
    level: float
    significance: float
    is_absolute: bool = False
    ranked_by: Literal["skill", "ability"] = "ability"
    skill: "pandas.DataFrame | None" = None
    calibration: Floats | None = None
    references: "pandas.DataFrame | None" = None
    metrics_by_labels: "pandas.DataFrame | None" = None

    def frame(self, *, with_references: bool = False) -> "pandas.DataFrame":
        """One row per respondent, the best first.

        Parameters
        ----------
        with_references : whether references follow, with no rank and no tier.
        """
        import pandas

        skill: dict[Any, Any] = {} if self.skill is None else dict(self.skill.items())
        # θ of β³ and Γ; σ(ability), without overflow at either end.
        share = {"ability_01": 0.5 * (1 + np.tanh(self.abilities / 2))} if self.is_absolute else {}
        table = pandas.DataFrame(
            {
                "rank": np.arange(1, len(self.respondents) + 1),
                "respondent": self.respondents,
                "tier": self.tiers,
                **skill,
                "ability": self.abilities,
                "ability_se": self.errors,
                "ability_lower": self.lower,
                "ability_upper": self.upper,
                **share,
                **self.metrics,
                **self._calibration_columns(),
                "mean_response": self.mean_response,
            }
        )
        if with_references and self.references is not None:
            table["rank"] = table["rank"].astype("Int64")
            table["tier"] = table["tier"].astype("Int64")
            table = pandas.concat([table, self.references], ignore_index=True)
        return table

    def brief(self) -> "pandas.DataFrame":
        """Give what one reads first, as text: `brief_board` has the columns."""
        from itemcurve.analysis.respondents.brief_board import brief_board

        return brief_board(self)

    def correlations(self) -> "pandas.DataFrame":
        """Spearman correlations between skill, ability and metrics; losses negated.

        NaN where a metric is the same for all.
        """
        import pandas

        columns = {} if self.skill is None else {"skill": np.asarray(self.skill["skill"])}
        columns["ability"] = self.abilities
        for name, values in self.metrics.items():
            columns[name] = -values if name in LOSSES else values
        return pandas.DataFrame(columns).rank().corr()

    def _calibration_columns(self) -> dict[str, Any]:
        if self.calibration is None:
            return {}
        words = [say_calibration(slope) for slope in self.calibration]
        return {"calibration_slope": self.calibration, "calibration": words}

    def say(self) -> str:
        """Say who is first, and who cannot be told from it."""
        from itemcurve.analysis.respondents.order_words import say_best

        if self.skill is None:
            tied = int((self.tiers == 1).sum()) - 1
            others = f"with {tied} more in its tier" if tied else "alone in its tier"
            return f"{self.respondents[0]} is first by ability, {others}."
        return say_best(self.frame(with_references=True), self.ranked_by)

    def __str__(self) -> str:
        return f"{text_table(self.brief(), rows=40)}\n{wrapped(self.say())}"

    def _repr_html_(self) -> str:
        title = f"Leaderboard of {len(self.respondents):,} by {self.ranked_by}"
        return html_card(title, [self.say()], self.brief(), rows=30, more="All: .frame()")

    def __repr__(self) -> str:
        first, tied = self.respondents[0], int((self.tiers == 1).sum()) - 1
        others = f", with {tied} more in its tier" if tied else ", alone in its tier"
        skill = "" if self.skill is None else f" with skill {self.skill['skill'].iloc[0]:.3f}"
        return (
            f"Leaderboard({len(self.respondents)} respondents by {self.ranked_by}, "
            f"first {first!r}{skill}{others}; .frame() has the table)"
        )


def build_leaderboard(
    fit: FitResult | HasFit,
    predictions: Predictions | Forecasts | None = None,
    *,
    level: float = 0.9,
    significance: float = 0.05,
    ranked_by: Literal["skill", "ability"] | None = None,
    groups: Sequence[str] = (),
) -> Leaderboard:
    """Rank respondents.

    Parameters
    ----------
    fit : a fit, or an evaluation, which has predictions.
    predictions : of the respondents of the fit, and perhaps of references that were left out of
        it; they give skill and the usual metrics. Constant answers and oracles become references.
    level : of the intervals.
    significance : familywise error rate of the distinctions between tiers.
    ranked_by : `skill` with predictions and `ability` without, when left out.
    groups : the group of each item, where rows of one group go together; those of an evaluation
        when left out. Skill and its tiers then have the errors of groups drawn anew.

    Examples
    --------
    >>> import itemcurve as ic
    >>> truth = ic.simulate("2pl", respondents=40, items=30, seed=1)
    >>> build_leaderboard(ic.fit(truth.responses)).frame()["rank"].iloc[0].item()
    1
    """
    if predictions is None:
        # An evaluation has its own.
        predictions = getattr(fit, "predictions", None)
        groups = groups or getattr(fit, "groups", ()) if predictions is not None else ()
    _check_settings(level, significance, ranked_by, predictions)
    fit = fit_of(fit)
    if predictions is None:
        return _rank(fit, np.arange(fit.responses.shape[0]), None, level, significance, "ability")
    _check_respondents(fit, predictions)
    standings = find_standings(predictions, groups)
    kept = np.flatnonzero(~standings.is_reference)
    board = _rank(fit, kept, standings, level, significance, ranked_by or "skill")
    labels = None
    if isinstance(predictions, Predictions) and not predictions.trusts_labels:
        labels = judge_labels(predictions)
    return _with_metrics(board, standings, labels)


def _rank(
    fit: FitResult,
    kept: NDArray[np.intp],
    standings: Standings | None,
    level: float,
    significance: float,
    ranked_by: Literal["skill", "ability"],
) -> Leaderboard:
    """Order those kept (rows of the standings, or of the fit without any)."""
    from scipy.special import ndtri

    names = fit.responses.respondents if standings is None else standings.names
    places = {name: row for row, name in enumerate(fit.responses.respondents)}
    rows = np.array([places[names[row]] for row in kept])
    abilities = np.asarray(fit.estimates.abilities)[rows]
    errors = np.asarray(fit.estimates.ability_errors)[rows]
    if standings is not None and ranked_by == "skill":
        pairs = standings.pairs.take(kept)
        tiers = assign_tiers_by_pairs(pairs.means, pairs.adjusted_p_values(), significance)
        # Equal skill, as of two who chose alike throughout: by ability, then as given. What differs
        # by rounding alone is equal.
        order = np.lexsort((-abilities.round(9), -pairs.means.round(12)))
    else:
        tiers = assign_tiers(abilities, errors, significance)
        order = np.argsort(-abilities, kind="stable")
    reach = float(ndtri(0.5 + level / 2)) * errors
    return Leaderboard(
        respondents=tuple(names[row] for row in kept[order]),
        abilities=abilities[order],
        errors=errors[order],
        lower=(abilities - reach)[order],
        upper=(abilities + reach)[order],
        # In the new order a tier never rises again, whatever equals did.
        tiers=np.maximum.accumulate(tiers[order]),
        metrics={},
        mean_response=fit.responses.means(axis=1)[rows[order]],
        level=level,
        significance=significance,
        is_absolute=fit.estimates.model.latent.is_logit,
        ranked_by=ranked_by,
        skill=None if standings is None else _skill(standings, kept[order], kept, level),
    )


def _skill(
    standings: Standings, rows: NDArray[np.intp], ranked: NDArray[np.intp], level: float
) -> "pandas.DataFrame":
    """Skill with its interval, distance from the best of those ranked, and from a constant."""
    import pandas

    pairs = standings.pairs
    reach = pairs.reach(level)
    first = ranked[np.argmax(pairs.means[ranked])]
    behind = pairs.differences[first, rows]
    least = 0.0 if isinstance(standings.predictions, Predictions) else -np.inf
    own, shared = reach * pairs.own_errors[rows], reach * pairs.errors[first, rows]
    return pandas.DataFrame(
        {
            "skill": pairs.means[rows],
            "skill_lower": np.maximum(pairs.means[rows] - own, least),
            # Nobody is right more often than always, or errs by less than nothing.
            "skill_upper": np.minimum(pairs.means[rows] + own, 1.0),
            "behind_best": behind,
            "behind_best_lower": behind - shared,
            "behind_best_upper": behind + shared,
            "behind_best_p": _adjusted_p(standings, rows, ranked, int(first)),
            "against_constant": standings.against_floor()[rows],
        }
    )


def _adjusted_p(
    standings: Standings, rows: NDArray[np.intp], ranked: NDArray[np.intp], first: int
) -> Floats:
    """P-value of no distance from the best, Holm's over all pairs ranked; NaN of references."""
    adjusted = standings.pairs.take(ranked).adjusted_p_values()
    best = int(np.flatnonzero(ranked == first)[0])
    known = dict(zip(ranked.tolist(), adjusted[best].tolist(), strict=True))
    return np.array([known.get(int(row), np.nan) for row in rows])


def _with_metrics(
    board: Leaderboard, standings: Standings, labels: LabelAudit | None
) -> Leaderboard:
    """Put the metrics of everybody beside the ranks, and references apart."""
    import pandas

    everybody = standings.predictions
    places = {name: row for row, name in enumerate(standings.names)}
    rows = np.array([places[name] for name in board.respondents])
    more: dict[str, Any] = {}
    if isinstance(everybody, Forecasts):
        metrics = measure_numbers(everybody)
    else:
        # Labels are judged by those who predict: the reference that was added says nothing of them.
        noise = everybody.label_noise if labels is None else labels.noise
        soft = noise.soft_labels
        metrics = {**measure_classes(everybody), **measure_likely(everybody, soft)}
        more["calibration"] = calibration_slopes(everybody.probabilities, soft)[rows]
        if labels is not None:
            more["metrics_by_labels"] = measure_by_labels(everybody, rows, labels.is_suspect)
    apart = np.flatnonzero(standings.is_reference)
    apart = apart[np.argsort(-standings.pairs.means[apart], kind="stable")]
    parts = [
        pandas.DataFrame({"respondent": [standings.names[row] for row in apart]}),
        _skill(standings, apart, rows, board.level),
        pandas.DataFrame({name: values[apart] for name, values in metrics.items()}),
    ]
    own = {name: values[rows] for name, values in metrics.items()}
    return replace(board, metrics=own, references=pandas.concat(parts, axis=1), **more)


def _check_settings(
    level: float, significance: float, ranked_by: str | None, predictions: object
) -> None:
    if not 0 < level < 1 or not 0 < significance < 1:
        raise EvaluationError(
            "level and significance must lie between 0 and 1;",
            f"given are {level} and {significance}.",
            "Use 0.9 and 0.05 if unsure.",
        )
    if ranked_by not in (None, "skill", "ability") or (
        ranked_by == "skill" and predictions is None
    ):
        raise EvaluationError(
            "Respondents are ranked by 'ability', or by 'skill' where there are predictions;",
            f"given is {ranked_by!r}{'' if predictions is not None else ' without predictions'}.",
            "Leave it out if unsure.",
        )


def _check_respondents(fit: FitResult, predictions: Predictions | Forecasts) -> None:
    """All that are ranked must have an ability, and all that have one must have predicted."""
    known = set(fit.responses.respondents)
    ranked = {
        name
        for name, is_reference in zip(
            predictions.respondents, predictions.is_reference, strict=True
        )
        if not is_reference
    }
    if not ranked <= known <= set(predictions.respondents):
        raise EvaluationError(
            "Predictions must be those of the respondents of the fit;",
            "they are not.",
            "Use evaluation.leaderboard(), or select the same respondents.",
        )

"""Leaderboard: abilities with intervals beside the usual metrics, ranks and tiers."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.class_metrics import measure_classes
from itemcurve.analysis.number_metrics import measure_numbers
from itemcurve.analysis.predictions import Forecasts, Predictions
from itemcurve.analysis.tiers import assign_tiers
from itemcurve.errors import EvaluationError
from itemcurve.estimation.result import FitResult

if TYPE_CHECKING:
    import pandas

# Metrics of which less is better; negated before ranks are correlated.
LOSSES = ("brier", "log_loss", "mae", "rmse")


@dataclass(frozen=True, eq=False)
class Leaderboard:
    """Respondents ranked by ability; all arrays in the order of `respondents`, the best first.

    Attributes
    ----------
    abilities, errors, lower, upper : ability, standard error, and the interval at `level`.
    tiers : 1 for the best; `assign_tiers` has the rule.
    metrics : by name; losses as they are, smaller is better.
    mean_response : what a plain average says.
    is_absolute : whether abilities are logits of a value in (0, 1), which the table then shows too.
    """

    respondents: tuple[str, ...]
    abilities: NDArray[np.float64]
    errors: NDArray[np.float64]
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    tiers: NDArray[np.int64]
    metrics: dict[str, NDArray[np.float64]]
    mean_response: NDArray[np.float64]
    level: float
    significance: float
    is_absolute: bool = False

    def frame(self) -> "pandas.DataFrame":
        """One row per respondent, the most able first."""
        import pandas

        # θ of β³ and Γ; σ(ability), without overflow at either end.
        share = {"ability_01": 0.5 * (1 + np.tanh(self.abilities / 2))} if self.is_absolute else {}
        return pandas.DataFrame(
            {
                "rank": np.arange(1, len(self.respondents) + 1),
                "respondent": self.respondents,
                "ability": self.abilities,
                "ability_se": self.errors,
                "ability_lower": self.lower,
                "ability_upper": self.upper,
                **share,
                "tier": self.tiers,
                **self.metrics,
                "mean_response": self.mean_response,
            }
        )

    def correlations(self) -> "pandas.DataFrame":
        """Spearman correlations between ability and metrics; losses negated, so more is better.

        NaN where a metric is the same for all.
        """
        import pandas

        columns = {"ability": self.abilities}
        for name, values in self.metrics.items():
            columns[name] = -values if name in LOSSES else values
        return pandas.DataFrame(columns).rank().corr()

    def __repr__(self) -> str:
        return (
            f"Leaderboard({len(self.respondents)} respondents in {self.tiers.max()} tiers, "
            f"first {self.respondents[0]!r})"
        )


def build_leaderboard(
    fit: FitResult,
    predictions: Predictions | Forecasts | None = None,
    *,
    level: float = 0.9,
    significance: float = 0.05,
) -> Leaderboard:
    """Rank the respondents of a fit by ability.

    Parameters
    ----------
    predictions : of the same respondents, for the usual metrics; without them there are none.
    level : of the intervals of ability.
    significance : familywise error rate of the distinctions between tiers.

    Examples
    --------
    >>> import itemcurve as ic
    >>> truth = ic.simulate("2pl", respondents=40, items=30, seed=1)
    >>> build_leaderboard(ic.fit(truth.responses)).frame()["rank"].iloc[0].item()
    1
    """
    from scipy.special import ndtri

    if not 0 < level < 1 or not 0 < significance < 1:
        raise EvaluationError(
            "level and significance must lie between 0 and 1;",
            f"given are {level} and {significance}.",
            "Use 0.9 and 0.05 if unsure.",
        )
    order = np.argsort(-fit.estimates.abilities, kind="stable")
    abilities = np.asarray(fit.estimates.abilities)[order]
    errors = np.asarray(fit.estimates.ability_errors)[order]
    reach = float(ndtri(0.5 + level / 2)) * errors
    metrics = _metrics(fit, predictions)
    return Leaderboard(
        respondents=tuple(fit.responses.respondents[place] for place in order),
        abilities=abilities,
        errors=errors,
        lower=abilities - reach,
        upper=abilities + reach,
        tiers=assign_tiers(abilities, errors, significance),
        metrics={name: values[order] for name, values in metrics.items()},
        mean_response=fit.responses.means(axis=1)[order],
        level=level,
        significance=significance,
        is_absolute=fit.estimates.model.latent.is_absolute,
    )


def _metrics(
    fit: FitResult, predictions: Predictions | Forecasts | None
) -> dict[str, NDArray[np.float64]]:
    if predictions is None:
        return {}
    if predictions.respondents != fit.responses.respondents:
        raise EvaluationError(
            "Predictions must be those of the respondents of the fit, in the same order;",
            "they are not.",
            "Use study.leaderboard(), or select the same respondents.",
        )
    if isinstance(predictions, Forecasts):
        return measure_numbers(predictions)
    return measure_classes(predictions)

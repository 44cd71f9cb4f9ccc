"""What makes items hard, as tables for people: explanatory item response theory."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from itemcurve.errors import ResponsesError
from itemcurve.estimation.explanation.difficulty_likelihoods import difficulty_likelihoods
from itemcurve.estimation.explanation.feature_regression import Regression, regress
from itemcurve.estimation.groups.covariate_columns import Rows
from itemcurve.estimation.groups.covariate_table import Covariates, as_table, read_covariates
from itemcurve.estimation.result import FitResult
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import axes

if TYPE_CHECKING:
    import pandas

CONSTANT = "constant"
# Fewer items than terms and these leave the spread of what is unexplained open.
_LEAST_SPARE = 3
_ITEMS = Rows("item", "features")


@dataclass(frozen=True, eq=False)
class ItemExplanation:
    """Difficulty regressed on features of items, with a residual of each.

    Attributes
    ----------
    items : ids.
    features : as columns of numbers, centred and in units of their standard deviation.
    found : the regression on these.
    explained : share of the variance of difficulties that features explain, errors of estimation
        aside.
    """

    items: tuple[str, ...]
    features: Covariates
    found: Regression
    explained: float

    @property
    def residual_sd(self) -> float:
        """Standard deviation of difficulties around what features say."""
        return self.found.spread

    @property
    def degrees_of_freedom(self) -> int:
        """Items beyond the terms."""
        return len(self.items) - len(self.found.coefficients)

    @cached_property
    def coefficients(self) -> "pandas.DataFrame":
        """One row per term: what difficulty gains per unit of it, with its 95 % interval.

        The constant is the difficulty where all numbers are zero and all names the first.
        """
        import pandas
        from scipy.stats import t

        back = self._back
        estimate = back @ self.found.coefficients
        error = np.sqrt(np.diag(back @ self.found.covariance @ back.T))
        degrees = self.degrees_of_freedom
        reach = t.ppf(0.975, degrees) * error
        return pandas.DataFrame(
            {
                "term": (CONSTANT, *self.features.names),
                "estimate": estimate,
                "se": error,
                "lower": estimate - reach,
                "upper": estimate + reach,
                "p_value": 2 * t.sf(np.abs(estimate) / error, degrees),
            }
        )

    def frame(self) -> "pandas.DataFrame":
        """One row per item, the most surprising first.

        `expected` by its features, `difficulty` by features and responses together, `surprise`: how
        far the responses alone lie from what is expected, in standard errors.
        """
        import pandas

        own = self.found
        table = pandas.DataFrame(
            {
                "item": self.items,
                "expected": own.expected,
                "difficulty": own.expected + own.residual,
                "difficulty_se": own.residual_sd,
                "surprise": own.surprise,
            }
        )
        order = table["surprise"].abs().sort_values(ascending=False, kind="stable").index
        return table.loc[order].reset_index(drop=True)

    def predict(self, features: Any, level: float = 0.9) -> "pandas.DataFrame":
        """Difficulty of items that nobody has answered, with the interval in which each lies.

        Parameters
        ----------
        features : a table with the columns of the fit, one row per item.
        level : of the intervals.
        """
        import pandas
        from scipy.stats import t

        table = as_table(features, _ITEMS)
        names = table["item"] if "item" in table.columns else table.index
        design = np.column_stack([np.ones(len(table)), self.features.of(table, _ITEMS)])
        expected = design @ self.found.coefficients
        variance = np.einsum("jk,kl,jl->j", design, self.found.covariance, design)
        spread = np.sqrt(variance + self.found.spread**2)
        reach = t.ppf((1 + level) / 2, self.degrees_of_freedom) * spread
        return pandas.DataFrame(
            {
                "item": [str(name) for name in names],
                "difficulty": expected,
                "lower": expected - reach,
                "upper": expected + reach,
            }
        )

    @property
    def _back(self) -> Annotated[Array, axes("terms terms")]:
        """From terms that are centred and in their own unit to terms as they were given."""
        units, centres = self.features.units, self.features.centres
        found = np.diag(np.r_[1.0, 1.0 / units])
        found[0, 1:] = -centres / units
        return found

    def __str__(self) -> str:
        strong = self.coefficients.iloc[1:]
        strong = strong[strong["p_value"] < 0.05].sort_values("p_value")
        named = ", ".join(
            f"{row['term']} {row['estimate']:+.2g} ({row['lower']:+.2g} to {row['upper']:+.2g})"
            for row in strong.head(5).to_dict("records")
        )
        return (
            f"Features explain {self.explained:.0%} of the variance of {len(self.items)} items' "
            f"difficulties; ± {self.residual_sd:.2f} is left. "
            + (f"Per unit: {named}." if named else "No feature by itself is beyond doubt.")
        )


def explain_items(fit: FitResult, features: Any) -> ItemExplanation:
    """Regress difficulties on features of the items, each item known as well as responses tell.

    Parameters
    ----------
    features : a table with one row per item and a column for each feature, found by a column `item`
        or an index of their ids where there is one, else taken in order.
    """
    table = read_covariates(features, fit.responses.items, _ITEMS)
    spare = len(fit.responses.items) - len(table.names) - 1
    if spare < _LEAST_SPARE:
        raise ResponsesError(
            f"Explaining difficulties needs {_LEAST_SPARE} items more than terms.",
            f"Got {len(fit.responses.items)} items and {len(table.names) + 1} terms.",
            "Leave features out, or join rare levels of a name.",
        )
    known = difficulty_likelihoods(fit)
    ones = np.ones((len(fit.responses.items), 1))
    found = regress(known, np.column_stack([ones, table.values]))
    plain = regress(known, ones)
    explained = float(np.clip(1 - (found.spread / plain.spread) ** 2, 0.0, 1.0))
    return ItemExplanation(fit.responses.items, table, found, explained)

"""The fit of several abilities: data only, frozen, with tables for people."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from itemcurve.bank.shown_errors import shown_errors
from itemcurve.errors import ModelError
from itemcurve.estimation.dimensions.correlations.correlation_errors import as_matrix
from itemcurve.estimation.dimensions.correlations.second_order import (
    general_loadings,
    general_moments,
    loading_errors,
)
from itemcurve.estimation.dimensions.dimension_choice import DimensionChoice
from itemcurve.estimation.dimensions.loading_pattern import GENERAL, LoadingPattern
from itemcurve.estimation.dimensions.normal_sides import Normals, predictors
from itemcurve.estimation.dimensions.rotation import explained_variance, standard_loadings
from itemcurve.estimation.status import FitStatus
from itemcurve.models.contract import ItemModel
from itemcurve.models.free_coordinates import values_at
from itemcurve.models.likelihood import Likelihood
from itemcurve.numerics.engine import NUMPY, Array
from itemcurve.numerics.shapes import axes
from itemcurve.responses.matrix import Responses
from itemcurve.showing.html_cards import html_card

if TYPE_CHECKING:
    from pathlib import Path

    import pandas

    from itemcurve.estimation.prediction.cell_predictions import CellPredictions
    from itemcurve.estimation.prediction.plausible_values import PlausibleValues


@dataclass(frozen=True, eq=False, repr=False)
class DimensionsFit:
    """Several abilities of each respondent, and how items load on them.

    Attributes
    ----------
    responses : what was fitted.
    base : the model at slope one and intercept zero, as its predictor z = a·θ + e takes it.
    model : its name.
    pattern : which item loads on which ability.
    rotation : how explored axes were turned.
    item_points : slopes, intercept and own coordinates of each item; `item_covariance` of these.
    ability_points, ability_covariance : respondents × dimensions [× dimensions].
    correlation : of the abilities; `correlation_covariance` of those below the diagonal, where
        they were estimated.
    log_likelihood : marginal, at the estimates.
    objective, objective_value : what was maximised.
    n_parameters : how many numbers were estimated of items and correlations.
    status, iterations, seconds : how it ended.
    standard_errors : where they come from, in words.
    choice : how the number of abilities was chosen, where it was.
    """

    responses: Responses
    base: ItemModel
    model: str
    pattern: LoadingPattern
    rotation: str
    item_points: Annotated[Array, axes("items coordinates")]
    item_covariance: Annotated[Array, axes("items coordinates coordinates")]
    ability_points: Annotated[Array, axes("respondents dimensions")]
    ability_covariance: Annotated[Array, axes("respondents dimensions dimensions")]
    correlation: Annotated[Array, axes("dimensions dimensions")]
    log_likelihood: float
    objective: str
    objective_value: float
    n_parameters: int
    status: FitStatus
    iterations: int
    standard_errors: str
    seconds: float
    choice: DimensionChoice | None = None
    correlation_covariance: Annotated[Array, axes("pairs pairs")] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the abilities."""
        return self.pattern.names

    @property
    def slopes(self) -> Annotated[Array, axes("items dimensions")]:
        """Slopes of the items."""
        return self.item_points[:, : self.pattern.size]

    @property
    def aic(self) -> float:
        """Akaike's criterion, 2k − 2 log L."""
        return 2 * self.n_parameters - 2 * self.log_likelihood

    @property
    def bic(self) -> float:
        """Schwarz's criterion, k log n − 2 log L, n the number of respondents."""
        count = np.log(self.responses.shape[0])
        return float(self.n_parameters * count - 2 * self.log_likelihood)

    @cached_property
    def respondents(self) -> "pandas.DataFrame":
        """One row per respondent: each ability with its standard error, mean response."""
        import pandas

        errors = _errors(self.ability_covariance)
        columns: dict[str, Any] = {"respondent": self.responses.respondents}
        for place, name in enumerate(self.names):
            columns[name] = self.ability_points[:, place]
            columns[f"{name}_se"] = errors[:, place]
        if self.pattern.is_second_order:
            own = self.ability_points, self.ability_covariance
            columns[GENERAL], columns[f"{GENERAL}_se"] = general_moments(
                general_loadings(self.correlation), *own
            )
        columns["mean_response"] = self.responses.means(axis=1)
        columns["responses"] = self.responses.counts(axis=1)
        return pandas.DataFrame(columns)

    @cached_property
    def items(self) -> "pandas.DataFrame":
        """One row per item: slopes on each ability, intercept, own parameters, with errors."""
        import pandas

        size = self.pattern.size
        errors = _errors(self.item_covariance)
        columns: dict[str, Any] = {"item": self.responses.items}
        for place, name in enumerate((*(f"slope_{n}" for n in self.names), "intercept")):
            columns[name] = self.item_points[:, place]
            columns[f"{name}_se"] = errors[:, place]
        free = [spec for spec in self.base.parameters if spec.is_free]
        for place, spec in enumerate(free, start=size + 1):
            columns[spec.name] = spec.transform.value(NUMPY, self.item_points[:, place])
        columns["mean_response"] = self.responses.means(axis=0)
        columns["responses"] = self.responses.counts(axis=0)
        return pandas.DataFrame(columns)

    @cached_property
    def loadings(self) -> "pandas.DataFrame":
        """One row per item: standardised loadings as in factor analysis, and what they explain.

        `explained` is the share of the latent response's variance that the abilities explain.
        """
        import pandas

        found = standard_loadings(self.slopes, self.correlation)
        variance = explained_variance(self.slopes, self.correlation)
        columns: dict[str, Any] = {"item": self.responses.items}
        columns |= {name: found[:, place] for place, name in enumerate(self.names)}
        columns["explained"] = variance / (1 + variance)
        return pandas.DataFrame(columns)

    @cached_property
    def correlations(self) -> "pandas.DataFrame":
        """Correlations of the abilities."""
        import pandas

        return pandas.DataFrame(self.correlation, index=self.names, columns=self.names)

    @cached_property
    def correlation_errors(self) -> "pandas.DataFrame":
        """Their standard errors; zero where they are held, NaN where axes are turned."""
        import pandas

        size = self.pattern.size
        if self.correlation_covariance is not None:
            found = as_matrix(np.diag(self.correlation_covariance), size)
        else:
            found = np.full((size, size), np.nan if self.pattern.is_exploratory else 0.0)
        return pandas.DataFrame(shown_errors(found), index=self.names, columns=self.names)

    @cached_property
    def second_order(self) -> "pandas.DataFrame":
        """One row per ability: its loading on the general one above, and what that explains.

        Of fits with `general="above"`; standard errors from those of the correlations.
        """
        import pandas

        if not self.pattern.is_second_order:
            raise ModelError(
                "Loadings on a general ability above the others need a fit of second order.",
                f"This is {self.pattern.kind}.",
                'Fit with dimensions={…} and general="above".',
            )
        loadings = general_loadings(self.correlation)
        errors = np.full(len(loadings), np.nan)
        if self.correlation_covariance is not None and len(loadings) > 2:
            errors = loading_errors(loadings, self.correlation_covariance)
        columns = {"ability": self.names, "loading": loadings, "loading_se": shown_errors(errors)}
        return pandas.DataFrame({**columns, "explained": loadings**2})

    def expected_response(self, abilities: Array) -> Annotated[Array, axes("points items")]:
        """E[y] at these abilities (points × dimensions)."""
        points = np.atleast_2d(np.asarray(abilities, dtype=float))
        size = self.pattern.size
        predictor = points @ self.slopes.T + self.item_points[:, size]
        found = self._likelihood.expected_response(
            NUMPY, predictor.T[:, :, np.newaxis], self.base_values
        )
        return np.asarray(found).T

    def predict(
        self,
        respondents: Sequence[str] | None = None,
        items: Sequence[str] | None = None,
        *,
        level: float = 0.9,
        seed: int = 0,
    ) -> "CellPredictions":
        """What respondents would answer to items, also where they did not.

        Parameters
        ----------
        respondents, items : ids; all of them when left out.
        level : of the intervals.
        """
        from itemcurve.estimation.prediction.dimension_predictions import predict_by_dimensions

        return predict_by_dimensions(self, respondents, items, level, seed)

    @property
    def _likelihood(self) -> Likelihood:
        return Likelihood(self.base)

    @cached_property
    def base_values(self) -> Annotated[Array, axes("items parameters")]:
        """Parameters of the base model: own ones of each item, slope one, intercept zero."""
        held = np.stack([spec.held(len(self.item_points)) for spec in self.base.parameters], axis=1)
        own = self.item_points[:, self.pattern.size + 1 :]
        if not own.shape[1]:
            return held
        return values_at(NUMPY, self.base, own, held)

    def predictor_moments(self, rows: Array, columns: Array) -> tuple[Array, Array]:
        """Mean and variance of z of these respondents and items (items × respondents)."""
        items = Normals(self.item_points[columns], self.item_covariance[columns])
        people = Normals(self.ability_points[rows], self.ability_covariance[rows])
        return predictors(people, items.head(self.pattern.size + 1))

    def plausible_values(self, draws: int = 10, *, seed: int = 0) -> "PlausibleValues":
        """All abilities of each respondent, drawn together from what the responses leave possible.

        From normal posteriors, the doubt about the items included.
        """
        from itemcurve.estimation.prediction.ability_draws import draw_several

        return draw_several(self, draws, seed)

    def save(self, path: str | PathLike[str]) -> None:
        """Write a run folder that `itemcurve.load` reads back."""
        from itemcurve.estimation.dimensions.saved_dimensions_fit import save_dimensions_fit

        save_dimensions_fit(self, path)

    def report(self, path: str | PathLike[str]) -> "Path":
        """Write a self-contained HTML page that shows this fit; see `itemcurve.report`."""
        from itemcurve.dashboard.frozen_run import report

        return report(self, path)

    def plot(self, kind: str = "loadings", **settings: Any) -> Any:
        """Draw the fit: `"loadings"`, or `"ability_paths"`, the path from abilities to items.

        Parameters
        ----------
        settings : of that picture, as `ax`.
        """
        from itemcurve.plots.drawing.named_pictures import draw

        return draw(self, kind, **settings)

    def _repr_html_(self) -> str:
        said = f"{self.status}. Log-likelihood {self.log_likelihood:,.1f}, BIC {self.bic:,.1f}."
        title = "{}, {}: {:,} respondents × {:,} items, {} abilities".format(
            self.model, self.pattern.kind, *self.responses.shape, self.pattern.size
        )
        table = self.loadings.round(2)
        return html_card(
            title,
            [f"{said[0].upper()}{said[1:]}"],
            table,
            rows=12,
            more=".loadings, .items, .respondents, .correlations, .predict()",
        )

    def __repr__(self) -> str:
        n_respondents, n_items = self.responses.shape
        return (
            f"DimensionsFit({self.model}, {self.pattern.kind}, {self.pattern.size} abilities, "
            f"{n_respondents:,} respondents × {n_items:,} items, "
            f"log-likelihood {self.log_likelihood:,.3f}, {self.status})"
        )


def _errors(covariance: Array) -> Array:
    """Standard errors on the diagonals of many matrices, where they say something."""
    return shown_errors(np.sqrt(np.diagonal(covariance, axis1=1, axis2=2)))

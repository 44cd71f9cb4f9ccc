"""The fit of ratings: abilities, items and raters, frozen, with tables for people."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.estimation.raters.climb import Hill, Point, Tastes
from itemcurve.estimation.raters.likelihood.adaptive_nodes import no_effects
from itemcurve.estimation.raters.likelihood.rater_parameters import RaterValues
from itemcurve.estimation.raters.likelihood.rating_design import Numbers
from itemcurve.estimation.raters.rater_model import (
    build_hill,
    is_over_respondents,
    list_covariates,
)
from itemcurve.estimation.raters.rating_models import get_rating_model
from itemcurve.estimation.raters.settings import Raters
from itemcurve.estimation.status import FitStatus
from itemcurve.responses.ratings.rating_table import Ratings

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, eq=False, repr=False)
class RaterFit:
    """Abilities, items and raters from ratings, by marginal maximum likelihood.

    Attributes
    ----------
    ratings : what was fitted.
    settings : what was known and asked of the raters.
    extra : further covariates of each rating whose effects were estimated per rater.
    vector : all parameters.
    covariance : of all parameters.
    tastes : spread of what raters give to respondents, and to items, beyond the quality of the
        answers, in logits.
    status : how the fit ended.
    log_likelihood : marginal: items and answers integrated out.
    iterations, seconds : what it took.
    model, engine : names of the model, and of what computed it.
    """

    ratings: Ratings
    settings: Raters
    extra: Mapping[str, Numbers]
    vector: Numbers
    covariance: Numbers
    tastes: Tastes
    status: FitStatus
    log_likelihood: float
    iterations: int
    seconds: float
    model: str = "grm"
    engine: str = "numpy"

    @property
    def n_parameters(self) -> int:
        """Number of estimated parameters; tastes count by their spread only."""
        tastes = self.hill.is_taste
        return int(len(tastes) - tastes.sum() + tastes.any()) - 2

    @cached_property
    def covariates(self) -> dict[str, Numbers]:
        """What is known of each rating beside who, whose and what, by name."""
        return {**list_covariates(self.ratings, self.settings), **self.extra}

    @cached_property
    def hill(self) -> Hill:
        """The ratings as they were arranged, and what was free."""
        return build_hill(
            self.ratings, self.settings, self.covariates, get_rating_model(self.model)
        )

    @cached_property
    def point(self) -> Point:
        """Everything that follows from the parameters."""
        return self.hill.stand(self.vector, self.tastes, no_effects(self.hill.design))

    @property
    def values(self) -> RaterValues:
        """The parameters by name."""
        return self.hill.layout.read(self.vector)

    @property
    def is_over_respondents(self) -> bool:
        """Whether respondents were integrated out, being many, and items had parameters."""
        return is_over_respondents(self.ratings)

    def errors(self) -> RaterValues:
        """Standard errors of the parameters, by name; those of log spreads not exponentiated."""
        found = np.sqrt(np.maximum(np.diag(self.covariance), 0.0))
        return self.hill.layout.read(found)

    @cached_property
    def unit_levels(self) -> tuple[Numbers, Numbers]:
        """Posterior means and standard deviations of the levels of what was integrated out."""
        return _moments(self.point.posterior.unit, self.point.nodes.level)

    @cached_property
    def unit_slopes(self) -> tuple[Numbers, Numbers]:
        """The same of their slopes."""
        return _moments(self.point.posterior.unit, np.exp(self.point.nodes.log_slope))

    @cached_property
    def respondents(self) -> "pandas.DataFrame":
        """One row per respondent: ability, fair rating, mean rating.

        `ability` has mean 0 and variance 1 over the respondents. `fair_rating` is what the anchors
        (all raters where there are none) would give on average over all items.
        """
        from itemcurve.estimation.raters.rater_tables import tabulate_respondents

        return tabulate_respondents(self)

    @cached_property
    def items(self) -> "pandas.DataFrame":
        """One row per item: difficulty, discrimination, mean rating."""
        from itemcurve.estimation.raters.rater_tables import tabulate_items

        return tabulate_items(self)

    @cached_property
    def raters(self) -> "pandas.DataFrame":
        """One row per rater: severity, discrimination, consistency, use of the ends.

        `severity` is in points of the rating scale: how much lower the rater rates the same answers
        than the anchors, or than all raters together. `consistency` is the share of the variance of
        its ratings, on the latent scale, that follows the quality on which raters agree.
        """
        from itemcurve.estimation.raters.rater_tables import tabulate_raters

        return tabulate_raters(self)

    @cached_property
    def thresholds(self) -> "pandas.DataFrame":
        """One row per rater and grade above the lowest: where on its scale the grade begins."""
        from itemcurve.estimation.raters.rater_tables import tabulate_thresholds

        return tabulate_thresholds(self)

    @property
    def spreads(self) -> dict[str, float]:
        """Standard deviations of abilities, items, log slopes, answers and tastes."""
        from itemcurve.estimation.raters.rater_tables import list_spreads

        return list_spreads(self)

    def predict(self, ratings: object) -> "pandas.DataFrame":
        """Probabilities of all grades for ratings that were not seen.

        Parameters
        ----------
        ratings : a table or `Ratings` with respondents, items and raters of the fit. Their own
            ratings, where given, are not looked at; a table may have a column of zeros.

        Returns
        -------
        One row per rating, one column per grade.
        """
        from itemcurve.estimation.raters.rating_prediction import predict_grades

        return predict_grades(self, ratings)

    def save(self, path: str | PathLike[str]) -> None:
        """Write a run folder that `itemcurve.load` reads back."""
        from itemcurve.estimation.raters.saved_rater_fit import save_rater_fit

        save_rater_fit(self, path)

    def __repr__(self) -> str:
        return (
            f"RaterFit({self.model}, {len(self.ratings):,} ratings of "
            f"{len(self.ratings.respondents):,} respondents × {len(self.ratings.items):,} items by "
            f"{len(self.ratings.raters):,} raters, log-likelihood {self.log_likelihood:,.3f}, "
            f"{self.status})"
        )


def _moments(shares: Numbers, nodes: Numbers) -> tuple[Numbers, Numbers]:
    mean = (shares * nodes).sum(axis=1)
    square = (shares * nodes**2).sum(axis=1)
    return mean, np.sqrt(np.maximum(square - mean**2, 0.0))

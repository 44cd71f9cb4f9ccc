"""The fit of several populations: items, abilities, groups, covariates, as tables for people."""

from dataclasses import dataclass, replace
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.bank.item_bank import Bank
from itemcurve.bank.shown_errors import is_undetermined, shown_errors
from itemcurve.errors import ModelError
from itemcurve.estimation.densities.ability_density import AbilityDensity
from itemcurve.estimation.groups.covariate_table import Covariates
from itemcurve.estimation.groups.settings import GroupCodes
from itemcurve.estimation.groups.split_items import EVERYONE, SplitItems
from itemcurve.estimation.result import FitResult
from itemcurve.estimation.status import FitStatus
from itemcurve.numerics.engine import Array

if TYPE_CHECKING:
    from pathlib import Path

    import pandas

    from itemcurve.estimation.prediction.plausible_values import PlausibleValues


@dataclass(frozen=True, eq=False)
class GroupMoments:
    """Means and standard deviations of groups on the reported scale, with standard errors."""

    mean: Array
    mean_se: Array
    sd: Array
    sd_se: Array


@dataclass(frozen=True, eq=False)
class Slopes:
    """Slopes of ability on covariates, with standard errors."""

    estimate: Array
    error: Array


@dataclass(frozen=True, eq=False, repr=False)
class PopulationFit:
    """Items and respondents of one or several populations on one scale.

    Attributes
    ----------
    fit : an ordinary fit; an item that differs between groups has a row, and an id, for each.
    items_of : ids of the items as they were given.
    group_codes : the groups, the reference first, and who is in which.
    moments : of the groups.
    covariates, slopes : of the respondents; of no length where there were none.
    split : which item, of which group, each row of the fit is of.
    equal : what was held equal between groups.
    density : of abilities, where they were not taken as normal.
    """

    fit: FitResult
    items_of: tuple[str, ...]
    group_codes: GroupCodes
    moments: GroupMoments
    covariates: Covariates
    slopes: Slopes
    split: SplitItems
    equal: tuple[str, ...]
    density: AbilityDensity | None = None

    @property
    def model(self) -> str:
        """Name of the model."""
        return self.fit.model

    @property
    def status(self) -> FitStatus:
        """How the fit ended; a maximum is flat where it leaves a population open, too."""
        own = (self.moments.mean_se, self.moments.sd_se, self.slopes.error)
        is_open = any(bool(is_undetermined(errors).any()) for errors in own)
        if is_open and self.fit.status is FitStatus.CONVERGED:
            return FitStatus.FLAT
        return self.fit.status

    @property
    def log_likelihood(self) -> float:
        """The marginal log-likelihood."""
        return self.fit.log_likelihood

    @property
    def n_parameters(self) -> int:
        """Number of estimated parameters."""
        return self.fit.n_parameters

    @property
    def aic(self) -> float:
        """Akaike's criterion."""
        return self.fit.aic

    @property
    def bic(self) -> float:
        """Schwarz's criterion."""
        return self.fit.bic

    @property
    def seconds(self) -> float:
        """Wall-clock time."""
        return self.fit.seconds

    @cached_property
    def groups(self) -> "pandas.DataFrame":
        """One row per group: respondents, mean and standard deviation of ability with errors.

        Where covariates were given, mean and spread are those at average covariates.
        """
        import pandas

        own = self.moments
        mean_se, sd_se = shown_errors(own.mean_se), shown_errors(own.sd_se)
        return pandas.DataFrame(
            {
                "group": self.group_codes.names,
                "respondents": self.group_codes.counts,
                "mean": own.mean,
                "mean_se": mean_se,
                "sd": own.sd,
                "sd_se": sd_se,
                "variance": own.sd**2,
                "variance_se": shown_errors(2 * own.sd * sd_se),
            }
        )

    @cached_property
    def coefficients(self) -> "pandas.DataFrame":
        """One row per covariate: what ability gains per unit of it, with its 95 % interval."""
        import pandas
        from scipy.stats import norm

        estimate, error = self.slopes.estimate, shown_errors(self.slopes.error)
        reach = norm.ppf(0.975) * error
        return pandas.DataFrame(
            {
                "term": self.covariates.names,
                "estimate": estimate,
                "se": error,
                "lower": estimate - reach,
                "upper": estimate + reach,
                "p_value": 2 * norm.sf(np.abs(estimate) / error),
            }
        )

    @cached_property
    def respondents(self) -> "pandas.DataFrame":
        """One row per respondent, as of an ordinary fit, with its group."""
        table = self.fit.respondents.copy()
        if len(self.group_codes.names) > 1:
            names = np.array(self.group_codes.names)[self.group_codes.codes]
            table.insert(1, "group", names)
        return table

    @cached_property
    def items(self) -> "pandas.DataFrame":
        """One row per item, or per item and group where they differ; group is empty for all."""
        table = self.fit.items.copy()
        split = self.split
        table["item"] = [self.items_of[item] for item in split.items]
        names = ("", *self.group_codes.names)
        table.insert(1, "group", [names[0 if g == EVERYONE else g + 1] for g in split.groups])
        return table

    @cached_property
    def bank(self) -> Bank:
        """The items as the reference group meets them."""
        return self.bank_of(self.group_codes.names[0])

    def bank_of(self, group: object) -> Bank:
        """The items as a group meets them; abilities of new respondents start from its own."""
        names = self.group_codes.names
        if str(group) not in names:
            raise ModelError(
                "A bank is of one of the groups.",
                f"Got {group!r}; they are {', '.join(map(repr, names[:8]))}.",
                "Give one of them.",
            )
        place = names.index(str(group))
        own = np.isin(self.split.groups, (EVERYONE, place))
        bank = self.fit.bank.take(np.flatnonzero(own))
        mean, sd = float(self.moments.mean[place]), float(self.moments.sd[place])
        return replace(bank, items=self.items_of, ability_mean=mean, ability_sd=sd)

    def tables(self) -> "dict[str, tuple[str, pandas.DataFrame]]":
        """What is known of the populations, each table with its title, by name."""
        found = {}
        if len(self.group_codes.names) > 1:
            found["groups"] = "Groups: mean and spread of their abilities", self.groups
        if self.covariates.names:
            title = "Covariates: what ability gains per unit of each"
            found["coefficients"] = title, self.coefficients
        if self.density is not None:
            found["density"] = f"Density of ability: {self.density.kind}", self.density.frame()
        return found

    def plausible_values(self, draws: int = 10, *, seed: int = 0) -> "PlausibleValues":
        """Abilities drawn from what responses, group and covariates leave possible."""
        from itemcurve.estimation.prediction.ability_draws import draw_in_populations

        return draw_in_populations(self, draws, seed)

    def save(self, path: str | PathLike[str]) -> None:
        """Write a run folder that `itemcurve.load` reads back."""
        from itemcurve.estimation.groups.saved_population_fit import save_population_fit

        save_population_fit(self, path)

    def report(self, path: str | PathLike[str]) -> "Path":
        """Write a self-contained HTML page that shows this fit; see `itemcurve.report`."""
        from itemcurve.dashboard.frozen_run import report

        return report(self, path)

    def __repr__(self) -> str:
        n_respondents, n_items = self.fit.responses.shape[0], len(self.items_of)
        parts = [f"{n_respondents:,} respondents × {n_items:,} items"]
        if len(self.group_codes.names) > 1:
            parts.append(f"{len(self.group_codes.names)} groups")
        if self.covariates.names:
            parts.append(f"{len(self.covariates.names)} covariates")
        if self.density is not None:
            parts.append(self.density.kind)
        return (
            f"PopulationFit({self.model}, {', '.join(parts)}, "
            f"log-likelihood {self.log_likelihood:,.3f}, {self.status})"
        )

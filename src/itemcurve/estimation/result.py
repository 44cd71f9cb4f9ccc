"""The result of a fit: data only, frozen, with tables for people."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.bank.item_bank import Bank, InformationKind
from itemcurve.bank.shown_errors import UNDETERMINED, is_undetermined, shown_errors
from itemcurve.errors import ModelError
from itemcurve.estimation.estimates import (
    Estimates,
    ReportedColumn,
    bank_parts,
)
from itemcurve.estimation.identification.calibrated_population import ability_population
from itemcurve.estimation.response_ends import ResponseEnds
from itemcurve.estimation.status import FitStatus
from itemcurve.models.parameters import Role
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import PointsByItems
from itemcurve.responses.matrix import Responses
from itemcurve.showing.html_cards import html_card

if TYPE_CHECKING:
    from pathlib import Path

    import pandas
    from xarray import DataTree

    from itemcurve.estimation.densities.normality_test import NormalityTest
    from itemcurve.estimation.explanation.item_explanation import ItemExplanation
    from itemcurve.estimation.prediction.cell_predictions import CellPredictions
    from itemcurve.estimation.prediction.plausible_values import PlausibleValues


@dataclass(frozen=True, eq=False)
class FitResult:
    """Abilities, item parameters and how they were found.

    Attributes
    ----------
    responses : what was fitted.
    estimates : the plain arrays.
    settings : everything needed to run the same fit again.
    seconds : wall-clock time.
    """

    responses: Responses
    estimates: Estimates
    settings: dict[str, Any]
    seconds: float

    @property
    def model(self) -> str:
        """Name of the model."""
        return self.estimates.model.name

    @property
    def log_likelihood(self) -> float:
        """The log-likelihood at the estimates: marginal where a side was integrated out."""
        return self.estimates.log_likelihood

    @property
    def objective(self) -> str:
        """What was maximised; only fits with the same objective are comparable by its value."""
        return self.estimates.objective

    @property
    def status(self) -> FitStatus:
        """How the fit ended.

        Without priors, an item that all answer alike, or that parts them perfectly, has no finite
        estimate: such a fit is not plainly converged. Neither is one with a standard error of
        10,000 or more: tables show no error there, and the flag `not determined`.
        """
        status = self.estimates.status
        if self._is_unbounded:
            return FitStatus.AT_BOUND
        if status is FitStatus.CONVERGED and self._is_undetermined:
            return FitStatus.FLAT
        return status

    @cached_property
    def _is_undetermined(self) -> bool:
        """Whether some standard error is so large that the data say nothing of its parameter."""
        errors = (*self.estimates.item_errors.values(), self.estimates.ability_point_errors)
        return any(bool(is_undetermined(each).any()) for each in errors)

    @cached_property
    def _is_unbounded(self) -> bool:
        """Whether a search that arrived left items without priors at the end of their range."""
        estimates = self.estimates
        free = [spec for spec in estimates.model.parameters if spec.is_free]
        is_bare = any(spec.prior is None for spec in free)
        # What runs off to a bound may leave the maximum flat on its way.
        has_arrived = estimates.status in (FitStatus.CONVERGED, FitStatus.FLAT)
        if not has_arrived or not is_bare or estimates.over == "items":
            return False
        if self.estimates.at_bound.any():
            return True
        has_own = any(spec.prior is None and not spec.is_common for spec in free)
        return has_own and bool(self.item_ends.is_end(self.responses.means(axis=0)).any())

    @property
    def n_parameters(self) -> int:
        """Number of estimated parameters."""
        return self.estimates.n_parameters

    @property
    def aic(self) -> float:
        """Akaike's criterion, 2k − 2 log L; with priors, at the posterior mode."""
        return 2 * self.n_parameters - 2 * self.log_likelihood

    @property
    def bic(self) -> float:
        """Schwarz's criterion, k log n − 2 log L, n the number of units integrated out.

        Where neither side was integrated out alone, n is the number of responses.
        """
        n_respondents, n_items = self.responses.shape
        sides = {"respondents": n_respondents, "items": n_items}
        units = sides.get(self.estimates.over, self.responses.n_observed)
        return float(self.n_parameters * np.log(units) - 2 * self.log_likelihood)

    @cached_property
    def boundary_responses(self) -> int:
        """Number of responses that were censored or clipped at the ends of their range."""
        model = self.estimates.model
        if not model.family.is_continuous:
            return 0
        return sum(
            int(model.boundary.is_affected(model.family, block.observed_values()).sum())
            for block in self.responses.blocks()
        )

    @cached_property
    def bank(self) -> Bank:
        """The calibrated items, to score new respondents against."""
        estimates = self.estimates
        return Bank(self.responses.items, bank_parts(estimates), *ability_population(estimates))

    @cached_property
    def item_ends(self) -> ResponseEnds:
        """The lowest and the highest mean response that each item can have."""
        return ResponseEnds.of_items(self.bank)

    @cached_property
    def respondent_ends(self) -> ResponseEnds:
        """The lowest and the highest mean response that each respondent can have."""
        return ResponseEnds.of_respondents(self.bank, self.responses)

    def expected_response(self, abilities: Array) -> PointsByItems:
        """E[y] at these abilities (abilities × items)."""
        return self.bank.expected_response(abilities)

    def information(
        self, abilities: Array, kind: InformationKind = "fisher", width: float = 0.1
    ) -> PointsByItems:
        """Information about ability (abilities × items), exact; sum over items for the test's.

        Parameters
        ----------
        kind : `"fisher"`, or `"kl"`: the Kullback-Leibler divergence of the response at θ* from
            that at θ, integrated over θ* from θ − width to θ + width (Song and Flach 2021).
        width : half the window of `"kl"`, on the scale of `ability` (logits for β³ and Γ).

        Examples
        --------
        >>> import itemcurve as ic
        >>> fit = ic.fit(ic.simulate("2pl", respondents=200, items=10, seed=1).responses)
        >>> fit.information([0.0, 1.0], kind="kl").shape
        (2, 10)
        """
        return self.bank.information(abilities, kind, width)

    def to_arviz(self, thin: int = 1, log_likelihood: bool = True) -> "DataTree":
        """Give the draws as an ArviZ DataTree: posterior, sample_stats, log_likelihood.

        Parameters
        ----------
        thin : keep every `thin`-th draw.
        log_likelihood : whether to add the log density of every observed cell under every draw,
            which `arviz_stats.loo` needs.
        """
        from itemcurve.estimation.posterior_draws import export_draws

        model, draws = self.estimates.model, self.estimates.draws
        if draws is None:
            raise ModelError(
                "to_arviz needs draws from a posterior.",
                f"The method {self.settings.get('method')} gives none, or they were not saved.",
                "Fit with method='mcmc'.",
            )
        return export_draws(draws, model, self.responses, thin, log_likelihood)

    @cached_property
    def respondents(self) -> "pandas.DataFrame":
        """One row per respondent: ability, its standard error, mean response, flags.

        Of models with abilities in (0, 1), `ability` is the logit and `ability_01` the value.
        """
        import pandas

        means = self.responses.means(axis=1)
        table = pandas.DataFrame(
            {
                "respondent": self.responses.respondents,
                "ability": self.estimates.abilities,
                "ability_se": shown_errors(self.estimates.ability_errors),
                "mean_response": means,
                "responses": self.responses.counts(axis=1),
                "flags": self._respondent_flags(means),
            }
        )
        if self.estimates.model.latent.is_logit:
            ability = 1.0 / (1.0 + np.exp(-self.estimates.abilities))
            table.insert(3, "ability_01", ability)
            errors = shown_errors(self.estimates.ability_errors) * ability * (1 - ability)
            table.insert(4, "ability_01_se", errors)
        for name, column in self.estimates.respondent_extras.items():
            table.insert(list(table.columns).index("mean_response"), name, column)
        return table

    @cached_property
    def items(self) -> "pandas.DataFrame":
        """One row per item: parameters with standard errors (`_se`), mean response, flags."""
        import pandas

        columns: dict[str, Any] = {"item": self.responses.items}
        for name, values in self.estimates.item_columns.items():
            columns[name] = values
            columns[f"{name}_se"] = shown_errors(self.estimates.item_errors[name])
        columns.update(self.estimates.item_extras)
        columns["mean_response"] = self.responses.means(axis=0)
        columns["responses"] = self.responses.counts(axis=0)
        columns["flags"] = self._item_flags()
        return pandas.DataFrame(columns)

    @property
    def slopes(self) -> ReportedColumn:
        """Slope of each item: how fast its curve changes, and which way. One where it has none."""
        ones = np.ones(len(self.responses.items))
        return self.estimates.column(Role.SLOPE) or ReportedColumn("slope", ones, 0.0 * ones)

    @property
    def locations(self) -> ReportedColumn:
        """Where each item sits, as people read it: its difficulty."""
        found = self.estimates.column(Role.LOCATION)
        if found is None:
            places = self.estimates.model.location(self.estimates.values)
            found = ReportedColumn("location", places, np.full(len(places), np.nan))
        return found

    def _item_flags(self) -> list[str]:
        _, slope, error = self.slopes
        found = []
        lost = self._lost_items()
        for index, extreme in enumerate(self._extremes(self.responses.means(axis=0), "item")):
            flags = [
                extreme,
                "negative" if slope[index] < 0 else "",
                "flat" if error[index] > 0 and abs(slope[index]) < 2 * error[index] else "",
                "at bound" if self.estimates.at_bound[index] else "",
                UNDETERMINED if lost[index] else "",
            ]
            found.append(", ".join(flag for flag in flags if flag))
        return found

    def _lost_items(self) -> NDArray[np.bool_]:
        """Items with an error that means nothing, or none where the method tells errors."""
        errors = self.estimates.item_errors
        are_told = any(bool(np.isfinite(own).any()) for own in errors.values())
        # An item never given a category has no threshold of it.
        whole = [own for name, own in errors.items() if not name.startswith("threshold_")]
        gone = [np.isnan(own) & are_told for own in whole]
        return np.any([*map(is_undetermined, errors.values()), *gone], axis=0)

    def _respondent_flags(self, means: Array) -> list[str]:
        lost = is_undetermined(self.estimates.ability_errors)
        return [
            ", ".join(flag for flag in (extreme, UNDETERMINED if is_lost else "") if flag)
            for extreme, is_lost in zip(self._extremes(means, "respondent"), lost, strict=True)
        ]

    def _extremes(self, means: Array, what: str) -> list[str]:
        """A word for every mean response at an end of its range, and for the others none."""
        if what == "item":
            return np.where(self.item_ends.is_end(means), "constant", "").tolist()
        ends = self.respondent_ends
        words = np.where(ends.is_lowest(means), "zero", "")
        return np.where(ends.is_highest(means), "perfect", words).tolist()

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
        level : of the intervals. Of scores and errors they hold one response, of right and wrong
            and of categories the expected response.

        Examples
        --------
        >>> import itemcurve as ic
        >>> fit = ic.fit(ic.simulate("2pl", respondents=200, items=10, seed=1).responses)
        >>> list(fit.predict(items=["item_01"]).frame().columns[2:6])
        ['mean', 'median', 'lower', 'upper']
        """
        from itemcurve.estimation.prediction.ability_predictions import predict_by_ability

        return predict_by_ability(self, respondents, items, level, seed)

    def plausible_values(self, draws: int = 10, *, seed: int = 0) -> "PlausibleValues":
        """Abilities drawn from what the responses leave possible, for statistics of groups.

        Over respondents, from each posterior given the items; of a sampled fit, from its draws;
        elsewhere from a normal around the estimate.

        Examples
        --------
        >>> import itemcurve as ic
        >>> fit = ic.fit(ic.simulate("2pl", respondents=300, items=10, seed=1).responses)
        >>> round(fit.plausible_values(20).combine(lambda ability: ability.std()).value, 1)
        1.0
        """
        from itemcurve.estimation.prediction.ability_draws import draw_abilities

        return draw_abilities(self, draws, seed)

    def check_normality(self, *, seed: int = 0) -> "NormalityTest":
        """Test whether abilities can be taken as normal, as fits over respondents do.

        Where they cannot, `itemcurve.fit(…, density="davidian")` estimates their shape.
        """
        from itemcurve.estimation.densities.normality_test import check_normality

        return check_normality(self, seed)

    def explain_items(self, features: Any) -> "ItemExplanation":
        """What makes items hard: difficulty on features of the items, with intervals.

        Parameters
        ----------
        features : a table with one row per item, found by a column `item` or an index of their ids,
            else in their order, and a column for each feature (numbers, names or dates).
        """
        from itemcurve.estimation.explanation.item_explanation import explain_items

        return explain_items(self, features)

    def save(self, path: str | PathLike[str]) -> None:
        """Write a run folder that `itemcurve.load` reads back."""
        from itemcurve.estimation.saving.saved_fit import save_fit

        save_fit(self, path)

    def report(self, path: str | PathLike[str]) -> "Path":
        """Write a self-contained HTML page that shows this fit; see `itemcurve.report`."""
        from itemcurve.dashboard.frozen_run import report

        return report(self, path)

    def plot(self, kind: str = "wright_map", **settings: Any) -> Any:
        """Draw the fit: abilities and items on one scale, unless another picture is named.

        Parameters
        ----------
        kind : a picture of `itemcurve.plots` that takes a fit, as `"item_map"` or `"abilities"`.
        settings : of that picture, as `ax`.
        """
        from itemcurve.plots.drawing.named_pictures import draw

        return draw(self, kind, **settings)

    def _repr_html_(self) -> str:
        best = self.respondents.sort_values("ability", ascending=False, kind="stable")
        names = ["respondent", "ability", "ability_se", "mean_response", "flags"]
        said = f"{self.status}. Log-likelihood {self.log_likelihood:,.1f}, BIC {self.bic:,.1f}."
        title = "{}: {:,} respondents × {:,} items".format(self.model, *self.responses.shape)
        more = ".respondents, .items, .plot(), .report(path); itemcurve.findings(fit)"
        return html_card(title, [f"{said[0].upper()}{said[1:]}"], best[names], rows=8, more=more)

    def __repr__(self) -> str:
        n_respondents, n_items = self.responses.shape
        return (
            f"FitResult({self.model}, {n_respondents:,} respondents × {n_items:,} items, "
            f"log-likelihood {self.log_likelihood:,.3f}, {self.status})"
        )

"""What a fit expects of single items and of pairs of them, and what was observed.

Categories of an item are numbered 0, 1, …; its score is that number. Margins are the probabilities
of all categories but the first, and the mean products of two items' scores.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, Any

import numpy as np

from itemcurve.analysis.curves.category_curves import item_probabilities
from itemcurve.bank.item_bank import Bank
from itemcurve.errors import ModelError
from itemcurve.estimation.result import FitResult
from itemcurve.models.capabilities import HasCategories
from itemcurve.models.contract import ItemModel
from itemcurve.models.free_coordinates import free_cells
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import axes
from itemcurve.responses.matrix import Responses

# Abilities in standard deviations of their population: right to ten digits for smooth curves.
_NODES = np.linspace(-8.0, 8.0, 121)
_WEIGHTS = np.exp(-0.5 * _NODES**2) / np.exp(-0.5 * _NODES**2).sum()
_STEP = 1e-5

Margins = Annotated[Array, axes("margins")]


@dataclass(frozen=True, eq=False)
class ItemMargins:
    """Probabilities of items' categories at nodes of ability.

    Attributes
    ----------
    weights : of the nodes, which add up to 1.
    owner, grade : item and number of each category beyond an item's first (categories).
    chances : its probability (categories × nodes).
    n_items : how many items there are.
    """

    weights: Array
    owner: Array
    grade: Array
    chances: Annotated[Array, axes("categories nodes")]
    n_items: int

    @cached_property
    def score(self) -> Annotated[Array, axes("items nodes")]:
        """Expected score of each item."""
        return self.summed(self.grade[:, None] * self.chances)

    @cached_property
    def variance(self) -> Annotated[Array, axes("items nodes")]:
        """Variance of its score."""
        squares = self.summed(self.grade[:, None] ** 2 * self.chances)
        return np.maximum(squares - self.score**2, 0.0)

    @cached_property
    def pairs(self) -> tuple[Array, Array]:
        """All pairs of items."""
        return np.triu_indices(self.n_items, k=1)

    def summed(self, values: Array) -> Array:
        """Sums over the categories of each item."""
        found = np.zeros((self.n_items, values.shape[1]))
        np.add.at(found, self.owner, values)
        return found

    def expected(self) -> Margins:
        """All margins: categories, then pairs."""
        both = (self.score * self.weights) @ self.score.T
        return np.concatenate([self.chances @ self.weights, both[self.pairs]])


def observed_grades(fit: FitResult, bank: Bank, columns: list[int]) -> Array:
    """Number of the category in each cell (respondents × items), NaN where not observed."""
    values = fit.responses.take(None, columns).array().astype(float)
    for place, own in enumerate(item_probabilities(bank, np.zeros(1))):
        assert own is not None
        known = np.isfinite(values[:, place])
        values[known, place] = np.searchsorted(own[0], values[known, place])
    return values


def margins_of(bank: Bank, shift: float = 0.0, stretch: float = 1.0) -> ItemMargins:
    """Categories of a bank's items over the population that it was calibrated on.

    Parameters
    ----------
    shift, stretch : of the population, in its standard deviations.
    """
    points = bank.ability_mean + bank.ability_sd * (shift + stretch * _NODES)
    owner: list[int] = []
    grade: list[int] = []
    chances = []
    for place, own in enumerate(item_probabilities(bank, points)):
        assert own is not None
        count = len(own[0])
        owner += [place] * (count - 1)
        grade += range(1, count)
        chances.append(own[1][1:])
    return ItemMargins(
        _WEIGHTS, np.array(owner), np.array(grade), np.concatenate(chances), len(bank)
    )


def margin_slopes(fit: FitResult, bank: Bank, columns: list[int]) -> Annotated[Array, axes("m p")]:
    """Derivatives of all margins in everything that was estimated (margins × parameters).

    Only what they span matters, so parameters are taken as they are reported.
    """
    own, found = margins_of(bank), []
    for above, below, is_common in _moved_banks(fit, bank, columns):
        change = (margins_of(above).chances - margins_of(below).chances) / (2 * _STEP)
        found.append(_spread(own, change, is_common))
    latent = fit.estimates.model.latent
    for is_free, move in ((latent.is_mean_free, (1.0, 0.0)), (latent.is_sd_free, (0.0, 1.0))):
        if is_free:
            ends = [
                margins_of(bank, sign * move[0] * _STEP, 1.0 + sign * move[1] * _STEP).chances
                for sign in (1.0, -1.0)
            ]
            found.append(_spread(own, (ends[0] - ends[1]) / (2 * _STEP), True))
    slopes = np.concatenate(found, axis=1)
    return slopes[:, np.abs(slopes).max(axis=0) > 1e-12]


def _moved_banks(
    fit: FitResult, bank: Bank, columns: list[int]
) -> Iterator[tuple[Bank, Bank, bool]]:
    """Banks with one free parameter of all items of a model moved up, and down."""
    for place, part in enumerate(bank.parts):
        cells = free_cells(part.model, len(fit.responses.items)) if len(bank.parts) == 1 else None
        for column, index in enumerate(part.likelihood.free):
            step = np.zeros_like(part.values)
            step[:, index] = _STEP
            if cells is not None:
                step[~cells[columns, column], index] = 0.0
            ends = [
                replace(
                    bank,
                    parts=tuple(
                        replace(each, values=each.values + sign * step) if k == place else each
                        for k, each in enumerate(bank.parts)
                    ),
                )
                for sign in (1.0, -1.0)
            ]
            yield ends[0], ends[1], part.model.parameters[index].is_common


def _spread(own: ItemMargins, change: Array, is_common: bool) -> Array:
    """Derivatives of margins, from those of chances in a parameter that each item has.

    Parameters
    ----------
    is_common : whether it is one and the same parameter of all items.
    """
    first, second = own.pairs
    single = change @ own.weights
    scores = own.summed(own.grade[:, None] * change)
    # What a parameter of the first item of a pair does to it, and of the second.
    cross = (scores * own.weights) @ own.score.T
    if is_common:
        both = cross[first, second] + cross[second, first]
        return np.concatenate([single, both])[:, None]
    found = np.zeros((len(single) + len(first), own.n_items))
    found[np.arange(len(single)), own.owner] = single
    rows = len(single) + np.arange(len(first))
    found[rows, first] = cross[first, second]
    found[rows, second] = cross[second, first]
    return found


def has_margins(fit: FitResult) -> bool:
    """Whether margins of a fit's items are those of categories over one population."""
    return _refusal(fit, "") is None


def check_margins(fit: FitResult, what: str) -> None:
    """Raise unless margins of a fit's items are those of categories over one population."""
    refusal = _refusal(fit, what)
    if refusal is not None:
        raise refusal


def _refusal(fit: FitResult, what: str) -> ModelError | None:
    if fit.estimates.ability_points.shape[1] != 1:
        return ModelError(
            f"{what} needs a fit of one ability.",
            f"This one has {fit.estimates.ability_points.shape[1]}.",
            "Compare fits of several abilities by aic or bic.",
        )
    if "populations" in fit.settings:
        return ModelError(
            f"{what} needs respondents of one population, and items that were all estimated.",
            "This fit has groups, covariates or anchors.",
            "Ask it of a fit of each group, or compare fits by aic or bic.",
        )
    if fit.estimates.over != "respondents":
        return ModelError(
            f"{what} needs a fit that integrates respondents out: it speaks of their population.",
            f"This one integrates {fit.estimates.over} out.",
            "Fit with method=Marginal(over='respondents') where there are respondents enough, "
            "or ask itemcurve.local_dependence and itemcurve.item_fit.",
        )
    if not has_grades(fit):
        return ModelError(
            f"{what} needs answers that are right or wrong, or categories, one each.",
            "Got scores, or several answers of a respondent to an item.",
            "Use itemcurve.item_fit, which takes them.",
        )
    return None


def has_grades(fit: FitResult) -> bool:
    """Whether each answer is right or wrong, or a category: no score, and not several in one."""
    return is_single(fit.responses) and all(_is_graded(part.model) for part in fit.bank.parts)


def _is_graded(model: ItemModel) -> bool:
    family = model.family
    if family.is_continuous or family.is_quasi:
        return False
    return isinstance(model, HasCategories) or tuple(family.support) == (0, 1)


def is_single(responses: Responses) -> bool:
    """Whether each cell that was observed was observed once."""
    weight: Any = responses.weight()
    if weight is None:
        return True
    values = weight.data if hasattr(weight, "nnz") else np.asarray(weight)
    return bool(np.isin(values, (0.0, 1.0)).all())

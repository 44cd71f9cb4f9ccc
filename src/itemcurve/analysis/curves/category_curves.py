"""How likely each category of an item is at each ability."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np

from itemcurve.analysis.curves.ability_axis import AbilityAxis, ability_axis
from itemcurve.bank.item_bank import Bank, BankPart
from itemcurve.errors import ModelError
from itemcurve.estimation.result import FitResult
from itemcurve.families.categorical import Categorical
from itemcurve.models.capabilities import HasCategories
from itemcurve.models.formulas.used_categories import column_bits, used_by
from itemcurve.models.parameters import Role
from itemcurve.numerics.engine import NUMPY, Array
from itemcurve.numerics.shapes import PerPoint, axes

if TYPE_CHECKING:
    import pandas

CategoryPoints = Annotated[Array, axes("categories points")]


@dataclass(frozen=True, eq=False)
class CategoryCurves:
    """Probabilities of one item's categories along ability.

    Attributes
    ----------
    codes : the categories that the item has, as responses name them.
    probabilities : categories × points of the axis.
    thresholds : where a category gives way to the next, as reported; empty where there are none.
    abilities, shares : mean ability of groups of respondents, and how many of each group are in
        each category (categories × groups).
    """

    item: str
    codes: tuple[float, ...]
    axis: AbilityAxis
    probabilities: CategoryPoints
    thresholds: tuple[float, ...]
    abilities: Array
    shares: Annotated[Array, axes("categories groups")]

    def frame(self) -> "pandas.DataFrame":
        """One row per point and category: ability, category, probability."""
        import pandas

        shown = self.axis.shown(self.axis.points)
        return pandas.DataFrame(
            {
                "ability": np.tile(shown, len(self.codes)),
                "category": np.repeat(self.codes, len(shown)),
                "probability": self.probabilities.ravel(),
            }
        )


def category_curves(fit: FitResult, item: str, *, groups: int = 8) -> CategoryCurves:
    """Give the probabilities of the categories of an item.

    Parameters
    ----------
    groups : respondents are gathered into so many groups of ability, of which observed shares are
        given.

    Examples
    --------
    >>> import itemcurve as ic
    >>> fit = ic.fit(ic.simulate("grm", respondents=300, items=8, seed=1).responses, "grm")
    >>> category_curves(fit, fit.responses.items[0]).codes
    (0.0, 1.0, 2.0, 3.0, 4.0)
    """
    axis = ability_axis(fit)
    place = int(fit.bank.positions([item])[0])
    found = item_probabilities(fit.bank.select([item]), axis.points)[0]
    if found is None:
        raise ModelError(
            "Curves of categories are for items whose responses are categories.",
            f"{item!r} has scores.",
            "Use plots.item_curves for it.",
        )
    seen = _observed(fit, place, found[0], groups)
    return CategoryCurves(item, found[0], axis, found[1], _thresholds(fit, place), *seen)


def item_probabilities(
    bank: Bank, points: PerPoint
) -> list[tuple[tuple[float, ...], CategoryPoints] | None]:
    """Codes and probabilities of each item's categories; None for an item of scores."""
    found: list[tuple[tuple[float, ...], CategoryPoints] | None] = [None] * len(bank)
    for part in bank.parts:
        if part.model.family.is_continuous or part.model.family.is_quasi:
            continue
        for position, own in zip(part.positions, _of_part(part, points), strict=True):
            found[position] = own
    return found


def _of_part(part: BankPart, points: PerPoint) -> list[tuple[tuple[float, ...], CategoryPoints]]:
    model, family = part.model, part.model.family
    eta = part.likelihood.natural(NUMPY, points, part.values)
    if not isinstance(model, HasCategories) or not isinstance(family, Categorical):
        right = np.asarray(family.mean(NUMPY, eta))
        return [((0.0, 1.0), np.stack([1.0 - own, own])) for own in right]
    chances = np.moveaxis(family.probabilities(eta), 0, 1)
    used = used_by(column_bits(part.values), len(model.codes))
    codes = np.array(model.codes)
    return [
        (tuple(codes[own].tolist()), chance[own]) for own, chance in zip(used, chances, strict=True)
    ]


def _observed(
    fit: FitResult, place: int, codes: tuple[float, ...], groups: int
) -> tuple[Array, Array]:
    """Mean ability of groups, and shares of categories in each (categories × groups)."""
    given = fit.responses.take(None, [place]).array()[:, 0]
    known = np.isfinite(given)
    order = np.argsort(fit.estimates.abilities[known], kind="stable")
    parts = np.array_split(order, max(1, min(groups, len(order) // 5)))
    abilities, answers = fit.estimates.abilities[known], given[known]
    shares = [[float((answers[part] == code).mean()) for part in parts] for code in codes]
    return np.array([abilities[part].mean() for part in parts]), np.array(shares)


def _thresholds(fit: FitResult, place: int) -> tuple[float, ...]:
    """The thresholds of an item, as reported."""
    columns = fit.estimates.model.columns
    names = [name for name, role in columns.items() if role is Role.THRESHOLD]
    values = [float(fit.estimates.item_columns[name][place]) for name in names]
    return tuple(value for value in values if np.isfinite(value))

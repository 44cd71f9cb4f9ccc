"""Errors through β³: the link of Γ to β³ (Moraes et al., section III-C).

An error ē divided by its usual size c has the expected value (odds δ / odds θ)^a under Γ, and
1/(1 + ē) has, with that value put in, the curve of β³. So errors can be turned into scores, fitted
by β³, and the curves turned back. The score of an average error is not the average score (Jensen),
so the two fits are near, not equal; docs/continuous.md compares them.
"""

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import ArrayLike

from itemcurve.errors import ModelError
from itemcurve.estimation.fit import fit
from itemcurve.estimation.result import FitResult
from itemcurve.models.formulas.gamma import GAMMA_NORMALISED
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import PerItem, PointsByItems, axes
from itemcurve.responses.matrix import Responses


@dataclass(frozen=True, eq=False)
class LinkedFit:
    """A β³ fit of scores 1/(1 + e/c), read as a fit of the errors e.

    Attributes
    ----------
    fit : the fit of the scores; abilities and difficulties in (0, 1) are those of Γ too.
    error_size : c of each item.
    """

    fit: FitResult
    error_size: PerItem

    def expected_error(self, abilities: ArrayLike) -> PointsByItems:
        """Expected errors at these abilities, as logits (abilities × items)."""
        score = self.fit.expected_response(np.asarray(abilities, dtype=float))
        return self.error_size * (1.0 / np.maximum(score, 1e-300) - 1.0)

    def gamma_values(self) -> Annotated[Array, axes("items 3")]:
        """Discrimination, difficulty and error size as Γ's item parameters (items × 3)."""
        return np.column_stack([self.fit.estimates.values, self.error_size])


def fit_gamma_by_beta3(
    errors: Responses, *, error_size: ArrayLike = 1.0, **settings: Any
) -> LinkedFit:
    """Fit errors through the link of Γ to β³.

    Parameters
    ----------
    errors : from 0 upwards.
    error_size : usual size c of errors, one number or one per item: where ability equals
        difficulty the expected error is c.
    settings : as `fit` takes them.

    Examples
    --------
    >>> import itemcurve as ic
    >>> truth = ic.simulate("gamma-normalised", respondents=30, items=12, seed=1)
    >>> ic.fit_gamma_by_beta3(truth.responses, method="joint").expected_error([0.0]).shape
    (1, 12)
    """
    size = check_error_size(errors, error_size)
    return LinkedFit(fit(errors_to_scores(errors, size), "beta3", **settings), size)


def check_error_size(errors: Responses, error_size: ArrayLike) -> PerItem:
    """Give the usual size of the errors of each item; refuse what is none, and negative errors."""
    GAMMA_NORMALISED.family.check(errors.observed_values())
    n_items = errors.shape[1]
    size = np.asarray(error_size, dtype=float)
    if size.shape not in ((), (n_items,)) or not (np.isfinite(size) & (size > 0)).all():
        raise ModelError(
            f"error_size must be one number above 0, or one for each of the {n_items} items.",
            f"Got {error_size!r}.",
            "Use the mean absolute deviation of each item's target, or leave it out.",
        )
    return np.broadcast_to(size, (n_items,)).copy()


def errors_to_scores(errors: Responses, size: PerItem) -> Responses:
    """1/(1 + e/c), observation by observation."""
    table = errors.frame("long")
    place = {item: index for index, item in enumerate(errors.items)}
    usual = size[table["item"].astype(str).map(place).to_numpy()]
    table["response"] = 1.0 / (1.0 + table["response"].to_numpy(float) / usual)
    return Responses.from_frame(table, "long").select(errors.respondents, errors.items)

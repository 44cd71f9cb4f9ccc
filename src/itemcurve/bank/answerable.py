"""Whether responses are such as the items of a bank can be given."""

from typing import Annotated

import numpy as np

from itemcurve.bank.item_bank import Bank, BankPart
from itemcurve.errors import ResponsesError
from itemcurve.models.capabilities import HasCategories
from itemcurve.models.formulas.used_categories import USED, all_used, used_by
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import axes


def check_answers(
    bank: Bank, part: BankPart, values: Annotated[Array, axes("respondents items")]
) -> None:
    """Raise unless every response may occur, and its item was calibrated with such responses.

    A category that nobody was given at calibration has no place on the scale of its item: it would
    count as if the item had not been asked.

    Parameters
    ----------
    values : of the items of the part, NaN where there is no response (respondents × items).
    """
    given = values[~np.isnan(values)]
    part.model.family.check(given)
    part.model.boundary.check(part.model.family, given)
    model = part.model
    if not isinstance(model, HasCategories) or model.parameters[-1].name != USED:
        return
    codes, bits = np.array(model.codes), part.values[:, -1]
    if (bits == all_used(len(codes))).all():
        return
    is_used = used_by(bits, len(codes))
    place = np.searchsorted(codes, np.where(np.isnan(values), codes[0], values))
    is_new = ~np.isnan(values) & ~is_used[np.arange(values.shape[1]), place]
    if is_new.any():
        row, column = np.argwhere(is_new)[0]
        known = ", ".join(f"{code:g}" for code in codes[is_used[column]])
        raise ResponsesError(
            "A response must be in a category that its item was calibrated with.",
            f"{int(is_new.sum()):,} are not, the first is {values[row, column]:g} of item "
            f"{bank.items[part.positions[column]]!r}, which knows {known}.",
            "Leave such cells out, join the category with its neighbour, or fit anew with them.",
        )

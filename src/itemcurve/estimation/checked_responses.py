"""Whether responses can determine abilities and items under a model."""

import numpy as np

from itemcurve.errors import ModelError, ResponsesError
from itemcurve.estimation.fit_parts import parts_of
from itemcurve.estimation.ratings_as_scores import refuse_ratings
from itemcurve.models.contract import ItemModel
from itemcurve.responses.matrix import Responses


def check_responses(responses: Responses, model: ItemModel) -> None:
    """Raise unless the responses can determine abilities and items under the model."""
    if not isinstance(responses, Responses):
        raise ResponsesError(
            "fit needs a Responses object.",
            f"Got {type(responses).__name__}.",
            "Wrap arrays with Responses.from_array, tables with Responses.from_frame.",
        )
    n_respondents, n_items = responses.shape
    if n_respondents < 2 or n_items < 2:
        raise ResponsesError(
            "A fit needs at least 2 respondents and 2 items.",
            f"Got {n_respondents} × {n_items}.",
            "Use itemcurve.score with a bank to measure a single respondent.",
        )
    for axis, ids, what in (
        (1, responses.respondents, "respondent"),
        (0, responses.items, "item"),
    ):
        empty = np.flatnonzero(responses.counts(axis=axis) == 0)
        if empty.size:
            raise ResponsesError(
                f"Every {what} needs at least one response.",
                f"{empty.size} have none, the first is {ids[empty[0]]!r}.",
                "Remove them with responses.drop_empty().",
            )
    for part, own in parts_of(responses, model):
        _check_values(part, own)
        refuse_ratings(part, own)
    if not any(spec.is_free for spec in model.parameters):
        raise ModelError(
            "A fit needs at least one item parameter to estimate.",
            "All are held.",
            "Use itemcurve.score to measure respondents against known items.",
        )
    for spec in model.parameters:
        if isinstance(spec.fixed, tuple) and len(spec.fixed) != n_items:
            raise ModelError(
                f"A {spec.name} fixed per item needs one value for each of the {n_items} items.",
                f"Got {len(spec.fixed)}.",
                "Give one number for all items or one per item.",
            )


def _check_values(model: ItemModel, responses: Responses) -> None:
    """Raise unless every response may occur; of integers, the smallest and largest tell."""
    between = responses.integer_range()
    if between is not None:
        try:
            model.family.check(np.array(between))
            model.boundary.check(model.family, np.array(between))
            return
        except ResponsesError:
            # Looked at one by one below, which says how many there are.
            pass
    for values in responses.values_by_block():
        model.family.check(values)
        model.boundary.check(model.family, values)

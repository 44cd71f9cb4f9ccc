"""A fit of several models over the same abilities: which item follows which."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from itemcurve.errors import ModelError
from itemcurve.estimation.item_patterns import (
    ItemLists,
    ItemPatterns,
    lists_of,
)
from itemcurve.estimation.observed_categories import settle_categories
from itemcurve.models.boundary import Boundary
from itemcurve.models.capabilities import completed
from itemcurve.models.catalogue import ParameterSetting, get_model, set_boundary, set_priors
from itemcurve.models.contract import ItemModel
from itemcurve.models.mixed import MixedModel
from itemcurve.models.priors import Prior
from itemcurve.responses.matrix import Responses

Parts = ItemLists | ItemPatterns
"""The ids of the items of each model, or the model of each pattern of ids."""


def combine_parts(
    responses: Responses,
    parts: Parts,
    prior: str | Mapping[str, Prior | None] | None,
    boundary: str | Boundary,
    parameters: Mapping[str, ParameterSetting],
) -> ItemModel:
    """Give the model of all items; settings go to the parts that know them."""
    if not parts:
        raise ModelError("A fit needs a model.", "Got an empty mapping.", "Name models and items.")
    lists = lists_of(responses.items, parts)
    membership = _membership(responses.items, lists)
    codes = np.array(membership)
    settled = [
        settle_categories(
            get_model(model),
            responses,
            np.flatnonzero(codes == place),
            has_priors=prior is not None,
        )
        for place, model in enumerate(lists)
    ]
    own = [_set(model, prior, boundary, parameters) for model in settled]
    models = [completed(model, len(responses.items)) for model in own]
    known = {spec.name for model in models for spec in model.parameters}
    unknown = sorted(set(parameters) - known)
    if unknown:
        raise ModelError(
            f"The models of this fit have the parameters {', '.join(sorted(known))}.",
            f"Got {unknown[0]!r}.",
            "Use one of these names.",
        )
    return models[0] if len(models) == 1 else MixedModel(tuple(models), membership)


def parts_of(responses: Responses, model: ItemModel) -> Iterator[tuple[ItemModel, Responses]]:
    """Each model with the responses to its items."""
    if not isinstance(model, MixedModel):
        yield model, responses
        return
    for place, part in enumerate(model.parts):
        yield part, responses.take(columns=np.flatnonzero(model.codes == place).tolist())


def _set(
    model: str | ItemModel,
    prior: str | Mapping[str, Prior | None] | None,
    boundary: str | Boundary,
    parameters: Mapping[str, ParameterSetting],
) -> ItemModel:
    names = {spec.name for spec in get_model(model).parameters}
    chosen = get_model(model, **{k: v for k, v in parameters.items() if k in names})
    if isinstance(prior, Mapping):
        prior = {name: own for name, own in prior.items() if name in names}
    chosen = set_priors(chosen, prior)
    return set_boundary(chosen, boundary if chosen.family.is_continuous else "default")


def _membership(items: Sequence[str], parts: ItemLists) -> tuple[int, ...]:
    places: dict[str, int] = {}
    for place, own in enumerate(parts.values()):
        for item in own:
            if item in places:
                raise ModelError(
                    "Every item follows one model.",
                    f"{item!r} is listed twice.",
                    "Leave it out of one of the lists.",
                )
            places[item] = place
    missing = [item for item in items if item not in places]
    foreign = sorted(set(places) - set(items))
    if missing or foreign:
        raise ModelError(
            "The lists of items must hold every item of the responses, and no other.",
            f"{len(missing)} are in no list{f', as {missing[0]!r}' if missing else ''}; "
            f"{len(foreign)} are not in the responses{f', as {foreign[0]!r}' if foreign else ''}.",
            "Use the ids in responses.items.",
        )
    return tuple(places[item] for item in items)

"""Items of a bank as anchors: held at their known parameters while everything else is estimated."""

import numpy as np

from itemcurve.bank.item_bank import Bank
from itemcurve.errors import ModelError
from itemcurve.models.catalogue import get_model
from itemcurve.models.contract import ItemModel
from itemcurve.numerics.engine import Array
from itemcurve.responses.matrix import Responses


def anchored_model(model: ItemModel, responses: Responses, anchors: object) -> ItemModel:
    """The model with items that the bank knows held at the bank's parameters."""
    bank = _bank_of(anchors)
    place = {item: index for index, item in enumerate(bank.items)}
    common = [column for column, item in enumerate(responses.items) if item in place]
    if not common:
        raise ModelError(
            "Anchors need at least one item that the bank knows.",
            f"None of the {len(responses.items)} items, as {responses.items[0]!r}, is in the bank.",
            "Give items the same ids in both.",
        )
    if len(common) == len(responses.items):
        raise ModelError(
            "Anchors need items that are still to be estimated.",
            "The bank knows all of them.",
            "Use itemcurve.score to measure respondents against known items.",
        )
    for spec in model.parameters:
        if spec.is_free:
            held = np.full(len(responses.items), np.nan)
            held[common] = _known(bank, [place[responses.items[c]] for c in common], spec.name)
            model = get_model(model, **{spec.name: held})
    return model


def _bank_of(anchors: object) -> Bank:
    if isinstance(anchors, Bank):
        return anchors
    found = getattr(anchors, "bank", None)
    if isinstance(found, Bank):
        return found
    raise ModelError(
        "Anchors are a bank of known items.",
        f"Got {type(anchors).__name__}.",
        "Give fit.bank, or Bank.from_parameters.",
    )


def _known(bank: Bank, places: list[int], name: str) -> Array:
    """A parameter of these items of the bank."""
    found = np.full(len(bank), np.nan)
    for part in bank.parts:
        names = [spec.name for spec in part.model.parameters]
        columns = part.model.report(part.values)
        if name in names:
            found[part.positions] = part.values[:, names.index(name)]
        elif name in columns:
            found[part.positions] = columns[name]
    if np.isnan(found[places]).any():
        raise ModelError(
            f"Anchors need a {name} for each item in common.",
            f"{bank.items[places[int(np.isnan(found[places]).argmax())]]!r} has none in the bank.",
            "Use the model that the bank was calibrated with.",
        )
    return found[places]

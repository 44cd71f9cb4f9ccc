"""Banks as plain data, and the mark by which the same bank is known again."""

from hashlib import sha256
from typing import Any

import numpy as np

from itemcurve.bank.item_bank import Bank, BankPart
from itemcurve.models.serialisation import Record, is_in_range, pack_model, unpack_model
from itemcurve.numerics.engine import Array
from itemcurve.storage.json_documents import pack_json, pack_line


def pack_bank(bank: Bank) -> dict[str, Any]:
    """Describe a bank in plain data."""
    return {
        "items": list(bank.items),
        "ability_mean": float(bank.ability_mean),
        "ability_sd": float(bank.ability_sd),
        "parts": [
            {
                "model": pack_model(part.model),
                "positions": np.asarray(part.positions).tolist(),
                "values": np.asarray(part.values, dtype=float).tolist(),
                "covariance": np.asarray(part.covariance, dtype=float).tolist(),
            }
            for part in bank.parts
        ],
    }


def bank_content(bank: Bank) -> bytes:
    """Give the bytes of a bank's file: equal banks have equal ones."""
    return pack_line(pack_bank(bank), "the bank") + b"\n"


def bank_mark(bank: Bank) -> str:
    """Compute what `Bank.mark` keeps."""
    return sha256(bank_content(bank)).hexdigest()


def former_mark(bank: Bank) -> str:
    """Compute the mark by which sessions of the former format know their bank."""
    packed = pack_bank(bank)
    for part in packed["parts"]:
        for parameter in part["model"].get("parameters", ()):
            # What was not said of parameters then is no part of the mark.
            parameter.pop("is_prior_given", None)
    return sha256(pack_json(packed, "the bank")).hexdigest()


def unpack_bank(record: Record) -> Bank:
    """Rebuild the bank that `pack_bank` described; safe on files from strangers."""
    items = record.texts("items")
    parts = tuple(_unpack_part(part) for part in record.records("parts"))
    taken = np.concatenate([part.positions for part in parts]) if parts else np.zeros(0, int)
    if not np.array_equal(np.sort(taken), np.arange(len(items))):
        raise record.refusal("its items and the places of its parts do not agree")
    mean, sd = record.number("ability_mean"), record.number("ability_sd")
    if not sd > 0:
        raise record.refusal("the spread of abilities must be above 0")
    return Bank(tuple(items), parts, mean, sd)


def _unpack_part(record: Record) -> BankPart:
    model = unpack_model(record.record("model"))
    positions = _array(record, "positions", 1)
    values = _array(record, "values", 2)
    n_free = sum(spec.is_free for spec in model.parameters)
    shape = (len(positions), n_free, n_free)
    covariance = np.asarray(_array(record, "covariance", None)).reshape(shape)
    if values.shape != (len(positions), len(model.parameters)) or not np.isfinite(values).all():
        raise record.refusal("its values are not one finite number per item and parameter")
    for spec, column in zip(model.parameters, values.T, strict=True):
        if not is_in_range(spec.transform, column):
            raise record.refusal(f"some {spec.name} is outside its range")
    if not np.array_equal(positions, positions.astype(int)):
        raise record.refusal("places must be whole numbers")
    return BankPart(model, positions.astype(int), values, covariance)


def _array(record: Record, name: str, dimensions: int | None) -> Array:
    try:
        # None stands for what is not known, and becomes NaN.
        found = np.array(record.content[name], dtype=float)
    except (KeyError, TypeError, ValueError):
        raise record.refusal(f"{name!r} must be an array of numbers") from None
    if dimensions is not None and found.ndim != dimensions:
        raise record.refusal(f"{name!r} must have {dimensions} dimensions")
    return found

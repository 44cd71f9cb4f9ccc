"""Calibration responses without gaps: what prediction and choice of items start from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

import numpy as np
from numpy.typing import ArrayLike, NDArray

from itemcurve.errors import ModelError, ResponsesError
from itemcurve.estimation.result import FitResult
from itemcurve.models.serialisation import Record
from itemcurve.numerics.engine import Array
from itemcurve.responses.matrix import Responses
from itemcurve.storage.json_documents import pack_line

FEWEST_RESPONDENTS = 5


@dataclass(frozen=True, eq=False)
class CompleteResponses:
    """Respondents × items, missing cells filled with what is expected of them."""

    respondents: tuple[str, ...]
    items: tuple[str, ...]
    array: Array

    @cached_property
    def mark(self) -> str:
        """SHA-256 of the items and the responses, by which a session knows its calibration."""
        mark = sha256("\n".join(self.items).encode("utf-8", "replace"))
        # Filled cells come from sums whose last digits depend on the machine.
        mark.update(np.round(self.array, 6).astype("<f8").tobytes())
        return mark.hexdigest()

    @property
    def content(self) -> bytes:
        """All of it as the bytes of a file: equal tables have equal ones."""
        table = {
            "respondents": list(self.respondents),
            "items": list(self.items),
            "responses": [" ".join(f"{value:.9g}" for value in row) for row in self.array],
        }
        return pack_line(table, "the calibration") + b"\n"

    @cached_property
    def content_mark(self) -> str:
        """SHA-256 of `content`, by which its file is named."""
        return sha256(self.content).hexdigest()

    @property
    def limits(self) -> tuple[float, float]:
        """Lowest and highest possible response: 0 and 1, or none where some lie outside these."""
        low, high = float(self.array.min()), float(self.array.max())
        # Scores between 0 and 1 may reach the ends although no one has yet.
        return (0.0, 1.0) if low >= 0 and high <= 1 else (-np.inf, np.inf)

    def positions(self, items: Sequence[str]) -> NDArray[np.int_]:
        """Places of items by name; refuse those that nobody was calibrated on."""
        places = self._places
        unknown = [item for item in items if item not in places]
        if unknown:
            raise unknown_items(unknown)
        return np.array([places[item] for item in items], dtype=int)

    @cached_property
    def _places(self) -> Mapping[str, int]:
        return {item: place for place, item in enumerate(self.items)}


def unpack_table(record: Record) -> CompleteResponses:
    """Rebuild what `CompleteResponses.content` described; safe on files from strangers."""
    items, respondents = record.texts("items"), record.texts("respondents")
    rows = record.content.get("responses")
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        raise record.refusal("its responses are not rows of numbers")
    try:
        array = np.array([[float(value) for value in row.split()] for row in rows], dtype=float)
    except ValueError as error:
        raise record.refusal(f"its responses are not numbers ({error})") from None
    is_table = array.shape == (len(respondents), len(items)) and len(set(items)) == len(items)
    if not is_table or not np.isfinite(array).all():
        raise record.refusal("its responses do not fit its items")
    return CompleteResponses(tuple(respondents), tuple(items), array)


def unknown_items(unknown: Sequence[str]) -> ResponsesError:
    """Give the error that names items which the calibration does not have."""
    shown = ", ".join(repr(item) for item in unknown[:5])
    return ResponsesError(
        "Every item must be in the calibration;",
        f"{len(unknown)} are not: {shown}{', …' if len(unknown) > 5 else ''}.",
        "Leave them out with unknown='leave out' (--leave-out-unknown), or calibrate on them.",
    )


def complete(given: FitResult | Responses | CompleteResponses) -> CompleteResponses:
    """Fill the gaps: by the model of a fit, else by row and column means.

    Examples
    --------
    >>> import itemcurve as ic
    >>> table = [[1, 1], [1, 0], [0, 0], [1, float("nan")], [0, 1]]
    >>> complete(ic.Responses.from_array(table)).array[3]
    array([1., 1.])
    """
    if isinstance(given, CompleteResponses):
        return given
    if not isinstance(given, FitResult | Responses):
        raise ModelError(
            "Calibration is a fit, or the responses of models evaluated before.",
            f"Got {type(given).__name__}.",
            "Use the result of itemcurve.fit, or Responses.read(path).",
        )
    responses = given.responses if isinstance(given, FitResult) else given
    if len(responses.respondents) < FEWEST_RESPONDENTS:
        raise ResponsesError(
            f"Scores are predicted from {FEWEST_RESPONDENTS} calibration respondents or more;",
            f"there are {len(responses.respondents)}.",
            "Add models that were evaluated before.",
        )
    observed = responses.array()
    missing = np.isnan(observed)
    if missing.any():
        expected = (
            given.expected_response(given.estimates.abilities)
            if isinstance(given, FitResult)
            else _additive(observed)
        )
        observed = np.where(missing, expected, observed)
    return CompleteResponses(responses.respondents, responses.items, observed)


def _additive(observed: Array) -> Array:
    """Row mean plus column mean less the mean of all, within the range of what was observed."""
    seen = ~np.isnan(observed)
    if not seen.any(axis=1).all() or not seen.any(axis=0).all():
        raise ResponsesError(
            "Every calibration respondent and item must have a response;",
            "some have none at all.",
            "Remove them with responses.drop_empty().",
        )
    filled = np.where(seen, observed, 0.0)
    rows = filled.sum(axis=1) / seen.sum(axis=1)
    # Of an item, what its own respondents lack against all: who answered it matters.
    gaps = np.where(seen, observed - rows[:, None], 0.0).sum(axis=0) / (seen.sum(axis=0) + 1)
    low, high = float(observed[seen].min()), float(observed[seen].max())
    return np.clip(np.broadcast_to(rows[:, None] + gaps, observed.shape), low, high)


def check_weights(
    weights: Mapping[str, float] | ArrayLike | None, items: Sequence[str]
) -> Array | None:
    """Weights of all items, summing to one; None where none were given."""
    if weights is None:
        return None
    if isinstance(weights, Mapping):
        given = np.array([weights.get(item, np.nan) for item in items], dtype=float)
    else:
        given = np.asarray(weights, dtype=float)
    is_sound = given.shape == (len(items),) and bool((given >= 0).all()) and given.sum() > 0
    if not is_sound or not np.isfinite(given.sum()):
        raise ModelError(
            "weights hold a number from 0 on for each item, some above 0.",
            f"Got shape {given.shape} for {len(items)} items.",
            "Leave them out where all items count the same.",
        )
    return np.asarray(given / given.sum())


def check_groups(
    groups: Mapping[str, str] | Sequence[str] | None, items: Sequence[str]
) -> tuple[tuple[str, ...], NDArray[np.int_]]:
    """Names of groups, and the number of each item's group; one group where none were given."""
    if groups is None:
        return ("",), np.zeros(len(items), dtype=int)
    given = [groups.get(item) for item in items] if isinstance(groups, Mapping) else list(groups)
    if len(given) != len(items) or any(name is None for name in given):
        raise ModelError(
            "groups name the group of every item.",
            f"Got {sum(name is not None for name in given)} for {len(items)} items.",
            "Give a mapping from item to group, or one name per item in order.",
        )
    names = tuple(dict.fromkeys(str(name) for name in given))
    code = {name: number for number, name in enumerate(names)}
    return names, np.array([code[str(name)] for name in given], dtype=int)


def balanced_weights(labels: NDArray[np.int_]) -> Array:
    """Weights under which every group counts the same."""
    sizes = np.bincount(labels)
    return np.asarray(1.0 / (len(sizes) * sizes[labels]))

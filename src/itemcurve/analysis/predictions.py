"""What respondents predicted for items whose given answer is known."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import EvaluationError

if TYPE_CHECKING:
    from itemcurve.analysis.labels.label_noise import LabelNoise

# Forecasts closer than this, in units of the spread of the targets, are one and the same.
_SAME = 1e-9


@dataclass(frozen=True, eq=False)
class Predictions:
    """Class probabilities of every respondent for every item, beside the given labels.

    Attributes
    ----------
    respondents, items, classes : names, in the order of the axes.
    probabilities : respondents × items × classes; 0 and 1 where a respondent names classes only.
    labels : position in `classes` of the label given to each item, right or wrong.
    others : the same probabilities by further repetitions of the cross-validation. Labels are
        judged by all of them together; whatever else is said of respondents is of the first.
    trusts_labels : whether labels are taken as given and not judged, as of groups of rows that no
        respondent has seen: there a group that differs looks like wrong labels.
    """

    respondents: tuple[str, ...]
    items: tuple[str, ...]
    classes: tuple[str, ...]
    probabilities: NDArray[np.floating]
    labels: NDArray[np.integer]
    others: tuple[NDArray[np.floating], ...] = ()
    trusts_labels: bool = False

    def __post_init__(self) -> None:
        """Refuse parts that do not fit together."""
        shape = (len(self.respondents), len(self.items), len(self.classes))
        shapes = {part.shape for part in (self.probabilities, *self.others)}
        if shapes != {shape} or self.labels.shape != shape[1:2]:
            raise EvaluationError(
                f"Probabilities must be of shape {shape} and labels one per item;",
                f"given are {', '.join(map(str, sorted(shapes)))} and {self.labels.shape}.",
                "Order the axes respondents, items, classes.",
            )
        if self.labels.size and not 0 <= self.labels.min() <= self.labels.max() < shape[2]:
            raise EvaluationError(
                f"Labels must be positions in the {shape[2]} classes;",
                f"given are {self.labels.min()} to {self.labels.max()}.",
                "Count classes from 0.",
            )

    @cached_property
    def chosen(self) -> NDArray[np.integer]:
        """Position of the most probable class, the first of equals (respondents × items)."""
        return np.asarray(np.argmax(self.probabilities, axis=2))

    @cached_property
    def of_label(self) -> NDArray[np.floating]:
        """Probability given to the label of each item (respondents × items)."""
        return np.take_along_axis(
            self.probabilities, self.labels[np.newaxis, :, np.newaxis], axis=2
        )[:, :, 0]

    @cached_property
    def is_reference(self) -> NDArray[np.bool_]:
        """Whether each respondent says the same of every item: a mark to compare with, no model."""
        from itemcurve.analysis.labels.label_pool import find_constants

        return find_constants(self.probabilities)

    @cached_property
    def label_noise(self) -> "LabelNoise":
        """What all respondents together say of the true labels; found once."""
        from itemcurve.analysis.labels.label_noise import find_label_noise, take_labels
        from itemcurve.analysis.labels.repeated_noise import join_noise

        if self.trusts_labels:
            return take_labels(self.labels, *self.probabilities.shape[::2])
        parts = (self.probabilities, *self.others)
        return join_noise([find_label_noise(part, self.labels) for part in parts])


@dataclass(frozen=True, eq=False)
class Forecasts:
    """Predicted numbers of every respondent for every item, beside the given targets.

    Attributes
    ----------
    respondents, items : names, in the order of the axes.
    values : respondents × items.
    targets : what was given for each item.
    oracles : respondents that were computed from the targets, as the best prediction of each item.
    """

    respondents: tuple[str, ...]
    items: tuple[str, ...]
    values: NDArray[np.floating]
    targets: NDArray[np.floating]
    oracles: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse parts that do not fit together."""
        shape = (len(self.respondents), len(self.items))
        if self.values.shape != shape or self.targets.shape != shape[1:]:
            raise EvaluationError(
                f"Forecasts must be of shape {shape} and targets one per item;",
                f"given are {self.values.shape} and {self.targets.shape}.",
                "Order the axes respondents, items.",
            )

    @cached_property
    def is_constant(self) -> NDArray[np.bool_]:
        """Whether each respondent predicts the same number for every item."""
        unit = np.ptp(self.targets) or 1.0
        return np.asarray(np.ptp(self.values, axis=1) < _SAME * unit)

    @cached_property
    def is_reference(self) -> NDArray[np.bool_]:
        """Whether each respondent is a mark to compare with, no model: constants and oracles."""
        return np.asarray(self.is_constant | np.isin(self.respondents, self.oracles))

    @property
    def usual_error(self) -> float:
        """Mean distance of a target from the mean target: the error of always predicting that."""
        return float(np.abs(self.targets - self.targets.mean()).mean())

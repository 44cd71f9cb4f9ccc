"""How often labels were given, named and both: all that metrics of hard labels rest on."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class LabelCounts:
    """Margins and diagonal of the confusion matrix of every respondent.

    A ratio whose denominator is 0 is 0, as in scikit-learn.

    Attributes
    ----------
    given : items of each class (classes).
    named : items that each respondent puts in each class (respondents × classes).
    hits : of these, the items that belong there (respondents × classes).
    positive : with two classes, the one whose F1, precision and recall are meant; None for means
        over classes.
    """

    given: Counts
    named: Counts
    hits: Counts
    positive: int | None

    @property
    def size(self) -> int:
        """Number of items."""
        return int(self.given.sum())

    def accuracy(self) -> Floats:
        """Share of items whose class is named."""
        return np.asarray(self.hits.sum(axis=1) / self.size)

    def f1(self) -> Floats:
        """Harmonic mean of precision and recall."""
        return self._summarise(_divide(2 * self.hits, self.given + self.named), self._occurs())

    def precision(self) -> Floats:
        """Share of the items put in a class that belong there."""
        return self._summarise(_divide(self.hits, self.named), self._occurs())

    def recall(self) -> Floats:
        """Share of the items of a class that are put there."""
        return self._summarise(_divide(self.hits, self.given), self._occurs())

    def specificity(self) -> Floats:
        """Share of the items of other classes that are put elsewhere."""
        return self._summarise(self._class_specificity(), self._is_given())

    def area_under_curve(self) -> Floats:
        """(recall + specificity) / 2: the area under the ROC curve of labels for probabilities.

        With two classes it is the balanced accuracy.
        """
        areas = (_divide(self.hits, self.given) + self._class_specificity()) / 2
        return self._summarise(areas, self._is_given())

    def correlation(self) -> Floats:
        """Matthews' correlation for any number of classes (Gorodkin 2004)."""
        cross = self.hits.sum(axis=1) * self.size - self.named @ self.given
        spread = (self.size**2 - (self.named**2).sum(axis=1)).astype(float)
        spread *= float(self.size**2 - (self.given**2).sum())
        return _divide(cross, np.sqrt(spread))

    def _class_specificity(self) -> Floats:
        rejected = self.size - self.given - self.named + self.hits
        return _divide(rejected, self.size - self.given)

    def _occurs(self) -> NDArray[np.bool_]:
        """Whether a class is given, or named by the respondent: those scikit-learn averages."""
        return np.asarray(self.given + self.named > 0)

    def _is_given(self) -> NDArray[np.bool_]:
        """A class that is never given has no ROC curve."""
        return np.broadcast_to(self.given > 0, self.named.shape)

    def _summarise(self, values: Floats, counted: NDArray[np.bool_]) -> Floats:
        """That of the positive class, or the mean over the classes that count."""
        if self.positive is not None:
            return values[:, self.positive]
        return np.asarray(values.mean(axis=1, where=counted))


def count_labels(
    labels: NDArray[np.integer], named: NDArray[np.integer], classes: int, positive: int = 1
) -> LabelCounts:
    """Count the labels of every respondent.

    Parameters
    ----------
    labels, named : positions of classes, given and predicted (items; respondents × items).
    classes : how many there are; with any but two, metrics are means over classes.
    positive : the positive class of two.
    """
    chosen = np.stack([np.bincount(row, minlength=classes) for row in named])
    hits = np.stack([np.bincount(row[row == labels], minlength=classes) for row in named])
    given = np.bincount(labels, minlength=classes)
    return LabelCounts(given, chosen, hits, positive if classes == 2 else None)


def _divide(above: NDArray[Any], below: NDArray[Any]) -> Floats:
    found = np.zeros(above.shape)
    np.divide(above, below, out=found, where=np.broadcast_to(below > 0, above.shape))
    return found

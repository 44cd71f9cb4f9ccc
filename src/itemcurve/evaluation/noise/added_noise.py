"""Noise put into data on purpose: wrong labels, blurred targets, blurred features."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from itemcurve.errors import EvaluationError
from itemcurve.evaluation.collecting.targets import check_labels, check_targets, find_classes
from itemcurve.evaluation.noise.perturbation import check_level, perturb_features


@dataclass(frozen=True, eq=False)
class Noisy:
    """Values after noise, and which of them it changed.

    Attributes
    ----------
    values : of the same shape as given.
    changed : True where noise was put in.
    """

    values: Any
    changed: NDArray[np.bool_]


def flip_labels(y: ArrayLike, fraction: float, seed: int) -> Noisy:
    """Give a share of the labels another class, drawn evenly from the others.

    Exactly ⌊fraction · n⌋ labels are wrong afterwards.

    Parameters
    ----------
    fraction : share of labels to flip, from 0 to 1.

    Examples
    --------
    >>> flip_labels([0, 0, 1, 1, 1], 0.4, seed=1).changed.sum().item()
    2
    """
    labels = check_labels(y, "y")
    classes = find_classes(labels)
    check_share(fraction, "fraction")
    rng = np.random.default_rng(seed)
    chosen = rng.choice(len(labels), int(fraction * len(labels)), replace=False)
    count = len(classes.names)
    # Going on by 1 to K − 1 places in the circle of classes never ends where it started.
    shift = rng.integers(1, count, size=len(chosen))
    places = classes.positions(labels)
    places[chosen] = (places[chosen] + shift) % count
    changed = np.zeros(len(labels), dtype=bool)
    changed[chosen] = True
    return Noisy(classes.values[places], changed)


def blur_targets(y: ArrayLike, level: float, seed: int) -> Noisy:
    """Add normal noise to all targets.

    Parameters
    ----------
    level : standard deviation of the noise, in standard deviations of the targets.

    Examples
    --------
    >>> blur_targets([1.0, 2.0, 3.0], 0.0, seed=1).values.tolist()
    [1.0, 2.0, 3.0]
    """
    targets = check_targets(y, "y")
    check_level(level)
    noise = np.random.default_rng(seed).normal(size=len(targets)) * level * targets.std()
    return Noisy(targets + noise, np.full(len(targets), level > 0))


def blur_features(
    X: Any, level: float, seed: int, *, fraction: float = 1.0, reference: Any = None
) -> Noisy:
    """Blur the features of a share of the rows (Fabra-Boluda et al.).

    A number x becomes a draw from N(x, (level · sd)²) with the standard deviation of its column. A
    category is drawn anew with probability 1 − exp(−level), from the frequencies of its column.

    Parameters
    ----------
    X : array or table.
    level : how much.
    fraction : share of the rows that get noise.
    reference : where standard deviations and frequencies come from, as the training set; X itself
        when left out.

    Examples
    --------
    >>> blur_features([[1.0], [2.0], [4.0], [8.0]], 0.2, seed=1, fraction=0.5).changed.sum().item()
    2
    """
    check_level(level)
    check_share(fraction, "fraction")
    rng = np.random.default_rng(seed)
    is_table = hasattr(X, "iloc")
    given: Any = X if is_table else np.array(X, dtype=np.float64)
    known = given if reference is None else reference
    rows = rng.choice(len(given), int(fraction * len(given)), replace=False)
    changed = np.zeros(len(given), dtype=bool)
    changed[rows] = level > 0
    blurred = perturb_features(given, known, level, rng)
    if is_table:
        for place, kind in enumerate(blurred.dtypes):
            former = given.iloc[:, place].astype(kind)
            blurred.isetitem(place, blurred.iloc[:, place].where(changed, former))
        return Noisy(blurred, changed)
    return Noisy(np.where(changed[:, np.newaxis], blurred, given), changed)


def check_share(fraction: float, what: str) -> None:
    """Raise unless it lies between 0 and 1."""
    if not 0 <= fraction <= 1:
        raise EvaluationError(
            f"{what} must be a share from 0 to 1;", f"given is {fraction}.", "Use 0.2 for 20 %."
        )

"""Noise put into data on purpose: wrong labels, blurred targets, blurred features."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from itemcurve.errors import EvaluationError
from itemcurve.evaluation.targets import check_labels, check_targets, find_classes

if TYPE_CHECKING:
    import pandas


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
    _check_share(fraction, "fraction")
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
    _check_level(level)
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
    _check_level(level)
    _check_share(fraction, "fraction")
    rng = np.random.default_rng(seed)
    is_table = hasattr(X, "iloc")
    values: Any = X.copy() if is_table else np.array(X, dtype=np.float64)
    known = values.copy() if reference is None else reference
    rows = rng.choice(len(values), int(fraction * len(values)), replace=False)
    if is_table:
        for place in range(values.shape[1]):
            name = values.columns[place]
            values[name] = _blurred(values[name], known[name], rows, level, rng)
    else:
        spread = np.nanstd(np.asarray(known, dtype=np.float64), axis=0)
        values[rows] += rng.normal(size=(len(rows), values.shape[1])) * level * spread
    changed = np.zeros(len(values), dtype=bool)
    changed[rows] = level > 0
    return Noisy(values, changed)


def _blurred(
    column: "pandas.Series",
    known: "pandas.Series",
    rows: NDArray[np.intp],
    level: float,
    rng: np.random.Generator,
) -> "pandas.Series":
    from pandas.api import types

    if types.is_numeric_dtype(column) and not types.is_bool_dtype(column):
        blurred = column.astype(np.float64)
        noise = rng.normal(size=len(rows)) * level * float(known.std(ddof=0))
        blurred.iloc[rows] = blurred.iloc[rows] + noise
        return blurred
    drawn = known.dropna().sample(len(rows), replace=True, random_state=rng)
    redraw = rng.random(len(rows)) < 1 - np.exp(-level)
    blurred = column.copy()
    blurred.iloc[rows[redraw]] = drawn.to_numpy()[redraw]
    return blurred


def _check_share(fraction: float, what: str) -> None:
    if not 0 <= fraction <= 1:
        raise EvaluationError(
            f"{what} must be a share from 0 to 1;", f"given is {fraction}.", "Use 0.2 for 20 %."
        )


def _check_level(level: float) -> None:
    if not (level >= 0 and np.isfinite(level)):
        raise EvaluationError(
            "The level of noise must be a finite number from 0;",
            f"given is {level}.",
            "Use 0.2 for a fifth of a standard deviation.",
        )

"""How a claim of the Γ paper is decided: by the published objective and by joint MAP together."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from itemcurve_studies.gamma.regressors import METHODS, RESPONDENTS
from itemcurve_studies.study.claims import Verdict, judge

Floats = NDArray[np.float64]


def judge_both(holds: Sequence[bool], partly: bool = False) -> Verdict:
    """Say that a claim holds when it does by every method; in part when by some or when `partly`.

    Examples
    --------
    >>> judge_both([True, False])
    'holds in part'
    """
    return judge(all(holds), any(holds) or partly)


def say_both(texts: Sequence[str]) -> str:
    """Put the values of all methods side by side."""
    return "; ".join(f"{name}: {text}" for name, text in zip(METHODS, texts, strict=True))


def places(names: Sequence[str]) -> list[int]:
    """Positions of respondents."""
    return [RESPONDENTS.index(name) for name in names]


def mean_and_error(values: ArrayLike) -> tuple[float, float]:
    """Mean over repetitions (the first axis) and its standard error."""
    found = np.asarray(values, dtype=float)
    error = found.std(ddof=1) / np.sqrt(len(found)) if len(found) > 1 else np.nan
    return float(found.mean()), float(error)


def say_mean(values: ArrayLike, digits: int = 3) -> str:
    """Mean ± standard error, as people read it."""
    mean, error = mean_and_error(values)
    return f"{mean:.{digits}f} ± {error:.{digits}f}"


def is_above(values: ArrayLike, bound: float = 0.0) -> bool:
    """Whether the mean lies two standard errors above the bound."""
    mean, error = mean_and_error(values)
    return bool(mean - 2 * np.nan_to_num(error) > bound)


def slopes(values: Floats, levels: Floats) -> Floats:
    """Least-squares slope along the levels of noise, for each repetition (repetitions × levels)."""
    gaps = levels - levels.mean()
    return np.asarray(values @ gaps / (gaps @ gaps))

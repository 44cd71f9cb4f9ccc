"""How many abilities the responses of a benchmark hold, beside what permuted answers give.

The count is that of `ic.fit(…, dimensions="auto")`, and the same on data of a usual size; of larger
ones a sample is counted, so that it takes a second.
"""

from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.model_fit.margin_permutation import permute_within_margins
from itemcurve.estimation.dimensions.dimension_choice import (
    TRIED,
    DimensionChoice,
    choose_dimensions,
)
from itemcurve.estimation.dimensions.fit_dimensions import score_number
from itemcurve.estimation.fit import read_settings
from itemcurve.estimation.thread_limit import few_threads
from itemcurve.responses.matrix import Responses

Floats = NDArray[np.float64]

# More cells cost time and change the answer little.
_MOST_RESPONDENTS, _MOST_CELLS = 250, 40_000
LEAST_RESPONDENTS, LEAST_ITEMS = 20, 20
# Answers and scores from 0 to 1 alike, under log-loss.
_MODEL = "fractional-2pl"


def count_abilities(values: Floats, *, seed: int = 0) -> DimensionChoice | None:
    """Find how many abilities predict left-out cells best; None where there are too few of them.

    Parameters
    ----------
    values : responses from 0 to 1 (respondents × items), NaN where not observed.

    Examples
    --------
    >>> import itemcurve as ic
    >>> responses = ic.simulate("2pl", respondents=60, items=60, seed=1).responses
    >>> count_abilities(responses.array()).best
    1
    """
    rng = np.random.default_rng(seed)
    if not _is_enough(values):
        return None
    kept = _sample(values, rng)
    found = _choose(kept, TRIED, seed)
    if found.best > 1:
        permuted = _choose(permute_within_margins(kept, rng), (1, found.best), seed)
        found = replace(found, by_chance=float(permuted.gains[-1]))
    return found


def _choose(values: Floats, tried: tuple[int, ...], seed: int) -> DimensionChoice:
    model, _, _ = read_settings(_MODEL)
    scoring, responses = partial(score_number, model), Responses.from_array(values)
    with few_threads(responses):
        return choose_dimensions(responses, scoring, seed=seed, tried=tried)


def _telling(values: Floats) -> NDArray[np.bool_]:
    """Items that someone has right and someone wrong."""
    seen = ~np.isnan(values)
    count = seen.sum(axis=0)
    means = np.where(seen, values, 0.0).sum(axis=0) / np.maximum(count, 1)
    return np.asarray((count > 1) & (means > 0) & (means < 1))


def _is_enough(values: Floats) -> bool:
    seen = ~np.isnan(values[:, _telling(values)])
    answering = int(seen.any(axis=1).sum())
    is_wide = answering >= LEAST_RESPONDENTS and seen.shape[1] >= LEAST_ITEMS
    return bool(is_wide and seen.sum() >= LEAST_RESPONDENTS * LEAST_ITEMS)


def _sample(values: Floats, rng: np.random.Generator) -> Floats:
    """All that was answered; of large data no more than pays, items that tell something."""
    seen = ~np.isnan(values)
    kept = values[seen.any(axis=1)][:, seen.any(axis=0)]
    if kept.size <= _MOST_CELLS:
        return kept
    kept = kept[:, _telling(kept)]
    if len(kept) > _MOST_RESPONDENTS:
        kept = kept[np.sort(rng.choice(len(kept), _MOST_RESPONDENTS, replace=False))]
    most = _MOST_CELLS // len(kept)
    if kept.shape[1] > most:
        kept = kept[:, np.sort(rng.choice(kept.shape[1], most, replace=False))]
    return np.asarray(kept[:, (~np.isnan(kept)).sum(axis=0) > 1])

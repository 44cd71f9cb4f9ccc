"""How many abilities the responses of a benchmark hold, beside what permuted answers give.

The count is that of `ic.fit(…, dimensions="auto")`, on a sample where data are large, so that it
takes a second.
"""

from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.model_fit.margin_permutation import permute_within_margins
from itemcurve.estimation.dimensions.dimension_choice import DimensionChoice, choose_dimensions
from itemcurve.estimation.dimensions.fit_dimensions import score_number
from itemcurve.estimation.fit import read_settings
from itemcurve.estimation.thread_limit import few_threads
from itemcurve.responses.matrix import Responses

Floats = NDArray[np.float64]

_TRIED = (1, 2, 3, 4, 6)
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
    kept = _sample(values, rng)
    is_enough = kept.shape[0] >= LEAST_RESPONDENTS and kept.shape[1] >= LEAST_ITEMS
    if not is_enough or (~np.isnan(kept)).sum() < LEAST_RESPONDENTS * LEAST_ITEMS:
        return None
    found = _choose(kept, _TRIED, seed)
    if found.best > 1:
        permuted = _choose(permute_within_margins(kept, rng), (1, found.best), seed)
        found = replace(found, by_chance=float(permuted.gains[-1]))
    return found


def _choose(values: Floats, tried: tuple[int, ...], seed: int) -> DimensionChoice:
    model, _, _ = read_settings(_MODEL)
    scoring, responses = partial(score_number, model), Responses.from_array(values)
    with few_threads(responses):
        return choose_dimensions(responses, scoring, seed=seed, tried=tried)


def _sample(values: Floats, rng: np.random.Generator) -> Floats:
    """Items that someone has right and someone wrong, and no more of the data than pays."""
    seen = ~np.isnan(values)
    count = seen.sum(axis=0)
    means = np.where(seen, values, 0.0).sum(axis=0) / np.maximum(count, 1)
    kept = values[:, (count > 1) & (means > 0) & (means < 1)]
    kept = kept[~np.isnan(kept).all(axis=1)]
    if len(kept) > _MOST_RESPONDENTS:
        kept = kept[np.sort(rng.choice(len(kept), _MOST_RESPONDENTS, replace=False))]
    most = _MOST_CELLS // max(len(kept), 1)
    if kept.shape[1] > most:
        kept = kept[:, np.sort(rng.choice(kept.shape[1], most, replace=False))]
    return np.asarray(kept)

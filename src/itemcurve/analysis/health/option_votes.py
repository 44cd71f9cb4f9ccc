"""What the options chosen say about keys: the best other option, and how answers scatter."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# How evenly errors spread over the other options: the parameter of a symmetric Dirichlet, taken
# where the answers of all items together are most likely.
_CONCENTRATIONS = (0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.5)
# Free answers have no list of options; they scatter as over this many.
_MOST_OPTIONS = 20


@dataclass(frozen=True, eq=False)
class OptionVotes:
    """Votes for the most chosen option that is not the key.

    Attributes
    ----------
    other : position of that option, by item; −1 where nobody chose one.
    for_other : whether a respondent chose it (respondents × items).
    is_known : whether the choice of a respondent is known (respondents × items).
    scatter_of_key : log-probability of how the answers that are not the key spread, by item.
    scatter_of_other : the same of answers that are not the other option, if that is the truth.
    concentration : how evenly errors spread over the other options (symmetric Dirichlet).
    n_options : number of options, by item.
    """

    other: NDArray[np.int64]
    for_other: NDArray[np.bool_]
    is_known: NDArray[np.bool_]
    scatter_of_key: Floats
    scatter_of_other: Floats
    concentration: float
    n_options: NDArray[np.int64]

    @property
    def share_of_other(self) -> Floats:
        """Share of the known choices that are for the other option, by item."""
        return np.asarray(self.for_other.sum(axis=0) / np.maximum(self.is_known.sum(axis=0), 1))


def count_votes(
    values: Floats, chosen: NDArray[np.int32], groups: NDArray[np.integer]
) -> OptionVotes | None:
    """Count votes against the keys; None where no choice is known.

    Parameters
    ----------
    values : responses from 0 to 1 (respondents × items), NaN where not observed.
    chosen : codes of the options chosen (respondents × items), −1 where not known.
    """
    is_known = (chosen >= 0) & ~np.isnan(values)
    is_right = is_known & (values > 0.5)
    if not is_known.any():
        return None
    weight = _weights(values)
    n_items = values.shape[1]
    other = np.full(n_items, -1, dtype=np.int64)
    counts: list[tuple[NDArray[np.intp], int, int]] = []
    for item in range(n_items):
        rows = np.flatnonzero(is_known[:, item])
        names, place = np.unique(chosen[rows, item], return_inverse=True)
        number = np.bincount(place, minlength=names.size)
        right = np.bincount(place, weights=is_right[rows, item], minlength=names.size)
        is_key = 2 * right > number
        strength = np.bincount(place, weights=weight[rows], minlength=names.size)
        strength[is_key] = -1
        best = int(np.argmax(strength)) if names.size and not is_key.all() else -1
        if best >= 0:
            other[item] = names[best]
        counts.append((number, int(number[is_key].sum()), best))
    options = _count_options(chosen, is_known, groups)
    return OptionVotes(
        other,
        is_known & (chosen == other),
        is_known,
        *_scatter(counts, options),
        options,
    )


def measure_agreement(values: Floats, chosen: NDArray[np.int32]) -> float:
    """Share of known choices that are scored as the same option mostly is; 1 where none is known.

    One option of an item is right and the others are wrong, whoever chooses them: choices of which
    that does not hold are not those that were scored.
    """
    rows, items = np.nonzero((chosen >= 0) & ~np.isnan(values))
    if not rows.size:
        return 1.0
    width = int(chosen.max()) + 1
    place = items * width + chosen[rows, items]
    number = np.bincount(place)
    right = np.bincount(place, weights=values[rows, items] > 0.5)
    return float(np.maximum(right, number - right).sum() / rows.size)


def draw_options(
    values: Floats, votes: OptionVotes, random: np.random.Generator
) -> NDArray[np.int32]:
    """Draw what would be chosen if all keys were right and errors scattered as they do.

    The key is option 0; of every item the others get shares of their own.

    Parameters
    ----------
    values : who is right (respondents × items), NaN where not observed.
    """
    n_items, width = votes.n_options.size, int(votes.n_options.max()) - 1
    shares = random.gamma(votes.concentration, size=(n_items, width))
    shares[np.arange(width) >= votes.n_options[:, np.newaxis] - 1] = 0.0
    # A very small concentration may draw zeros throughout: then one option takes all.
    shares[:, 0] += np.where(shares.sum(axis=1) > 0, 0.0, 1.0)
    limits = np.cumsum(shares, axis=1) / shares.sum(axis=1, keepdims=True)
    place = (random.random(values.shape)[..., np.newaxis] > limits).sum(axis=2)
    drawn = np.where(values > 0.5, 0, 1 + np.minimum(place, width - 1))
    return np.where(votes.is_known & ~np.isnan(values), drawn, -1).astype(np.int32)


def _weights(values: Floats) -> Floats:
    """Respondents by their score: the votes of the able count for more."""
    seen = ~np.isnan(values)
    share = (np.where(seen, values, 0.0).sum(axis=1) + 0.5) / (seen.sum(axis=1) + 1)
    strength = np.log(share / (1 - share))
    return np.asarray(strength - strength.min() + 0.3)


def _count_options(
    chosen: NDArray[np.int32], is_known: NDArray[np.bool_], groups: NDArray[np.integer]
) -> NDArray[np.int64]:
    """Number of options of each item: as many as its group has, within reason."""
    found = np.empty(chosen.shape[1], dtype=np.int64)
    for group in np.unique(groups):
        here = groups == group
        number = np.unique(chosen[:, here][is_known[:, here]]).size
        found[here] = min(max(number, 2), _MOST_OPTIONS)
    return found


def _scatter(
    counts: list[tuple[NDArray[np.intp], int, int]], options: NDArray[np.int64]
) -> tuple[Floats, Floats, float]:
    """Log-probabilities of the answers beside the key and beside the other option; the spread."""
    from scipy.special import gammaln

    width = max(number.size for number, _, _ in counts)
    votes = np.array([np.pad(number, (0, width - number.size)) for number, _, _ in counts])
    total = votes.sum(axis=1)
    of_key = np.array([key for _, key, _ in counts], dtype=float)
    of_other = np.array([number[best] if best >= 0 else 0 for number, _, best in counts])
    found = []
    for spread in _CONCENTRATIONS:
        gains = (gammaln(votes + spread) - gammaln(spread)).sum(axis=1)
        whole = spread * (options - 1)
        pair = []
        for own in (of_key, of_other):
            rest = total - own
            gain = gains - (gammaln(own + spread) - gammaln(spread))
            pair.append(gammaln(whole) - gammaln(whole + rest) + gain)
        # Most keys are right: how answers scatter around them tells the spread.
        likelihood = float(pair[0].sum())
        found.append((likelihood, pair[0], pair[1] - np.log(options - 1), spread))
    _, key, other, concentration = max(found, key=lambda entry: entry[0])
    return key, other, concentration

"""Plausible values: abilities drawn from what the responses leave possible (Mislevy 1991).

Estimates of ability vary less than abilities do, so their spread, and how they go together with
anything else, is not that of the abilities. That of draws is.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import numpy as np

from itemcurve.bank.ability_estimation import log_likelihood_around
from itemcurve.errors import ModelError
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import axes

if TYPE_CHECKING:
    import pandas

    from itemcurve.bank.item_bank import Bank
    from itemcurve.responses.matrix import Responses

# In standard errors of each respondent: what lies beyond is less than one draw in a million.
_REACH, _POINTS = 6.0, 121
LogPrior = Callable[[Array], Array]
"""Log density of ability at points (respondents × points), up to a constant of each respondent."""


class Combined(NamedTuple):
    """A statistic of abilities: its value and standard error (Rubin 1987)."""

    value: float
    error: float


@dataclass(frozen=True, eq=False)
class PlausibleValues:
    """Draws of abilities.

    Attributes
    ----------
    respondents : who.
    names : of the abilities.
    values : draws × respondents × abilities.
    """

    respondents: tuple[str, ...]
    names: tuple[str, ...]
    values: Annotated[Array, axes("draws respondents dimensions")]

    def frame(self) -> "pandas.DataFrame":
        """One row per draw and respondent, a column for each ability."""
        import pandas

        draws, count, _ = self.values.shape
        columns: dict[str, Any] = {
            "draw": np.repeat(np.arange(1, draws + 1), count),
            "respondent": np.tile(np.array(self.respondents, dtype=object), draws),
        }
        for place, name in enumerate(self.names):
            columns[name] = self.values[:, :, place].ravel()
        return pandas.DataFrame(columns)

    def combine(self, statistic: Callable[[Array], Any]) -> Combined:
        """A statistic of the abilities, averaged over draws.

        Parameters
        ----------
        statistic : of abilities (respondents, or respondents × abilities where there are several);
            gives a number, or a number and its sampling variance. Without the variance, the error
            tells only what measurement leaves open.
        """
        size = len(self.names)
        found = [statistic(own[:, 0] if size == 1 else own) for own in self.values]
        pairs = np.array([own if np.ndim(own) else (own, 0.0) for own in found], dtype=float)
        if pairs.ndim != 2 or pairs.shape[1] != 2:
            raise ModelError(
                "A statistic gives a number, or a number and its variance.",
                f"Got {found[0]!r}.",
                "Return for example abilities.mean().",
            )
        values, variances = pairs.T
        between = values.var(ddof=1) if len(values) > 1 else 0.0
        total = variances.mean() + (1 + 1 / len(values)) * between
        return Combined(float(values.mean()), float(np.sqrt(total)))

    def __repr__(self) -> str:
        draws, count, size = self.values.shape
        return f"PlausibleValues({draws} draws of {size} × {count:,} abilities)"


def check_draws(draws: int) -> None:
    """Raise unless a number of draws is one."""
    if not isinstance(draws, int) or isinstance(draws, bool) or draws < 1:
        raise ModelError(
            "Plausible values need a number of draws from 1.", f"Got {draws!r}.", "Use draws=10."
        )


def draw_on_grid(
    bank: "Bank",
    responses: "Responses",
    around: tuple[Array, Array],
    log_prior: LogPrior,
    draws: int,
    seed: int,
) -> Annotated[Array, axes("draws respondents")]:
    """Draw each respondent's ability given the items, whatever the shape of what is known of it.

    Parameters
    ----------
    around : posterior mean and standard deviation of each.
    """
    centre, spread = around
    offsets = np.linspace(-_REACH, _REACH, _POINTS)
    points = centre[:, None] + spread[:, None] * offsets
    heights = log_likelihood_around(bank, responses, points) + log_prior(points)
    mass = np.exp(heights - heights.max(axis=1, keepdims=True))
    # Between two points the density is taken as a straight line's mean.
    steps = (mass[:, 1:] + mass[:, :-1]) / 2
    shares = np.cumsum(steps, axis=1)
    shares = np.concatenate([np.zeros((len(mass), 1)), shares], axis=1) / shares[:, -1:]
    chances = np.random.default_rng(seed).random((draws, len(mass)))
    found = [np.interp(chances[:, row], shares[row], offsets) for row in range(len(mass))]
    return centre + spread * np.stack(found, axis=1)


def draw_normally(
    centre: Annotated[Array, axes("respondents dimensions")],
    covariance: Annotated[Array, axes("respondents dimensions dimensions")],
    draws: int,
    seed: int,
) -> Annotated[Array, axes("draws respondents dimensions")]:
    """Draw abilities from normal posteriors."""
    values, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(np.maximum(values, 0.0))[:, None, :]
    noise = np.random.default_rng(seed).standard_normal((draws, *centre.shape))
    return centre + np.einsum("rij,drj->dri", root, noise)


def normal_log_prior(mean: Array, sd: Array) -> LogPrior:
    """Normal abilities, with a mean and a spread for each respondent."""
    return lambda points: -0.5 * ((points - mean[:, None]) / sd[:, None]) ** 2


def known_log_prior(abilities: Sequence[float] | Array, heights: Array) -> LogPrior:
    """A density known at ascending abilities, straight between them; none beyond."""
    log = np.log(np.maximum(heights, 1e-300))
    return lambda points: np.interp(points, abilities, log)

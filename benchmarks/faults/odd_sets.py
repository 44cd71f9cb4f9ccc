"""Small data sets that are odd on purpose, each drawn from a seed and its number alone."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import itemcurve as ic
from itemcurve.estimation.method import Method

Matrix = NDArray[np.float64]
Change = Callable[[Matrix, np.random.Generator], Matrix]

BINARY = ("rasch", "1pl", "2pl", "3pl", "4pl")
UNIT = ("beta3", "2pl-nd", "logit-normal", "fractional-1pl", "fractional-2pl", "fractional-beta3")
POSITIVE = ("gamma", "gamma-normalised", "rasch-errors")
GRADES = ("grm", "gpcm", "pcm", "rsm", "grsm", "sequential", "nrm")
MODELS = (*BINARY, *UNIT, *POSITIVE, *GRADES)

METHODS: dict[str, Method] = {
    "marginal": ic.Marginal(),
    "over respondents": ic.Marginal(over="respondents"),
    "over items": ic.Marginal(over="items"),
    "total errors": ic.Marginal(over="respondents", ability_errors="total"),
    "fixed priors": ic.Marginal(item_priors="fixed"),
    "joint": ic.Joint(),
    "joint ml": ic.Joint(objective="ml"),
    "log-loss": ic.Joint(objective="log-loss"),
    "variational": ic.Variational(),
    "mean-field": ic.Variational(posterior="mean-field"),
}
# Sampling compiles for every shape: one set in so many, and few draws.
EVERY_SAMPLED = 120
SAMPLED = ic.MCMC(chains=2, warmup=50, draws=50)
# How many sets are brought back into the range of their model, however odd they are inside it.
_TAME = 0.8
_ROWS, _COLUMNS = (1, 2, 3, 4, 5, 6, 8, 12, 40), (1, 2, 3, 4, 5, 6, 8, 20)


@dataclass(frozen=True)
class OddSet:
    """One data set, and what is to be fitted to it."""

    number: int
    model: str
    method: str
    has_priors: bool
    values: Matrix
    weights: Matrix | None
    oddities: tuple[str, ...]

    def __str__(self) -> str:
        """Say which it is."""
        priors = "" if self.has_priors else ", no priors"
        shape = "×".join(map(str, self.values.shape))
        return f"{self.number}: {self.model}, {self.method}{priors}, {shape}, {self.oddities}"

    @property
    def settings(self) -> Method:
        """How it is fitted."""
        return SAMPLED if self.method == "mcmc" else METHODS[self.method]


def draw_odd_set(seed: int, number: int) -> OddSet:
    """Draw the set of this number: models and methods take turns, oddities are random."""
    rng = np.random.default_rng([seed, number])
    model = MODELS[number % len(MODELS)]
    names = list(METHODS)
    method = names[number // len(MODELS) % len(names)]
    if number % EVERY_SAMPLED == EVERY_SAMPLED - 1:
        method = "mcmc"
    shape = int(rng.choice(_ROWS)), int(rng.choice(_COLUMNS))
    values = _plain(model, shape, rng)
    oddities = [str(name) for name in rng.choice(list(_CHANGES), int(rng.integers(0, 3)), False)]
    for name in oddities:
        values = _CHANGES[name](values.copy(), rng)
    if rng.random() < _TAME:
        values = _into_range(model, values)
    weights = None
    if rng.random() < 0.3:
        kind = str(rng.choice(list(_WEIGHTS)))
        oddities.append(f"weights {kind}")
        weights = _WEIGHTS[kind](values, rng)
    # Bounds need priors: what has none is refused at once and would show nothing.
    has_priors = bool(rng.random() < 0.75) or method in ("variational", "mean-field", "over items")
    return OddSet(number, model, method, has_priors, values, weights, tuple(oddities))


def _plain(model: str, shape: tuple[int, int], rng: np.random.Generator) -> Matrix:
    """Draw a set that nothing is odd about but its size."""
    ability, difficulty = rng.normal(size=(shape[0], 1)), rng.normal(size=(1, shape[1]))
    chance = 1 / (1 + np.exp(-rng.lognormal(0, 0.5, (1, shape[1])) * (ability - difficulty)))
    if model in BINARY:
        return (rng.random(shape) < chance).astype(float)
    if model in GRADES:
        return rng.binomial(int(rng.choice([1, 2, 4])), chance).astype(float)
    if model == "rasch-errors":
        return rng.poisson(3 * np.exp(-ability - difficulty)).astype(float)
    if model in POSITIVE:
        size = rng.gamma(2, 0.5, shape) * np.exp(-ability)
        return 1 / (1 + size) if model == "gamma-normalised" else size
    return np.clip(rng.beta(1 + 3 * chance, 1 + 3 * (1 - chance)), 0, 1)


def _into_range(model: str, values: Matrix) -> Matrix:
    """Keep what a model takes, so that most sets are fitted and not refused."""
    if model in POSITIVE:
        highest = 1.0 if model == "gamma-normalised" else np.inf
        return np.where(np.isinf(values), np.nan, np.clip(np.abs(values), 1e-320, highest))
    if model in UNIT:
        return np.clip(values, 0, 1)
    return np.clip(np.round(values), 0, 1 if model in BINARY else 4)


def _same_column(values: Matrix, rng: np.random.Generator) -> Matrix:
    values[:, rng.integers(values.shape[1])] = values.flat[0]
    return values


def _triangle(values: Matrix, rng: np.random.Generator) -> Matrix:
    order = rng.permutation(values.shape[0])[:, None] / values.shape[0]
    return (order > np.arange(values.shape[1])[None] / values.shape[1]).astype(float)


def _at_ends(values: Matrix, rng: np.random.Generator) -> Matrix:
    return np.where(rng.random(values.shape) < 0.5, np.round(np.clip(values, 0, 1)), values)


def _one_cell_off(values: Matrix, rng: np.random.Generator) -> Matrix:
    values[:] = values.flat[0]
    values.flat[rng.integers(values.size)] = 1 - values.flat[0]
    return values


def _missing_row(values: Matrix, rng: np.random.Generator) -> Matrix:
    values[rng.integers(values.shape[0])] = np.nan
    return values


def _missing_column(values: Matrix, rng: np.random.Generator) -> Matrix:
    values[:, rng.integers(values.shape[1])] = np.nan
    return values


def _missing(share: float) -> Change:
    return lambda values, rng: np.where(rng.random(values.shape) < share, np.nan, values)


def _blocks(values: Matrix, rng: np.random.Generator) -> Matrix:
    del rng
    rows, columns = values.shape[0] // 2, values.shape[1] // 2
    values[:rows, :columns] = np.nan
    values[rows:, columns:] = np.nan
    return values


_CHANGES: dict[str, Change] = {
    "constant item": _same_column,
    "all zero": lambda values, rng: 0 * values,
    "all one": lambda values, rng: 0 * values + 1,
    "constant": lambda values, rng: 0 * values + rng.choice([0.25, 0.5, 3.0]),
    "separable": _triangle,
    "equal items": lambda values, rng: np.repeat(values[:, :1], values.shape[1], axis=1),
    "equal respondents": lambda values, rng: np.repeat(values[:1], values.shape[0], axis=0),
    "all but one equal": _one_cell_off,
    "near ties": lambda values, rng: np.clip(0.5 + 1e-12 * rng.normal(size=values.shape), 0, 1),
    "at the ends": _at_ends,
    "tiny": lambda values, rng: values * 1e-300,
    "subnormal": lambda values, rng: values * 5e-324,
    "huge": lambda values, rng: values * 1e300,
    "scales apart": lambda values, rng: values * 10.0 ** rng.uniform(-12, 12, (1, values.shape[1])),
    "infinite": lambda values, rng: np.where(rng.random(values.shape) < 0.1, np.inf, values),
    "negative": lambda values, rng: -values,
    "backwards": lambda values, rng: 1 - values,
    "missing respondent": _missing_row,
    "missing item": _missing_column,
    "some missing": _missing(0.3),
    "nearly all missing": _missing(0.9),
    "disconnected": _blocks,
}

_WEIGHTS: dict[str, Change] = {
    "whole": lambda values, rng: rng.integers(1, 9, values.shape).astype(float),
    "some zero": lambda values, rng: (rng.random(values.shape) < 0.5).astype(float),
    "all zero": lambda values, rng: np.zeros(values.shape),
    "negative": lambda values, rng: -np.ones(values.shape),
    "1e300": lambda values, rng: np.full(values.shape, 1e300),
    "1e-300": lambda values, rng: np.full(values.shape, 1e-300),
    "not a number": lambda values, rng: np.full(values.shape, np.nan),
    "infinite": lambda values, rng: np.full(values.shape, np.inf),
    "apart": lambda values, rng: 10.0 ** rng.uniform(-8, 8, values.shape),
    "a million": lambda values, rng: np.full(values.shape, 1e6),
}

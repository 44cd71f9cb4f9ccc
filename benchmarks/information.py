"""Exact item information against 65,536 Monte-Carlo draws per item, as paper 004 estimates it."""

from collections.abc import Callable
from dataclasses import dataclass
from time import process_time
from typing import Any

import numpy as np

from benchmarks.section import Column, Options, Row, Section, show_progress
from itemcurve.bank.item_bank import Bank, BankPart
from itemcurve.datasets.simulation import simulate
from itemcurve.models.catalogue import get_model, set_boundary
from itemcurve.models.contract import ItemModel
from itemcurve.models.likelihood import Likelihood
from itemcurve.numerics.engine import NUMPY

MODELS = ("beta3", "2pl-nd", "logit-normal", "gamma", "gamma-normalised")
DRAWS = 65_536
_WIDTH = 0.1
_FEWEST_INSIDE = 50
_ROUNDING = 1e-8


@dataclass(frozen=True)
class Agreement:
    """Exact minus Monte-Carlo, in Monte-Carlo standard errors (items each), and seconds.

    Items of which hardly a draw falls inside the bounds are left out (`saturated` of them): there
    Monte-Carlo has no spread and knows nothing of its own error.
    """

    fisher: Any
    kl: Any
    saturated: int
    fisher_seconds: float
    kl_seconds: float
    monte_carlo_seconds: float


def check_information(
    name: str, boundary: str, items: int, seed: int, draws: int = DRAWS
) -> Agreement:
    """Compare both kinds of information of random items, each at its own random ability."""
    model = set_boundary(get_model(name), boundary)
    truth = simulate(model, respondents=items, items=items, seed=seed)
    abilities, values = truth.abilities, truth.values
    fisher, kl = _exact(model, abilities, values)
    rng = np.random.default_rng(seed)
    started = process_time()
    found = [
        _monte_carlo(model, rng, abilities[i : i + 1], values[i : i + 1], draws)
        for i in range(items)
    ]
    seconds = process_time() - started
    means, errors = (np.array([row[k] for row in found]) for k in (0, 1))
    is_told = np.array([row[2] for row in found]) >= _FEWEST_INSIDE
    # The integrated log ratio of a logit-normal response is the same for all draws: what is left
    # of its standard error is rounding.
    errors = np.maximum(errors, _ROUNDING * np.abs(means))
    exact = np.stack([fisher, kl], axis=1)[is_told]
    gaps = (exact - means[is_told]) / errors[is_told]
    timed = (_seconds(model, abilities, values, kind) for kind in ("fisher", "kl"))
    return Agreement(gaps[:, 0], gaps[:, 1], int((~is_told).sum()), *timed, seconds)


def measure(options: Options, cached: list[Row]) -> list[Row]:
    """All continuous models, censored and not."""
    items = 20 if options.small else 1000
    return [row for n in MODELS for b in ("none", "censor") for row in measure_case(n, b, items)]


def measure_case(name: str, boundary: str, items: int) -> list[Row]:
    """Both kinds of information of one model."""
    found = check_information(name, boundary, items, seed=1)
    kinds = (
        ("Fisher", np.abs(found.fisher), found.fisher_seconds),
        ("KL", np.abs(found.kl), found.kl_seconds),
    )
    rows: list[Row] = []
    for kind, gaps, seconds in kinds:
        rows.append(
            {
                "model": name,
                "boundary": boundary,
                "kind": kind,
                "items": len(gaps),
                "saturated": found.saturated,
                "beyond_3": float((gaps > 3).mean()),
                "largest": float(gaps.max()),
                "seconds": seconds,
                "ratio": found.monte_carlo_seconds / seconds,
            }
        )
        show_progress(f"  {rows[-1]}")
    return rows


def _exact(model: ItemModel, abilities: Any, values: Any) -> tuple[Any, Any]:
    """Each item's information of both kinds, at its own ability."""
    fisher, kl = np.empty(len(values)), np.empty(len(values))
    for i, ability in enumerate(abilities):
        bank = _bank(model, values[i : i + 1])
        fisher[i] = bank.information(ability)[0, 0]
        kl[i] = bank.information(ability, kind="kl", width=_WIDTH)[0, 0]
    return fisher, kl


def _seconds(model: ItemModel, abilities: Any, values: Any, kind: Any) -> float:
    """Seconds for all items at one ability, as adaptive tests ask for them: best of three."""
    bank, times = _bank(model, values), []
    for ability in abilities[:3]:
        started = process_time()
        bank.information(ability, kind=kind, width=_WIDTH)
        times.append(process_time() - started)
    return min(times)


def _bank(model: ItemModel, values: Any) -> Bank:
    size = len(values)
    part = BankPart(model, np.arange(size), values, np.zeros((size, 1, 1)))
    return Bank(tuple(map(str, range(size))), (part,))


def _monte_carlo(
    model: ItemModel, rng: np.random.Generator, ability: Any, values: Any, draws: int
) -> tuple[Any, Any, float]:
    """Means and standard errors of squared score and integrated log ratio; draws inside."""
    likelihood = Likelihood(model)
    eta = [float(part[0, 0]) for part in Likelihood(model).natural(NUMPY, ability, values)]
    channels = _channels(likelihood, _SAMPLERS[model.family.name](rng, eta, draws))
    slopes = [float(s[0, 0]) for s in likelihood.ability_slopes(NUMPY, ability, values)]
    nodes = np.linspace(-_WIDTH, _WIDTH, 101)
    here = likelihood.curves(NUMPY, ability, values)
    there = likelihood.curves(NUMPY, ability + nodes, values)
    gaps = [_simpson(a[0, 0] - b[0], nodes) for a, b in zip(here, there, strict=True)]
    score = sum(c * s for c, s in zip(channels, slopes, strict=True))
    ratio = sum(c * g for c, g in zip(channels, gaps, strict=True))
    columns = np.stack([score**2, ratio])
    means, variance = columns.mean(axis=1), columns.var(axis=1, ddof=1)
    # A bound that was reached less often than its probability says, perhaps never, adds what its
    # frequency hides of the spread.
    for index in range(len(eta) + 1, len(channels)):
        missing = max(float(np.exp(here[index][0, 0])) - channels[index].mean(), 0.0)
        variance = variance + missing * (np.array([slopes[index] ** 2, gaps[index]]) - means) ** 2
    return means, np.sqrt(variance / draws), float(channels[len(eta)].sum())


def _simpson(values: Any, nodes: Any) -> float:
    step = nodes[1] - nodes[0]
    return float(
        step / 3 * (values[0] + values[-1] + 4 * values[1::2].sum() + 2 * values[2:-1:2].sum())
    )


def _channels(likelihood: Likelihood, statistics: list[Any]) -> list[Any]:
    """Channels from sufficient statistics, which do not underflow where responses do."""
    if not likelihood.is_censored:
        return [*statistics, np.ones_like(statistics[0])]
    family = likelihood.model.family
    lower, upper = likelihood.model.boundary.bounds(family)
    ends = [statistics[0] <= np.float64(family.statistics[0](np.array(lower)))]
    if np.isfinite(upper):
        if family.name == "beta":
            ends.append(statistics[1] <= family.statistics[1](np.array(upper)))
        else:
            ends.append(statistics[0] >= family.statistics[0](np.array(upper)))
    inside = ~np.logical_or.reduce(ends)
    return [*(np.where(inside, t, 0.0) for t in statistics), inside * 1.0, *(e * 1.0 for e in ends)]


def _log_gamma_draws(rng: np.random.Generator, shape: float, draws: int) -> Any:
    """Logarithms of Gamma draws: log Γ(a) = log Γ(a + 1) + log(U)/a, in distribution."""
    return np.log(rng.gamma(shape + 1.0, size=draws)) - rng.exponential(size=draws) / shape


def _beta_statistics(rng: np.random.Generator, eta: list[float], draws: int) -> list[Any]:
    first, second = (_log_gamma_draws(rng, shape, draws) for shape in eta)
    total = np.logaddexp(first, second)
    return [first - total, second - total]


def _gamma_statistics(rng: np.random.Generator, eta: list[float], draws: int) -> list[Any]:
    logs = _log_gamma_draws(rng, eta[0], draws) - np.log(-eta[1])
    return [logs, np.exp(logs)]


def _normal_statistics(rng: np.random.Generator, eta: list[float], draws: int) -> list[Any]:
    variance = -0.5 / eta[1]
    z = rng.normal(eta[0] * variance, np.sqrt(variance), size=draws)
    return [z, z**2]


_SAMPLERS: dict[str, Callable[[np.random.Generator, list[float], int], list[Any]]] = {
    "beta": _beta_statistics,
    "gamma": _gamma_statistics,
    "logit-normal": _normal_statistics,
}

SECTION = Section(
    name="information",
    title="Exact item information against Monte-Carlo",
    notes=f"1,000 random items, each at a random ability, {DRAWS:,} draws each; KL integrated over "
    "±0.1. Gaps in Monte-Carlo standard errors: of normal ones 0.3 % lie beyond 3. Left out: items "
    f"with fewer than {_FEWEST_INSIDE} draws inside the bounds, where Monte-Carlo is blind. "
    "Times faster: seconds of Monte-Carlo (both kinds from the same draws) over seconds of the "
    "exact kind, all items at one ability; both are processor seconds.",
    columns=(
        Column("model", "model"),
        Column("boundary", "boundary"),
        Column("kind", "kind"),
        Column("items", "items"),
        Column("beyond_3", "beyond 3", ".1%"),
        Column("saturated", "left out"),
        Column("largest", "largest gap", ".2f"),
        Column("ratio", "times faster", ",.0f"),
    ),
    measure=measure,
)

"""Simulation-based calibration of the sampler: are posteriors right when the priors are the truth?

Talts, Betancourt, Simpson, Vehtari and Gelman (2018). Abilities and items are drawn from the
priors, responses from them, and the truth must fall anywhere among the draws with equal chance.

    python -m benchmarks.calibration --replicates 120

goes on where an earlier run ended.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from scipy.stats import chi2

from benchmarks.section import Column, Options, Row, Section, show_progress
from itemcurve.estimation.posterior_density import Posterior
from itemcurve.estimation.posterior_summary import summarise
from itemcurve.estimation.sampling import Schedule, sample
from itemcurve.models.catalogue import get_model
from itemcurve.numerics.engine import NUMPY
from itemcurve.responses.matrix import Responses

_RANKS = Path(__file__).parent / "results" / "calibration_ranks.json"
_SIZE = (8, 15)
_SCHEDULE = Schedule(chains=4, warmup=300, draws=125, target_accept=0.9)
# Every fifth draw of four chains: 100 that are nearly independent, so ranks run from 0 to 100.
_THIN = 5
_BINS = 10
_MODEL = "beta3"


def add_replicates(wanted: int) -> None:
    """Draw, sample and rank until so many replicates are on file."""
    found = _read()
    for seed in range(len(found), wanted):
        started = perf_counter()
        found.append({"seed": seed, **_replicate(seed), "seconds": perf_counter() - started})
        _RANKS.write_text(json.dumps(found) + "\n")
        show_progress(f"  {seed + 1} of {wanted}: {found[-1]['seconds']:.1f} s")


def measure(options: Options, cached: list[Row]) -> list[Row]:
    """Test whether the ranks on file are uniform."""
    return list(_tests(_read())) if not options.small else []


def _replicate(seed: int) -> dict[str, Any]:
    model = get_model(_MODEL)
    rng = np.random.default_rng(seed)
    n_respondents, n_items = _SIZE
    # θ, δ ~ U(0, 1) and a ~ N(1, 1): the model's priors themselves.
    abilities = rng.logistic(size=n_respondents)
    values = np.stack([rng.normal(1, 1, n_items), rng.random(n_items)], axis=1)
    eta = [part.T for part in model.natural(NUMPY, abilities, values)]
    responses = Responses.from_array(model.family.sample(rng, eta))
    posterior = Posterior.build(model, "none")
    trace = sample(posterior, responses, _SCHEDULE, seed)
    estimates = summarise(posterior, responses, trace, 1.01)
    draws = estimates.draws
    assert draws is not None
    return {
        "ability": _ranks(draws.abilities, abilities),
        "difficulty": _ranks(draws.values[..., 1], values[:, 1]),
        "discrimination": _ranks(draws.values[..., 0], values[:, 0]),
        "divergences": estimates.diagnostics["divergences"],
        "max_rhat": estimates.diagnostics["max_rhat"],
        "min_ess": estimates.diagnostics["min_ess"],
        "censored": float(model.boundary.is_affected(model.family, responses.array()).mean()),
    }


def _ranks(draws: Any, truth: Any) -> list[int]:
    """How many of the thinned draws lie below the truth, for each quantity."""
    thinned = draws[:, ::_THIN].reshape(-1, draws.shape[-1])
    return [int(rank) for rank in (thinned < truth).sum(axis=0)]


def _tests(found: list[dict[str, Any]]) -> Iterator[Row]:
    largest = _SCHEDULE.chains * (_SCHEDULE.draws // _THIN)
    for name in ("ability", "difficulty", "discrimination"):
        ranks = np.array([replicate[name] for replicate in found])
        yield {
            "quantity": name,
            "replicates": len(ranks),
            # Quantities of one replicate depend on each other, so the test takes one of each.
            "p": _uniformity(ranks[:, 0], largest),
            "p_all": _uniformity(ranks.ravel(), largest),
            "mean_rank": float(ranks.mean() / largest),
            "divergent": float(np.mean([r["divergences"] > 0 for r in found])),
            "unmixed": float(np.mean([r["max_rhat"] > 1.05 for r in found])),
            "censored": float(np.mean([r["censored"] for r in found])),
            "seconds": float(np.median([r["seconds"] for r in found])),
        }


def _uniformity(ranks: Any, largest: int) -> float:
    """p-value of the χ² test that ranks from 0 to `largest` are uniform."""
    edges = np.linspace(0, largest + 1, _BINS + 1)
    counts = np.histogram(ranks, edges)[0]
    # Bins hold 10 or 11 of the 101 ranks.
    share = np.diff(np.searchsorted(np.arange(largest + 1), edges)) / (largest + 1)
    expected = share * len(ranks)
    return float(chi2.sf(((counts - expected) ** 2 / expected).sum(), _BINS - 1))


def _read() -> list[dict[str, Any]]:
    return json.loads(_RANKS.read_text()) if _RANKS.exists() else []


SECTION = Section(
    name="calibration",
    title="Simulation-based calibration of NUTS",
    notes=f"β³ censored at 1e-3, {_SIZE[0]} × {_SIZE[1]}, θ, δ ~ U(0, 1), a ~ N(1, 1), priors the "
    "same; four chains, 100 thinned draws; χ² on 10 bins of the rank of the truth. `p` tests one "
    "quantity per replicate (these are independent), `p, all` pools those of a replicate. "
    "`python -m benchmarks.calibration --replicates N` adds replicates.",
    columns=(
        Column("quantity", "quantity"),
        Column("replicates", "replicates"),
        Column("p", "p", ".3f"),
        Column("p_all", "p, all", ".3f"),
        Column("mean_rank", "mean rank", ".3f"),
        Column("divergent", "with divergences", ".0%"),
        Column("unmixed", "R-hat > 1.05", ".0%"),
        Column("censored", "censored cells", ".0%"),
        Column("seconds", "median seconds", ".1f"),
    ),
    measure=measure,
)

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replicates", type=int, default=120)
    add_replicates(parser.parse_args().replicates)

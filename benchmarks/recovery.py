"""Continuous responses simulated, fitted and compared with the truth."""

import json
from pathlib import Path
from time import process_time

import numpy as np

import itemcurve as ic
from benchmarks.section import Column, Options, Row, Section, show_progress
from itemcurve.datasets.simulation import Simulation
from itemcurve.models.likelihood import Likelihood
from itemcurve.numerics.engine import NUMPY

_SEEDS = 20
_WIDTH = 1.645
# Model, boundary, respondents, items.
_CASES = (
    ("beta3", "censor", 12, 400),
    ("beta3", "clip", 12, 400),
    ("gamma", "censor", 12, 400),
    ("logit-normal", "censor", 12, 400),
    ("beta3", "censor", 100, 1_000),
    ("gamma", "censor", 100, 1_000),
    ("logit-normal", "censor", 100, 1_000),
)
_SMALL = (("beta3", "censor", 12, 30), ("logit-normal", "censor", 12, 30))
_SHARDS = Path(__file__).parent / "results" / "recovery"
_MEANS = (
    "r_ability", "slope", "r_difficulty", "r_discrimination", "sign",
    "ability", "difficulty", "discrimination", "converged", "seconds",
)  # fmt: skip


def measure(options: Options, cached: list[Row]) -> list[Row]:
    """Mean over seeds of every case; finished seeds are kept and not measured again."""
    cases = _SMALL if options.small else _CASES
    seeds = 2 if options.small else _SEEDS
    return [_measure_case(*case, seeds, is_kept=not options.small) for case in cases]


def _measure_case(
    model: str, boundary: str, respondents: int, items: int, seeds: int, is_kept: bool
) -> Row:
    path = _SHARDS / f"{model}-{boundary}-{respondents}x{items}.json"
    done: dict[str, Row] = json.loads(path.read_text()) if is_kept and path.exists() else {}
    for seed in map(str, range(1, seeds + 1)):
        if seed not in done:
            done[seed] = _measure_seed(model, boundary, respondents, items, int(seed))
            show_progress(f"  {model} {boundary} {respondents} × {items} seed {seed}: {done[seed]}")
        if is_kept:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(done, indent=1) + "\n")
    rows = [done[str(seed)] for seed in range(1, seeds + 1)]
    means = {key: float(np.mean([float(row[key] or 0) for row in rows])) for key in _MEANS}
    slopes = [float(row["slope"] or 0) for row in rows]
    case: Row = {"model": model, "boundary": boundary, "size": f"{respondents:,} × {items:,}"}
    return case | means | {"slopes": f"{min(slopes):.2f} to {max(slopes):.2f}"}


def _simulate(model: str, respondents: int, items: int, seed: int) -> Simulation:
    """Draw from the model's own priors, so that prior and simulation agree."""
    truth = ic.simulate(model, respondents=respondents, items=items, seed=seed)
    if model != "gamma":
        return truth
    # `simulate` draws |N(0, 1)| for Γ, as its paper does; the prior is N(1, 1).
    rng = np.random.default_rng(seed)
    values = truth.values.copy()
    values[:, 0] = rng.normal(1.0, 1.0, size=items)
    eta = Likelihood(truth.model).natural(NUMPY, truth.abilities, values)
    errors = truth.model.family.sample(rng, eta).T
    responses = ic.Responses.from_array(errors)
    return Simulation(responses, truth.model, truth.abilities, values)


def _measure_seed(model: str, boundary: str, respondents: int, items: int, seed: int) -> Row:
    truth = _simulate(model, respondents, items, seed)
    started = process_time()
    fit = ic.fit(truth.responses, model, boundary=boundary, on_failure="ignore")
    seconds = process_time() - started
    found, true = fit.items, truth.items
    abilities = fit.respondents["ability"]
    row: Row = {
        "r_ability": float(np.corrcoef(abilities, truth.abilities)[0, 1]),
        "slope": float(np.polyfit(truth.abilities, abilities, 1)[0]),
        "ability": _share(abilities, fit.respondents["ability_se"], truth.abilities),
        "sign": float((np.sign(found["discrimination"]) == np.sign(true["discrimination"])).mean()),
        "converged": bool(fit.status.is_converged),
        "seconds": seconds,
    }
    for name in ("difficulty", "discrimination"):
        row[f"r_{name}"] = float(np.corrcoef(found[name], true[name])[0, 1])
        row[name] = _share(found[name], found[f"{name}_se"], true[name])
    return row


def _share(estimate: np.ndarray, error: np.ndarray, truth: np.ndarray) -> float:
    """Share of the truth inside 90 % intervals."""
    return float(np.mean(np.abs(np.asarray(estimate) - truth) < _WIDTH * np.asarray(error)))


SECTION = Section(
    name="recovery",
    title="Recovery of continuous models",
    notes=f"Mean over {_SEEDS} simulated data sets (seeds 1 to {_SEEDS}), default priors and "
    "method. r is the correlation of estimate and truth, slope that of estimated on true ability "
    "(logit scale where abilities lie in (0, 1)); cover is the share of the truth inside "
    f"estimate ± {_WIDTH}·se. β³ and Γ: θ, δ ~ U(0, 1), "
    "a ~ N(1, 1), which are their priors.",
    columns=(
        Column("model", "model"),
        Column("boundary", "boundary"),
        Column("size", "respondents × items"),
        Column("r_ability", "r ability", ".4f"),
        Column("slope", "slope", ".3f"),
        Column("slopes", "slopes of single seeds"),
        Column("r_difficulty", "r difficulty", ".3f"),
        Column("r_discrimination", "r discrimination", ".3f"),
        Column("sign", "sign right", ".1%"),
        Column("ability", "cover ability", ".1%"),
        Column("difficulty", "cover difficulty", ".1%"),
        Column("discrimination", "cover discrimination", ".1%"),
        Column("converged", "converged", ".0%"),
        Column("seconds", "CPU seconds per fit", ".1f"),
    ),
    measure=measure,
)

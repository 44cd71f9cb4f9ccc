"""The JAX engine on an accelerator: a billion responses, and agreement with NumPy."""

import time

import numpy as np

import itemcurve as ic
from benchmarks.section import Column, Options, Row, Section, show_progress

_RESPONDENTS, _ITEMS = 10_000, 100_000


def simulate_bytes(respondents: int, items: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Draw 2PL responses block by block, one byte each."""
    rng = np.random.default_rng(seed)
    slopes = np.exp(0.4 * rng.normal(size=items)).astype(np.float32)
    difficulties = rng.normal(size=items).astype(np.float32)
    abilities = rng.normal(size=respondents)
    abilities = ((abilities - abilities.mean()) / abilities.std()).astype(np.float32)
    answers = np.empty((respondents, items), dtype=np.int8)
    for row in range(0, respondents, 500):
        part = abilities[row : row + 500, None]
        chance = 1.0 / (1.0 + np.exp(-slopes * (part - difficulties)))
        answers[row : row + 500] = rng.random(chance.shape, dtype=np.float32) < chance
    return answers, abilities


def measure(options: Options, cached: list[Row]) -> list[Row]:
    """Fit twice: the first time compiles. Without an accelerator the cached rows stay."""
    import jax

    device = jax.devices()[0]
    if device.platform == "cpu" and not options.small:
        show_progress("  no accelerator here; the cached rows stay")
        return cached
    truth = ic.simulate("2pl", respondents=3000, items=1500, seed=1)
    ours, plain = (ic.fit(truth.responses, "2pl", engine=name) for name in ("jax", "numpy"))
    gap = float(np.abs(ours.estimates.values - plain.estimates.values).max())
    size = (500, 2000) if options.small else (_RESPONDENTS, _ITEMS)
    answers, abilities = simulate_bytes(*size)
    responses = ic.Responses.from_array(answers)
    rows: list[Row] = []
    for attempt in ("with compilation", "after compilation", "again"):
        started = time.perf_counter()
        fit = ic.fit(responses, "2pl", engine="jax")
        rows.append(
            {
                "device": device.device_kind,
                "data": f"int8, {size[0]:,} × {size[1]:,}, {attempt}",
                "seconds": time.perf_counter() - started,
                "iterations": fit.estimates.iterations,
                "correlation": float(np.corrcoef(fit.estimates.abilities, abilities)[0, 1]),
                "gap": gap,
                "status": str(fit.status),
            }
        )
    return rows


SECTION = Section(
    name="accelerator",
    title="The JAX engine on an accelerator",
    notes=(
        "2PL with default priors; seconds include moving the responses to the device, standard "
        "errors and abilities. The last column is the largest difference of any item parameter "
        "between the engines at 3,000 × 1,500."
    ),
    columns=(
        Column("device", "device"),
        Column("data", "data"),
        Column("seconds", "seconds", ".2f"),
        Column("iterations", "iterations", "d"),
        Column("correlation", "θ: corr.", ".5f"),
        Column("status", "status"),
        Column("gap", "engines differ by", ".1e"),
    ),
    measure=measure,
)

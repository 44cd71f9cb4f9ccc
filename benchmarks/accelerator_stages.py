"""What is measured on an accelerator, one stage per process: `… STAGE RESPONDENTS ITEMS`.

Each prints one JSON object. A process of its own gives each stage the whole memory of the device.
"""

import cProfile
import json
import pstats
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

_ROWS_AT_ONCE = 250


def simulate_on_device(respondents: int, items: int, seed: int = 0) -> tuple[Any, np.ndarray]:
    """Draw 2PL responses where JAX computes, one byte each; and the true abilities."""
    import jax
    import jax.numpy as jnp

    keys = jax.random.split(jax.random.key(seed), 4)
    slopes = jnp.exp(0.4 * jax.random.normal(keys[0], (items,), dtype=jnp.float32))
    difficulties = jax.random.normal(keys[1], (items,), dtype=jnp.float32)
    abilities = jax.random.normal(keys[2], (respondents,), dtype=jnp.float32)
    abilities = (abilities - abilities.mean()) / abilities.std()
    size = next(n for n in range(min(_ROWS_AT_ONCE, respondents), 0, -1) if respondents % n == 0)

    @jax.jit
    def draw(key: Any, abilities: Any) -> Any:
        def rows(number: Any, answers: Any) -> Any:
            own = jax.lax.dynamic_slice_in_dim(abilities, number * size, size)
            chance = jax.nn.sigmoid(slopes * (own[:, None] - difficulties))
            key_of_rows = jax.random.fold_in(key, number)
            drawn = jax.random.uniform(key_of_rows, chance.shape, dtype=jnp.float32) < chance
            return jax.lax.dynamic_update_slice_in_dim(
                answers, drawn.astype(jnp.int8), number * size, 0
            )

        blank = jnp.zeros((respondents, items), dtype=jnp.int8)
        return jax.lax.fori_loop(0, respondents // size, rows, blank)

    return draw(keys[3], abilities).block_until_ready(), np.asarray(abilities)


def fits(respondents: int, items: int) -> dict[str, Any]:
    """Fit data that lie on the device, then the same data from the host."""
    answers, abilities = simulate_on_device(respondents, items)
    found = _fits_on_device(answers, abilities)
    host = np.array(answers)
    # Nobody writes to it any more, so that it need not be copied.
    host.setflags(write=False)
    del answers
    return found | _fits_from_host(host)


def _fits_on_device(answers: Any, abilities: np.ndarray) -> dict[str, Any]:
    import itemcurve as ic

    naming, responses = _timed(lambda: ic.Responses.from_array(answers))

    def run() -> Any:
        return ic.fit(responses, "2pl", engine="jax")

    compiling, result = _timed(run)
    estimates = result.estimates
    return {
        "naming_seconds": naming,
        "seconds_with_compilation": compiling,
        "seconds_on_device": [_timed(run)[0] for _ in range(3)],
        "host_profile": _profile(run),
        "iterations": estimates.iterations,
        "status": str(result.status),
        "standard_errors": estimates.standard_errors,
        "correlation": float(np.corrcoef(estimates.abilities, abilities)[0, 1]),
        "peak_device_gb": _peak_gb(),
    }


def _fits_from_host(host: np.ndarray) -> dict[str, Any]:
    import itemcurve as ic

    def run() -> Any:
        return ic.fit(ic.Responses.from_array(host), "2pl", engine="jax")

    reading, _ = _timed(lambda: ic.Responses.from_array(host))
    seconds = [_timed(run)[0] for _ in range(2)]
    return {"seconds_from_host": seconds, "reading_seconds": reading, "bytes": host.nbytes}


def first_call(respondents: int, items: int) -> dict[str, Any]:
    """The first fit of a process, from importing itemcurve to the estimates."""
    answers, _ = simulate_on_device(respondents, items)
    started = time.perf_counter()
    import itemcurve as ic

    responses = ic.Responses.from_array(answers)
    ic.fit(responses, "2pl", engine="jax")
    return {"seconds": time.perf_counter() - started}


def products(respondents: int, items: int) -> dict[str, Any]:
    """Products with the responses, in the ways that the engine knows."""
    import jax
    import jax.numpy as jnp

    from itemcurve.numerics.devices import jax_products
    from itemcurve.numerics.engine import get_engine

    answers, _ = simulate_on_device(respondents, items)
    engine, found = get_engine("jax"), {}
    with engine.double_precision():
        for columns in (1, 2, 64):
            right = jax.random.normal(jax.random.key(1), (items, columns), dtype=jnp.float64)
            left = jax.random.normal(jax.random.key(2), (respondents, columns), dtype=jnp.float64)
            for name, run, other in (
                ("product", jax_products.product, right),
                ("transposed", jax_products.transposed_product, left),
            ):
                found[f"{name}, {columns}"] = _best(jax.jit(run), answers, other)
    return {"seconds": found, "gb": answers.nbytes / 1e9, "peak_device_gb": _peak_gb()}


def agreement(respondents: int, items: int) -> dict[str, Any]:
    """The largest difference of any item parameter between the engines."""
    import itemcurve as ic

    truth = ic.simulate("2pl", respondents=respondents, items=items, seed=1)
    ours, plain = (ic.fit(truth.responses, "2pl", engine=name) for name in ("jax", "numpy"))
    gap = np.abs(ours.estimates.values - plain.estimates.values).max()
    errors = (fit.estimates.item_errors["discrimination"] for fit in (ours, plain))
    return {"gap": float(gap), "error_gap": float(np.abs(np.subtract(*errors)).max())}


def _best(run: Callable[..., Any], *arrays: Any) -> float | str:
    import jax

    try:
        jax.block_until_ready(run(*arrays))
        return min(_timed(lambda: jax.block_until_ready(run(*arrays)))[0] for _ in range(3))
    except Exception as error:  # A kernel that fails is a finding, not the end of the others.
        return f"failed: {str(error)[:200]}"


def _timed(run: Callable[[], Any]) -> tuple[float, Any]:
    started = time.perf_counter()
    found = run()
    return time.perf_counter() - started, found


def _profile(run: Callable[[], Any], most: int = 30) -> list[list[Any]]:
    """Where the host spends its time: name, calls, seconds with and without what it calls."""
    profile = cProfile.Profile()
    profile.runcall(run)
    rows: list[list[Any]] = []
    for (path, line, name), (_, calls, own, total, _) in pstats.Stats(profile).stats.items():  # type: ignore[attr-defined]
        rows.append([f"{path.split('/')[-1]}:{line}:{name}", calls, round(total, 4), round(own, 4)])
    return sorted(rows, key=lambda row: -row[3])[:most]


def _peak_gb() -> float | None:
    import jax

    stats = jax.devices()[0].memory_stats()
    return None if not stats else stats["peak_bytes_in_use"] / 1e9


def _device() -> dict[str, Any]:
    import jax

    return {"device": jax.devices()[0].device_kind, "jax": jax.__version__}


STAGES = {stage.__name__: stage for stage in (fits, first_call, products, agreement)}

if __name__ == "__main__":
    chosen, rows, columns = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    print("measured " + json.dumps(STAGES[chosen](rows, columns) | _device()), flush=True)

"""Large data: seconds and peak memory of itemcurve in a fresh process."""

from collections.abc import Mapping
from time import perf_counter

import numpy as np
from numpy.typing import ArrayLike, NDArray

from benchmarks.evaluator import correlation, rmse
from benchmarks.machine import peak_memory_mb
from benchmarks.section import Column, Options, Row, Section, show_progress
from benchmarks.worker import Arrays, run_apart

Array = NDArray[np.float64]
_SEED = 1
_BLOCK = 500


def measure(options: Options, cached: list[Row]) -> list[Row]:
    """Fit a large dense and a large sparse matrix."""
    n_dense = 300 if options.small else 10_000
    shape = (2_000, 2_000) if options.small else (100_000, 2_000)
    return [
        _measure(f"dense int8, {n_dense:,} × {n_dense:,}", _draw_dense(n_dense, n_dense), options),
        _measure(f"sparse 1 %, {shape[0]:,} × {shape[1]:,}", _draw_sparse(*shape), options),
    ]


def fit_dense(arrays: Arrays) -> Mapping[str, ArrayLike]:
    """Fit a dense array (runs apart)."""
    return _fit(arrays["Y"])


def fit_sparse(arrays: Arrays) -> Mapping[str, ArrayLike]:
    """Fit a SciPy sparse array, explicit zeros are observed (runs apart)."""
    from scipy.sparse import coo_array

    entries = (arrays["values"], (arrays["rows"], arrays["columns"]))
    shape = (len(arrays["abilities"]), len(arrays["slope"]))
    return _fit(coo_array(entries, shape=shape))


def _fit(Y: object) -> dict[str, ArrayLike]:
    import itemcurve

    loaded = peak_memory_mb()
    started = perf_counter()
    responses = itemcurve.Responses.from_array(Y)
    read = perf_counter()
    result = itemcurve.fit(responses, "2pl", on_failure="ignore")
    fitted = perf_counter()
    peak = peak_memory_mb()
    return {
        "seconds": fitted - started,
        "reading": read - started,
        "loaded_mb": loaded,
        "peak_mb": peak,
        "discrimination": result.items["discrimination"].to_numpy(float),
        "difficulty": result.items["difficulty"].to_numpy(float),
        "abilities": result.respondents["ability"].to_numpy(float),
        "converged": "yes" if result.status.is_converged else "no",
    }


def _measure(what: str, drawn: dict[str, NDArray], options: Options) -> Row:
    job = "fit_dense" if "Y" in drawn else "fit_sparse"
    outcome = run_apart(f"benchmarks.large:{job}", drawn, options.limit)
    if outcome.failure:
        show_progress(f"  {what}: {outcome.failure}")
        return {"what": what, "note": outcome.failure}
    found = outcome.arrays
    row: Row = {"what": what}
    row |= {key: float(found[key]) for key in ("seconds", "reading", "loaded_mb", "peak_mb")}
    row |= {
        "rmse_a": rmse(found["discrimination"], drawn["slope"]),
        "rmse_b": rmse(found["difficulty"], drawn["difficulty"]),
        "corr_b": correlation(found["difficulty"], drawn["difficulty"]),
        "rmse_ability": rmse(found["abilities"], drawn["abilities"]),
        "converged": str(found["converged"]),
    }
    show_progress(f"  {what}: {row['seconds']:.1f} s, {row['peak_mb']:.0f} MB")
    return row


def _draw_truth(rng: np.random.Generator, n_respondents: int, n_items: int) -> dict[str, NDArray]:
    """The recipe of itemcurve.simulate, without its dense array of floats."""
    abilities = rng.normal(size=n_respondents)
    return {
        "abilities": (abilities - abilities.mean()) / abilities.std(),
        "slope": np.exp(0.4 * rng.normal(size=n_items)),
        "difficulty": rng.normal(size=n_items),
    }


def _draw_dense(n_respondents: int, n_items: int) -> dict[str, NDArray]:
    rng = np.random.default_rng(_SEED)
    truth = _draw_truth(rng, n_respondents, n_items)
    Y = np.empty((n_respondents, n_items), dtype=np.int8)
    for start in range(0, n_respondents, _BLOCK):
        rows = slice(start, start + _BLOCK)
        gap = truth["abilities"][rows, None] - truth["difficulty"]
        Y[rows] = rng.logistic(size=gap.shape) < truth["slope"] * gap
    return truth | {"Y": Y}


def _draw_sparse(n_respondents: int, n_items: int) -> dict[str, NDArray]:
    rng = np.random.default_rng(_SEED)
    truth = _draw_truth(rng, n_respondents, n_items)
    n_cells = n_respondents * n_items
    cells = np.unique(rng.integers(n_cells, size=n_cells // 100))
    rows, columns = np.divmod(cells, n_items)
    gap = truth["abilities"][rows] - truth["difficulty"][columns]
    values = (rng.logistic(size=gap.shape) < truth["slope"][columns] * gap).astype(np.int8)
    return truth | {"rows": rows, "columns": columns, "values": values}


SECTION = Section(
    name="large",
    title="Large data",
    notes="2PL with the default priors; seconds include reading the array, standard errors and "
    "abilities. Memory is that of a fresh process that loads the data from a file: its peak, and "
    "what it had needed before itemcurve was given the data.",
    columns=(
        Column("what", "data"),
        Column("seconds", "seconds", ".1f"),
        Column("reading", "of these reading", ".1f"),
        Column("loaded_mb", "MB before", ",.0f"),
        Column("peak_mb", "MB at the peak", ",.0f"),
        Column("rmse_a", "a: RMSE", ".3f"),
        Column("rmse_b", "b: RMSE", ".3f"),
        Column("corr_b", "b: corr.", ".3f"),
        Column("rmse_ability", "θ: RMSE", ".3f"),
        Column("converged", "says it converged"),
        Column("note", "note"),
    ),
    measure=measure,
)

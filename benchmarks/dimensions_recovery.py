"""Several abilities with known truth: whether intervals cover it, slopes, and what a fit takes.

Truth and estimate are compared on one scale: abilities of mean zero and covariance one over the
sample, explored axes turned to the truth's.
"""

import sys
from importlib import util
from os import environ
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

import itemcurve as ic
from benchmarks.section import Column, Options, Row, Section, show_progress

_Z = 1.6448536269514722
_SEEDS = 20
_DESIGNS = {
    "1,000 × 40, 2 abilities": (1000, 40, 2),
    "1,000 × 60, 3 abilities": (1000, 60, 3),
    "60 × 400, 2 abilities": (60, 400, 2),
    "60 × 400, 3 abilities": (60, 400, 3),
    "bifactor 800 × 40, 4 groups": (800, 40, 5),
}
_SIZES = {"2,000 × 100, 3 abilities": (2000, 100, 3), "5,000 × 500, 10 abilities": (5000, 500, 10)}
_SIZE_SEEDS = {3: 10, 10: 10}


def measure(options: Options, cached: list[Row]) -> list[Row]:
    """Simulate, fit, compare; rows that were measured before are kept."""
    rows = list(cached) if options.keep_peers else []
    done = {row["design"] for row in rows}
    for name, (respondents, items, size) in {**_DESIGNS, **_SIZES}.items():
        if name in done or (options.small and name in _SIZES):
            continue
        seeds = _SIZE_SEEDS[size] if name in _SIZES else _SEEDS
        drawn = [
            _trial(respondents, items, size, seed, name)
            for seed in range(2 if options.small else seeds)
        ]
        keys = drawn[0].keys()
        means = {
            key: float(np.mean([own[key] for own in drawn]))
            for key in keys
            if drawn[0][key] is not None
        }
        rows.append({"design": name, "seeds": len(drawn)} | means)
        show_progress(f"  {rows[-1]}")
    return rows


def _trial(respondents: int, items: int, size: int, seed: int, name: str) -> dict[str, Any]:
    rng = np.random.default_rng([1, seed])
    is_bifactor = name.startswith("bifactor")
    slopes = _bifactor(rng, items, size) if is_bifactor else _explored(rng, items, size)
    intercepts = rng.normal(0, 1.2, items)
    abilities = rng.normal(size=(respondents, size))
    chance = 1 / (1 + np.exp(-abilities @ slopes.T - intercepts))
    responses = ic.Responses.from_array((rng.random(chance.shape) < chance).astype(float))
    began = process_time()
    if is_bifactor:
        groups = {f"g{k}": list(responses.items[k :: size - 1]) for k in range(size - 1)}
        fit = ic.fit(responses, "2pl", dimensions=groups, general=True)
    else:
        fit = ic.fit(responses, "2pl", dimensions=size, rotation="none")
    seconds = process_time() - began
    truth = _standardised(abilities, slopes, intercepts, apart=is_bifactor)
    turn = np.eye(size) if is_bifactor else _procrustes(fit.slopes, truth[1])
    return {
        **_compare(fit, truth, turn),
        "seconds": seconds,
        "is_converged": fit.status.is_converged,
        "rival_rmse": _rival(responses, truth, size) if name in _SIZES else None,
    }


def _explored(rng: np.random.Generator, items: int, size: int) -> Any:
    slopes = rng.uniform(0.5, 1.8, (items, size)) * (rng.random((items, size)) < 0.5)
    slopes[np.arange(items), np.arange(items) % size] = rng.uniform(0.8, 2.0, items)
    return slopes


def _bifactor(rng: np.random.Generator, items: int, size: int) -> Any:
    slopes = np.zeros((items, size))
    slopes[:, 0] = rng.uniform(0.8, 2.0, items)
    slopes[np.arange(items), 1 + np.arange(items) % (size - 1)] = rng.uniform(0.5, 1.5, items)
    return slopes


def _standardised(abilities: Any, slopes: Any, intercepts: Any, *, apart: bool) -> tuple[Any, ...]:
    """Truth for abilities of mean zero and unit variance, uncorrelated unless each stands apart."""
    centre = abilities.mean(axis=0)
    spread = np.cov(abilities.T, bias=True)
    root = np.diag(np.sqrt(np.diag(spread))) if apart else np.linalg.cholesky(spread)
    moved = (abilities - centre) @ np.linalg.inv(root).T
    return moved, slopes @ root, intercepts + slopes @ centre


def _procrustes(found: Any, truth: Any) -> Any:
    left, _, right = np.linalg.svd(found.T @ truth)
    return left @ right


def _compare(fit: Any, truth: tuple[Any, ...], turn: Any) -> dict[str, float]:
    abilities, slopes, intercepts = truth
    size = len(turn)
    change = np.eye(fit.item_points.shape[1])
    change[:size, :size] = turn
    items = fit.item_points @ change
    errors = np.sqrt(np.diagonal(change.T @ fit.item_covariance @ change, axis1=1, axis2=2))
    points = fit.ability_points @ turn
    spread = np.diagonal(turn.T @ fit.ability_covariance @ turn, axis1=1, axis2=2)
    free = fit.pattern.free
    gap = items[:, :size] - slopes
    return {
        "abilities": float(np.mean(np.abs(points - abilities) < _Z * np.sqrt(spread))),
        "slopes": float(np.mean((np.abs(gap) < _Z * errors[:, :size])[free])),
        "intercepts": float(np.mean(np.abs(items[:, size] - intercepts) < _Z * errors[:, size])),
        "rise": float((items[:, :size] * slopes).sum() / (slopes**2).sum()),
        "rmse": float(np.sqrt(np.mean(gap[free] ** 2))),
    }


def _rival(responses: ic.Responses, truth: tuple[Any, ...], size: int) -> float | None:
    """Error of slopes by the prototype in the data directory: a bound of Jaakkola and Jordan."""
    path = Path(environ.get("ITEMCURVE_DATA", "")) / "prototypes" / "dimensions" / "mird.py"
    if not path.exists():
        return None
    spec = util.spec_from_file_location("mird", path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules.get("mird") or util.module_from_spec(spec)
    spec.loader.exec_module(module)
    values = responses.array()
    slopes, intercepts, *_ = module.gvem(values, size, iters=200, tol=1e-3)
    if size <= 3:
        slopes, *_ = module.laplace_em(values, slopes, intercepts, iters=25, nq=3)
    return float(np.sqrt(np.mean((slopes @ _procrustes(slopes, truth[1]) - truth[1]) ** 2)))


SECTION = Section(
    "dimensions_recovery",
    "Several abilities: intervals, slopes, seconds",
    "90 % intervals; `rise` is the slope of estimated slopes on the true ones. The rival is a "
    "bound of Jaakkola and Jordan, then adaptive quadrature up to three abilities. Processor "
    "seconds, with standard errors.",
    (
        Column("design", "design"),
        Column("seeds", "seeds"),
        Column("abilities", "abilities covered", ".3f"),
        Column("slopes", "slopes covered", ".3f"),
        Column("intercepts", "intercepts covered", ".3f"),
        Column("rise", "rise", ".3f"),
        Column("rmse", "RMSE of slopes", ".4f"),
        Column("rival_rmse", "the rival's", ".4f"),
        Column("seconds", "seconds", ".2f"),
        Column("is_converged", "converged", ".2f"),
    ),
    measure,
)

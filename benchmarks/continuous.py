"""Continuous responses against published results, simulated truth and birt-gd.

Sections: `published` (the authors' own β³ results), `simulated` (birt-gd's matrices with truth),
`link` (errors through β³ against the native Γ likelihood), `speed` (against the package birt-gd,
which lives in an environment of its own). The first two read the folder ITEMCURVE_DATA.

    python -m benchmarks.continuous --only published simulated
    python -m benchmarks.continuous --only speed --birt-python /path/to/python
"""

import argparse
import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np

import itemcurve as ic
from benchmarks.machine import describe_machine
from benchmarks.section import Row, show_progress

_RESULTS = Path(__file__).parent / "results"
_CASES = ("polynomial_s60_f0_sd42", "polynomial_s60_f8_sd42", "mpg_s79_f0_sd42")
_METHODS: dict[str, dict[str, Any]] = {
    "variational, as published": {"method": ic.Variational(as_published=True), "boundary": "clip"},
    "variational": {"method": ic.Variational(posterior="full-rank")},
    "variational, independent": {"method": ic.Variational(posterior="mean-field")},
    "joint": {"method": "joint"},
    "marginal over items": {"method": ic.Marginal(over="items")},
    "marginal over respondents": {"method": ic.Marginal(over="respondents")},
}
_SIZES = ("m20_i100", "m100_i100")
# How each objective weighs a response that is the mean of 100 draws.
_OBJECTIVES: dict[str, tuple[float, str, Any]] = {
    "fractional map, weight 100": (100.0, "fractional-beta3", ic.Joint()),
    "fractional map, weight 1": (1.0, "fractional-beta3", ic.Joint()),
    "fractional ml": (1.0, "fractional-beta3", ic.Joint(objective="ml")),
}
_SPEED_SIZES = ((12, 400), (100, 1_000))


def measure_published() -> list[Row]:
    """Spearman correlations with the abilities, difficulties and discriminations published."""
    from scipy.stats import spearmanr

    rows: list[Row] = []
    for case in _CASES:
        table, abilities, items = _published(case)
        for name, settings in _METHODS.items():
            result = ic.fit(table, "beta3", on_failure="ignore", **settings)
            pairs = {
                "ability": (result.estimates.abilities, abilities),
                "difficulty": (result.items["difficulty"], items["difficulty"]),
                "discrimination": (result.items["discrimination"], items["discrimination"]),
            }
            found = {key: float(spearmanr(*pair)[0]) for key, pair in pairs.items()}
            rows.append({"case": case, "method": name, **found, **_ending(result)})
            show_progress(f"  {rows[-1]}")
    return rows


def measure_simulated(runs: int = 30) -> list[Row]:
    """Mean correlation with the truth over the runs, by objective."""
    rows: list[Row] = []
    for size in _SIZES:
        tables = [_simulated(size, run) for run in range(runs)]
        for name, (weight, model, method) in _OBJECTIVES.items():
            found = []
            for scores, abilities, items in tables:
                responses = ic.Responses.from_array(scores, weights=np.full(scores.shape, weight))
                result = ic.fit(responses, model, method=method, on_failure="ignore")
                found.append({**_recovery(result, abilities, items), **_ending(result)})
            means = {key: float(np.mean([f[key] for f in found])) for key in found[0]}
            rows.append({"size": size, "objective": name, "runs": runs, **means})
            show_progress(f"  {rows[-1]}")
    return rows


def measure_link(seeds: int = 3) -> list[Row]:
    """Errors simulated by Γ, fitted natively and through β³."""
    fits: dict[str, Callable[[ic.Responses], ic.FitResult]] = {
        "native": lambda e: ic.fit(e, "gamma-normalised", method="joint", on_failure="ignore"),
        "link": lambda e: ic.fit_gamma_by_beta3(e, method="joint", on_failure="ignore").fit,
    }
    rows: list[Row] = []
    for respondents, n_items in ((12, 100), (60, 40)):
        for name, fitted in fits.items():
            found = []
            for seed in range(seeds):
                truth = ic.simulate(
                    "gamma-normalised", respondents=respondents, items=n_items, seed=seed
                )
                result = fitted(truth.responses)
                ability = 1 / (1 + np.exp(-truth.abilities))
                found.append({**_recovery(result, ability, truth.items), **_ending(result)})
            means = {key: float(np.mean([f[key] for f in found])) for key in found[0]}
            rows.append({"size": f"{respondents} × {n_items}", "fit": name, **means})
            show_progress(f"  {rows[-1]}")
    return rows


def measure_speed(birt_python: str | None) -> list[Row]:
    """Seconds and recovery of one fit, ours and birt-gd's, on means of 100 draws."""
    rows: list[Row] = []
    for respondents, n_items in _SPEED_SIZES:
        scores, abilities, items = _means_of_draws(respondents, n_items, seed=1)
        responses = ic.Responses.from_array(scores, weights=np.full(scores.shape, 100.0))
        ic.fit(responses, "fractional-beta3", method="joint")
        started, worked = perf_counter(), process_time()
        result = ic.fit(responses, "fractional-beta3", method="joint")
        times = {"seconds": perf_counter() - started, "cpu_seconds": process_time() - worked}
        ours = {**times, **_recovery(result, abilities, items)}
        size = f"{respondents} × {n_items:,}"
        rows.append({"size": size, "tool": "itemcurve, joint", **ours})
        show_progress(f"  {rows[-1]}")
        if birt_python is not None:
            for name in ("Beta3", "Beta4"):
                theirs = _birt(birt_python, name, scores, abilities, items)
                rows.append({"size": size, "tool": f"birt-gd {name}", **theirs})
                show_progress(f"  {rows[-1]}")
    return rows


_BIRT = """
import json, resource, sys, time, warnings
warnings.filterwarnings("ignore")
import numpy as np, pandas as pd, birt
scores = np.load(sys.argv[1])
model = getattr(birt, sys.argv[2])(
    n_respondents=scores.shape[0], n_items=scores.shape[1], random_seed=1
)
started = time.perf_counter()
model.fit(scores.T)
seconds = time.perf_counter() - started
# The package fits in a child process.
used = resource.getrusage(resource.RUSAGE_CHILDREN)
cpu = used.ru_utime + used.ru_stime
names = ("abilities", "difficulties", "discriminations")
found = [np.asarray(getattr(model, name)).ravel().tolist() for name in names]
print("RESULT" + json.dumps([seconds, cpu, *found]))
"""


def _birt(python: str, name: str, scores: Any, abilities: Any, items: Any) -> Row:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scores.npy"
        np.save(path, scores)
        command = [python, "-c", _BIRT, str(path), name]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        text = done.stdout
        if "RESULT" not in text:
            return {"seconds": None, "note": done.stderr.strip().splitlines()[-1][:200]}
    seconds, cpu, ability, difficulty, slope = json.loads(text.split("RESULT")[1])
    return {
        "seconds": seconds,
        "cpu_seconds": cpu,
        "ability": _correlation(ability, abilities),
        "difficulty": _correlation(difficulty, items["difficulty"]),
        "discrimination": _correlation(slope, items["discrimination"]),
    }


def _means_of_draws(respondents: int, n_items: int, seed: int) -> tuple[Any, Any, Any]:
    """Scores as birt-gd's study makes them: θ, δ uniform, a ~ N(1, 1), means of 100 Beta draws."""
    rng = np.random.default_rng(seed)
    ability, difficulty = rng.random(respondents), rng.random(n_items)
    slope = rng.normal(1.0, 1.0, n_items)
    alpha = (ability[:, None] / difficulty) ** slope
    beta = ((1 - ability[:, None]) / (1 - difficulty)) ** slope
    scores = rng.beta(alpha, beta, size=(100, respondents, n_items)).mean(axis=0)
    return scores, ability, {"difficulty": difficulty, "discrimination": slope}


def _published(case: str) -> tuple[ic.Responses, Any, Any]:
    import pandas

    folder = _data() / "gamma_irt"
    scores = pandas.read_csv(folder / f"{case}_responses.csv")
    abilities = pandas.read_csv(folder / f"{case}_ability.csv")["ability"][: scores.shape[1]]
    items = pandas.read_csv(folder / f"{case}_items.csv")
    return ic.Responses.from_array(scores.to_numpy().T), abilities, items


def _simulated(size: str, run: int) -> tuple[Any, Any, Any]:
    import pandas

    folder = _data() / "birt_gd"
    tables = [
        pandas.read_csv(folder / f"{size}_{name}.csv.gz")
        for name in ("responses", "true_abilities", "true_items")
    ]
    scores, abilities, items = (table[table["mc"] == run] for table in tables)
    return (
        scores.drop(columns=["mc", "item"]).to_numpy().T,
        abilities["ability"].to_numpy(),
        items.reset_index(drop=True),
    )


def _data() -> Path:
    return Path(os.environ["ITEMCURVE_DATA"]) / "data" / "reference"


def _recovery(result: ic.FitResult, abilities: Any, items: Any) -> dict[str, float]:
    """Correlations with the truth in (0, 1), and the slope of logits of ability on true ones."""
    logits = np.log(abilities / (1 - abilities))
    return {
        "ability": _correlation(result.respondents["ability_01"], abilities),
        "difficulty": _correlation(result.items["difficulty"], items["difficulty"]),
        "discrimination": _correlation(result.items["discrimination"], items["discrimination"]),
        "slope": float(np.polyfit(logits, result.estimates.abilities, 1)[0]),
    }


def _correlation(left: Any, right: Any) -> float:
    return float(np.corrcoef(np.asarray(left, float), np.asarray(right, float))[0, 1])


def _ending(result: ic.FitResult) -> dict[str, Any]:
    return {"converged": result.status.is_converged, "seconds": result.seconds}


def main() -> None:
    """Measure sections and keep their rows."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.continuous", description=__doc__)
    sections: dict[str, Callable[[], list[Row]]] = {
        "published": measure_published,
        "simulated": measure_simulated,
        "link": measure_link,
        "speed": lambda: measure_speed(given.birt_python),
    }
    parser.add_argument("--only", nargs="+", choices=sections, help="measure these sections")
    parser.add_argument("--birt-python", help="interpreter of an environment with birt-gd")
    given = parser.parse_args()
    for name in given.only or list(sections):
        show_progress(name)
        content = {"machine": describe_machine(), "rows": sections[name]()}
        text = json.dumps(content, indent=1, ensure_ascii=False)
        (_RESULTS / f"continuous_{name}.json").write_text(text + "\n")


if __name__ == "__main__":
    main()

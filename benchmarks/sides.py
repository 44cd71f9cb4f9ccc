"""Which side to integrate out: both, by the number of respondents, against the truth."""

import numpy as np

import itemcurve as ic
from itemcurve.models.likelihood import Likelihood
from itemcurve.numerics.engine import NUMPY


def measure(items: int = 400, seeds: int = 5) -> list[dict[str, float | str]]:
    """Coverage of 90 % intervals, error of abilities and of item curves, seconds."""
    rows: list[dict[str, float | str]] = []
    for respondents in (15, 30, 60, 100, 150, 200, 300):
        for over in ("items", "respondents"):
            found = [_one(respondents, items, over, 500 + seed) for seed in range(seeds)]
            means = {key: float(np.mean([f[key] for f in found])) for key in found[0]}
            rows.append({"respondents": respondents, "over": over, **means})
            print(rows[-1], flush=True)
    return rows


def _one(respondents: int, items: int, over: str, seed: int) -> dict[str, float]:
    truth = ic.simulate("2pl", respondents=respondents, items=items, seed=seed)
    method = ic.Marginal(over="items" if over == "items" else "respondents")
    fit = ic.fit(truth.responses, "2pl", method=method, on_failure="ignore")
    estimates = fit.estimates
    true = Likelihood(truth.model).expected_response(NUMPY, truth.abilities, truth.values).T
    gap = fit.expected_response(truth.abilities) - true
    error = estimates.abilities - truth.abilities
    difficulty = fit.items["difficulty"] - truth.items["difficulty"]
    return {
        "ability_cover": float(np.mean(np.abs(error) < 1.645 * estimates.ability_errors)),
        "difficulty_cover": float(np.mean(difficulty.abs() < 1.645 * fit.items["difficulty_se"])),
        "ability_rmse": float(np.sqrt(np.mean(error**2))),
        "curve_error": float(np.abs(gap).mean()),
        "seconds": fit.seconds,
    }


if __name__ == "__main__":
    measure()

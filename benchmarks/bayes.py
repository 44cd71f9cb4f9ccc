"""Faster methods against NUTS on small data: posterior means and standard deviations.

    python -m benchmarks.bayes --case 2pl

measures one case and keeps it; `python -m benchmarks.run --only bayes` measures all.
"""

import argparse
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

import numpy as np

import itemcurve
from benchmarks.report import load_rows, save_rows
from benchmarks.section import Column, Options, Row, Section, show_progress
from itemcurve.estimation.result import FitResult

_DRAWS = 1000


@dataclass(frozen=True)
class Case:
    """One data set; the population is the one that the marginal method estimates."""

    name: str
    model: str
    respondents: int
    items: int
    population: Any

    @property
    def title(self) -> str:
        """Model and size, for people."""
        return f"{self.model}, {self.respondents} × {self.items}"


CASES = (
    Case("2pl", "2pl", 200, 20, "respondents"),
    Case("beta3", "beta3", 12, 60, "items"),
    Case("beta3-respondents", "beta3", 100, 20, "respondents"),
    Case("logit-normal", "logit-normal", 400, 6, "respondents"),
    # So few respondents, so well measured, that the origin and unit they share in error count.
    Case("logit-normal-few", "logit-normal", 80, 12, "respondents"),
)


def measure(options: Options, cached: list[Row]) -> list[Row]:
    """All cases."""
    draws = 100 if options.small else _DRAWS
    return [row for case in CASES for row in measure_case(case, draws)]


def measure_case(case: Case, draws: int = _DRAWS) -> list[Row]:
    """Fit one data set by NUTS and by the others, and compare."""
    truth = itemcurve.simulate(case.model, respondents=case.respondents, items=case.items, seed=1)
    references: dict[str, tuple[FitResult, float]] = {}
    rows: list[Row] = []
    for name, (method, population) in _rivals(case).items():
        if population not in references:
            references[population] = _timed(
                truth.responses,
                case.model,
                itemcurve.MCMC(warmup=draws, draws=draws, population=population),
            )
        sampled, seconds = references[population]
        fitted, own = _timed(truth.responses, case.model, method)
        for row in compare_fits(fitted, sampled):
            rows.append(
                {
                    "data": case.title,
                    "method": name,
                    "population": population,
                    **row,
                    "converged": bool(fitted.status.is_converged),
                    "max_rhat": sampled.estimates.diagnostics["max_rhat"],
                    "divergences": sampled.estimates.diagnostics["divergences"],
                    "seconds": own,
                    "nuts_seconds": seconds,
                }
            )
            show_progress(f"  {rows[-1]}")
    return rows


def compare_fits(fitted: FitResult, sampled: FitResult) -> list[Row]:
    """Distance of means in posterior sds, and ratios of sds, by quantity."""
    rows: list[Row] = []
    tables = [(fitted.respondents, sampled.respondents, "ability")]
    free = [s.name for s in sampled.estimates.model.parameters if s.is_free]
    tables += [(fitted.items, sampled.items, name) for name in free]
    for own, reference, name in tables:
        sd = reference[f"{name}_se"].to_numpy()
        gap = (own[name] - reference[name]).to_numpy() / sd
        ratio = own[f"{name}_se"].to_numpy() / sd
        # What the draws' own means are uncertain by, in the same unit.
        noise = np.sqrt(2 / np.pi / reference["ess"].to_numpy()).mean()
        rows.append(
            {
                "quantity": name,
                "mean_gap": float(np.abs(gap).mean()),
                "bias": float(gap.mean()),
                "noise": float(noise),
                "sd_ratio": float(np.median(ratio)),
                "sd_ratio_mean": float(ratio.mean()),
            }
        )
    return rows


def _rivals(case: Case) -> dict[str, tuple[Any, str]]:
    """Methods, each with the population that NUTS must have to sample the same posterior."""
    is_absolute = itemcurve.get_model(case.model).latent.is_absolute
    population = "none" if is_absolute else "respondents"
    marginal = itemcurve.Marginal(over=case.population)
    found: dict[str, tuple[Any, str]] = {"marginal": (marginal, case.population)}
    if case.population == "respondents":
        total = replace(marginal, ability_errors="total")
        found["marginal, total errors"] = (total, case.population)
    return found | {
        "variational": (itemcurve.Variational(posterior="full-rank"), population),
        "variational, independent": (itemcurve.Variational(posterior="mean-field"), population),
    }


def _timed(responses: Any, model: str, method: Any) -> tuple[FitResult, float]:
    started = perf_counter()
    result = itemcurve.fit(responses, model, method=method, on_failure="ignore")
    return result, perf_counter() - started


SECTION = Section(
    name="bayes",
    title="Against NUTS",
    notes="Simulated data (seed 1), same model and priors; population is the side whose location "
    "and spread are estimated, by the method and by NUTS alike. Mean gap: mean "
    "|estimate − posterior mean| in posterior sds; of this, noise is what the finite number of "
    "draws alone would give. Sd ratio: median of standard error over posterior sd. NUTS: 4 chains "
    f"of {_DRAWS:,} draws after as many to adapt.",
    columns=(
        Column("data", "data"),
        Column("method", "method"),
        Column("population", "population"),
        Column("quantity", "quantity"),
        Column("mean_gap", "mean gap", ".3f"),
        Column("bias", "mean signed gap", ".3f"),
        Column("noise", "noise", ".3f"),
        Column("sd_ratio", "sd ratio", ".3f"),
        Column("converged", "converged", ".0f"),
        Column("max_rhat", "NUTS: R-hat", ".3f"),
        Column("divergences", "divergences", ".0f"),
        Column("seconds", "seconds", ".2f"),
        Column("nuts_seconds", "NUTS: seconds", ".0f"),
    ),
    measure=measure,
)

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--case", choices=[case.name for case in CASES], required=True)
    parser.add_argument("--draws", type=int, default=_DRAWS)
    given = parser.parse_args()
    chosen = next(case for case in CASES if case.name == given.case)
    fresh = measure_case(chosen, given.draws)
    known = [row for row in load_rows(SECTION) if row["data"] not in {r["data"] for r in fresh}]
    save_rows(SECTION, known + fresh)

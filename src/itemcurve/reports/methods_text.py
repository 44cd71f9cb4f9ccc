"""How the numbers were made: model, method, priors, convergence, version, and how to repeat it."""

import shlex
from collections.abc import Mapping
from typing import Any

from itemcurve import __version__
from itemcurve.estimation.result import FitResult
from itemcurve.reports.numbers import write_number


def describe_methods(fit: FitResult) -> list[tuple[str, str]]:
    """Give pairs of what and how, for people."""
    estimates, settings = fit.estimates, fit.settings
    own = settings.get("method_settings", {})
    is_quasi = estimates.model.family.is_quasi
    pairs = [
        ("Model", f"{fit.model}, {fit.n_parameters:,} parameters estimated"),
        ("Method", f"{settings.get('method', 'unknown')}, integrated over {estimates.over}"),
        ("Method settings", _pairs(own)),
        ("Priors", _pairs(settings.get("prior", {})) or "none (maximum likelihood)"),
        ("Fixed or constrained", _pairs(settings.get("parameters", {})) or "nothing"),
        ("Boundary of responses", _boundary(fit)),
        ("Status", f"{fit.status}, {estimates.iterations:,} iterations, {fit.seconds:.2f} s"),
        ("Maximised", f"{fit.objective} = {estimates.objective_value:,.2f}"),
        (f"{'Quasi' if is_quasi else 'Log'}-likelihood", f"{fit.log_likelihood:,.2f}"),
        ("AIC, BIC", f"{fit.aic:,.1f}, {fit.bic:,.1f}"),
        ("Standard errors", estimates.standard_errors),
        ("Population", _pairs(estimates.population) or "fixed"),
        ("Seed", str(own.get("seed", "none: the fit itself draws no random numbers"))),
        ("Engine", str(settings.get("engine", "unknown"))),
        ("Version", f"itemcurve {__version__}"),
    ]
    return [(name, text) for name, text in pairs if text]


def describe_evaluation(notes: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Say how respondents were trained and asked, where that is known."""
    seconds = notes.get("seconds")
    pairs = [
        ("Data", str(notes.get("data") or "")),
        ("Target", str(notes.get("target") or "")),
        ("Split", str(notes.get("split") or "")),
        ("Seed of splits and models", _seed(notes)),
        ("Responses", str(notes.get("response") or "")),
        ("Preparation", " ".join(str(note) for note in notes.get("notes") or ())),
        ("Slopes", str(notes.get("slopes") or "")),
        (
            "Training and prediction",
            f"{sum(seconds.values()):.1f} s" if isinstance(seconds, dict) and seconds else "",
        ),
    ]
    return [(name, text) for name, text in pairs if text]


def _seed(notes: Mapping[str, Any]) -> str:
    if "seed" not in notes:
        return ""
    return "none was set: each run differs" if notes["seed"] is None else str(notes["seed"])


def reproduce_command(fit: FitResult, run: str | None) -> str:
    """Give the command that makes the same fit from the responses of a run."""
    settings = fit.settings
    source = "responses.csv" if run is None else f"{run.rstrip('/')}/responses.npz"
    words = ["itemcurve", "fit", source, "--model", fit.model]
    own = settings.get("method_settings", {})
    if settings.get("method") != "marginal":
        words += ["--method", str(settings.get("method"))]
    if own.get("over") in ("items", "respondents"):
        words += ["--over", own["over"]]
    if own.get("max_iterations", 500) != 500:
        words += ["--max-iterations", str(own["max_iterations"])]
    prior = settings.get("prior", {})
    if prior and all(value == "None" for value in prior.values()):
        words += ["--prior", "none"]
    boundary = settings.get("boundary", {}).get("kind")
    if fit.estimates.model.family.is_continuous and boundary in ("clip", "none"):
        words += ["--boundary", boundary]
    for name, value in settings.get("parameters", {}).items():
        if name in ("discrimination", "guessing") and isinstance(value, str | int | float):
            words += [f"--{name}", str(value)]
    if settings.get("engine", "numpy") != "numpy":
        words += ["--engine", str(settings["engine"])]
    return shlex.join([*words, "--out", "again"])


def _pairs(values: dict[str, Any]) -> str:
    return "; ".join(f"{name.replace('_', ' ')}: {_word(value)}" for name, value in values.items())


def _word(value: Any) -> str:
    if isinstance(value, float):
        return write_number(value)
    if isinstance(value, list) and len(value) > 5:
        return f"{len(value):,} values"
    return str(value)


def _boundary(fit: FitResult) -> str:
    if not fit.estimates.model.family.is_continuous:
        return ""
    boundary = fit.estimates.model.boundary
    return (
        f"{boundary.kind} within {write_number(boundary.width)} of the ends: "
        f"{fit.boundary_responses:,} responses"
    )

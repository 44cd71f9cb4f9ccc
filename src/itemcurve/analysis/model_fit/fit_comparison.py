"""Which of several fits of the same responses to believe."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from itemcurve.analysis.evaluated_fits import HasFit, fit_of
from itemcurve.analysis.model_fit.held_out import HeldOut, score_held_out
from itemcurve.errors import ModelError, ResponsesError
from itemcurve.estimation.posterior_draws import leave_one_out
from itemcurve.estimation.result import FitResult
from itemcurve.showing.html_cards import html_card
from itemcurve.showing.text_tables import text_table

if TYPE_CHECKING:
    import pandas

# Above this, PSIS-LOO says itself that it cannot be trusted for a cell.
_LARGEST_K = 0.7
_MOST_LOG_DENSITIES = 50_000_000


@dataclass(frozen=True, eq=False)
class Comparison:
    """Several fits of the same responses, side by side.

    Attributes
    ----------
    rows : one mapping per fit, in the order given; the columns of `frame`.
    notes : what may be compared with what, in words.
    settings : share and seed of the cells held out.
    """

    rows: tuple[Mapping[str, Any], ...]
    notes: tuple[str, ...]
    settings: Mapping[str, float]

    def brief(self) -> "pandas.DataFrame":
        """Give what one compares by, as text."""
        table = self.frame()
        digits = {"log_likelihood": 1, "aic": 1, "bic": 1, "held_out": 4, "held_out_se": 4}
        words = {name: table[name].map(f"{{:.{n}f}}".format) for name, n in digits.items()}
        return table[["fit", *digits]].assign(**words)

    def __str__(self) -> str:
        return "\n".join([text_table(self.brief()), *self.notes])

    def _repr_html_(self) -> str:
        title = f"{len(self.rows)} fits of the same responses"
        return html_card(title, self.notes, self.brief(), more="All: .frame()")

    def frame(self) -> "pandas.DataFrame":
        """One row per fit, the best held-out score first within what is comparable.

        `log_likelihood`, `aic` and `bic` compare within one `objective`, `held_out` and
        `psis_loo` (means per cell, higher is better) within one `measure`.
        """
        import pandas

        table = pandas.DataFrame(list(self.rows))
        return table.sort_values(
            ["measure", "held_out"], ascending=[True, False], kind="stable", ignore_index=True
        )


def compare(
    *fits: FitResult | HasFit,
    names: Sequence[str] | None = None,
    share: float = 0.2,
    seed: int = 0,
) -> Comparison:
    """Compare fits of the same responses by likelihood, AIC, BIC and held-out log score.

    Every fit is repeated, with its own settings, without a random share of the cells, which are
    then scored. Fits with draws also get PSIS-LOO (Vehtari, Gelman and Gabry 2017).

    Parameters
    ----------
    fits : two or more, or evaluations, of the same responses.
    names : what to call them; their models and methods when left out.
    share, seed : which cells are held out, the same ones for all.

    Examples
    --------
    >>> import itemcurve as ic
    >>> truth = ic.simulate("2pl", respondents=300, items=20, seed=1)
    >>> fits = [ic.fit(truth.responses, model) for model in ("1pl", "2pl")]
    >>> sorted(ic.compare(*fits).frame()["model"])
    ['1pl', '2pl']
    """
    known = tuple(fit_of(fit) for fit in fits)
    _check_same_responses(known)
    labels = _labels(known, names)
    scores = [score_held_out(fit, share, seed) for fit in known]
    measures = [describe_measure(fit) for fit in known]
    objectives = [fit.objective for fit in known]
    rows = tuple(
        _row(label, fit, score, measure, _best(scores, measures, measure))
        for label, fit, score, measure in zip(labels, known, scores, measures, strict=True)
    )
    notes = tuple(_notes(labels, measures, objectives))
    return Comparison(rows, notes, {"share": share, "seed": seed})


def describe_measure(fit: FitResult) -> str:
    """Say what a log-likelihood is the logarithm of: only like is comparable with like."""
    model = fit.estimates.model
    if not model.family.is_continuous:
        return "probability"
    kind, width = model.boundary.kind, model.boundary.width
    ends = {"censor": f", censored at {width:g}", "clip": f", clipped at {width:g}", "none": ""}
    return f"density{ends[kind]}"


def _row(label: str, fit: FitResult, held: HeldOut, measure: str, best: HeldOut) -> dict[str, Any]:
    lead, lead_error = held.lead_over(best)
    return {
        "fit": label,
        "model": fit.model,
        "method": str(fit.settings.get("method")),
        "status": fit.status.name.lower(),
        "parameters": fit.n_parameters,
        "log_likelihood": fit.log_likelihood,
        "aic": fit.aic,
        "bic": fit.bic,
        "objective": fit.objective,
        "held_out": held.score,
        "held_out_se": held.error,
        "held_out_difference": lead,
        "held_out_difference_se": lead_error,
        "held_out_status": held.status.name.lower(),
        "held_out_cells": len(held.log_densities),
        **_leave_one_out(fit),
        "measure": measure,
    }


def _leave_one_out(fit: FitResult) -> dict[str, float]:
    """PSIS-LOO per cell, its standard error, and the share of cells it fails for."""
    draws = fit.estimates.draws
    if draws is None:
        return {"psis_loo": np.nan, "psis_loo_se": np.nan, "psis_loo_failed": np.nan}
    total = fit.responses.n_observed * draws.abilities.shape[0] * draws.abilities.shape[1]
    thin = -(-total // _MOST_LOG_DENSITIES)
    densities = draws.log_densities(fit.estimates.model, fit.responses, thin)
    scores, shapes = leave_one_out(densities)
    return {
        "psis_loo": float(scores.mean()),
        "psis_loo_se": float(scores.std(ddof=1) / np.sqrt(len(scores))),
        "psis_loo_failed": float((shapes > _LARGEST_K).mean()),
    }


def _best(scores: Sequence[HeldOut], measures: Sequence[str], measure: str) -> HeldOut:
    rivals = [s for s, m in zip(scores, measures, strict=True) if m == measure]
    return max(rivals, key=lambda held: held.score)


def _notes(labels: Sequence[str], measures: Sequence[str], objectives: Sequence[str]) -> list[str]:
    found = []
    kinds = list(dict.fromkeys(zip(measures, objectives, strict=True)))
    if len(kinds) == 1:
        return ["All columns are comparable: one objective, one measure."]
    for measure in dict.fromkeys(measures):
        members = [n for n, m in zip(labels, measures, strict=True) if m == measure]
        goals = {o for o, m in zip(objectives, measures, strict=True) if m == measure}
        if len(members) > 1 and len(goals) > 1:
            found.append(
                f"{', '.join(members)}: different objectives, comparable by held-out score "
                "(and PSIS-LOO) only."
            )
        elif len(members) > 1:
            found.append(f"{', '.join(members)}: all columns are comparable.")
    if len(set(measures)) > 1:
        found.append(
            "Nothing compares a " + " with a ".join(dict.fromkeys(measures)) + ": their "
            "logarithms have different units. Compare models of one kind: fractional ones with one "
            "another, β³ and logit-normal with one another."
        )
    return found


def _labels(fits: Sequence[FitResult], names: Sequence[str] | None) -> list[str]:
    if names is None:
        plain = [f"{fit.model}, {fit.settings.get('method')}" for fit in fits]
        return [
            name if plain.count(name) == 1 else f"{name} ({index + 1})"
            for index, name in enumerate(plain)
        ]
    if len(names) != len(fits) or len(set(names)) != len(names):
        raise ModelError(
            "names must be one different name per fit.",
            f"Got {len(names)} names for {len(fits)} fits.",
            "Leave them out to use models and methods.",
        )
    return list(names)


def _check_same_responses(fits: Sequence[FitResult]) -> None:
    if len(fits) < 2:
        raise ModelError(
            "compare needs at least two fits.", f"Got {len(fits)}.", "Fit another model."
        )
    first = fits[0].responses
    for index, fit in enumerate(fits[1:], start=2):
        other = fit.responses
        is_same = (other.respondents, other.items) == (
            first.respondents,
            first.items,
        ) and np.array_equal(other.array(), first.array(), equal_nan=True)
        if not is_same:
            raise ResponsesError(
                "Only fits of the same responses can be compared.",
                f"Fit 1 is of {first.shape[0]} × {first.shape[1]}, fit {index} of "
                f"{other.shape[0]} × {other.shape[1]} responses, and they differ.",
                "Fit all models to the same Responses.",
            )

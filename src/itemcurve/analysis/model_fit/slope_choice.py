"""Slopes as free as the data bear: equal, shrunk or free, by the marginal likelihood."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from itemcurve.estimation.fit import fit
from itemcurve.estimation.method import Method
from itemcurve.estimation.result import FitResult
from itemcurve.responses.matrix import Responses

if TYPE_CHECKING:
    import pandas

# Slopes are compared on so many items: what a thousand say, ten thousand say again, slower.
_MOST_ITEMS = 1000
# Fewer answers to an item than this say nothing of its slope.
_LEAST_RESPONDENTS = 5
_WORDS = {
    "equal": "equal slopes for all items",
    "shrunk": "positive slopes, drawn to a common one",
    "free": "a free slope for every item",
}


@dataclass(frozen=True, eq=False)
class SlopeChoice:
    """Which slopes were chosen, and why.

    Attributes
    ----------
    chosen : `equal`, `shrunk` or `free`.
    evidence : by kind of slope, the log-likelihood less ½ log n for each further parameter, over
        that of equal slopes; minus infinity where that fit did not converge.
    """

    chosen: str
    evidence: dict[str, float]
    fit: FitResult

    def frame(self) -> "pandas.DataFrame":
        """One row per kind of slope."""
        import pandas

        kinds = list(self.evidence)
        return pandas.DataFrame(
            {
                "slopes": kinds,
                "evidence": [self.evidence[kind] for kind in kinds],
                "is_chosen": [kind == self.chosen for kind in kinds],
            }
        )

    def say(self) -> str:
        """Say what was chosen, in one sentence."""
        if len(self.evidence) == 1:
            return (
                f"{_WORDS[self.chosen]} ({self.fit.model}): fewer than {_LEAST_RESPONDENTS} "
                "respondents tell nothing of slopes."
            )
        tried = ", ".join(
            f"{kind} {self.evidence[kind]:+.1f}" for kind in self.evidence if kind != "equal"
        )
        return (
            f"{_WORDS[self.chosen]} ({self.fit.model}), which is what the data bear "
            f"(nats over equal slopes: {tried})."
        )


def fit_as_free_as_borne(
    responses: Responses, *, method: str | Method = "marginal", **settings: Any
) -> SlopeChoice:
    """Fit a logistic model whose slopes are equal, shrunk or free, whichever the data bear.

    Each kind is fitted to at most 1,000 items, spread evenly; the one with the highest
    log-likelihood less ½ log n for each parameter that it has more than equal slopes have is then
    fitted to all. Where items are integrated out, shrunk slopes have one parameter more (their
    spread) and free ones two (centre and spread), and n counts the items; where respondents are,
    every item brings one, and n counts the respondents. Of fewer than five respondents slopes are
    equal.

    Parameters
    ----------
    responses : 0 and 1, or scores in between.
    settings : further arguments of `fit`.
    """
    kinds = _kinds(responses)
    columns = np.linspace(0, responses.shape[1] - 1, min(responses.shape[1], _MOST_ITEMS))
    is_all = len(columns) == responses.shape[1]
    part = responses if is_all else responses.take(columns=columns.astype(int).tolist())
    tried = {
        kind: fit(part, model, method=method, **{**settings, **own, "on_failure": "ignore"})
        for kind, (model, own) in kinds.items()
    }
    evidence = {kind: _evidence(kind, found, tried["equal"]) for kind, found in tried.items()}
    chosen = max(evidence, key=lambda kind: evidence[kind])
    model, own = kinds[chosen]
    # Fitted again, though the same: what did not converge must be said as the caller asked.
    is_done = is_all and tried[chosen].status.is_converged
    final = (
        tried[chosen] if is_done else fit(responses, model, method=method, **{**settings, **own})
    )
    return SlopeChoice(chosen, evidence, final)


def _kinds(responses: Responses) -> dict[str, tuple[str, dict[str, Any]]]:
    values = responses.observed_values()
    is_graded = bool(((values != 0) & (values != 1)).any())
    one, two = ("fractional-1pl", "fractional-2pl") if is_graded else ("1pl", "2pl")
    if responses.shape[0] < _LEAST_RESPONDENTS:
        return {"equal": (one, {})}
    return {
        "equal": (one, {}),
        "shrunk": (two, {"discrimination": "positive"}),
        "free": (two, {}),
    }


def _evidence(kind: str, found: FitResult, equal: FitResult) -> float:
    if kind != "equal" and not found.status.is_converged:
        return float("-inf")
    n_respondents, n_items = found.responses.shape
    if "over items" in found.objective:
        more, size = {"equal": 0, "shrunk": 1, "free": 2}[kind], n_items
    else:
        more, size = (0 if kind == "equal" else n_items - 1), n_respondents
    return float(found.log_likelihood - equal.log_likelihood - more / 2 * np.log(size))

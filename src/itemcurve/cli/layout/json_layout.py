"""What `--json` prints: one object, keys sorted, null for what is not a finite number.

`fit` and `show`::

    itemcurve        version that printed this
    command, run     "fit" or "show"; the run folder, null when not saved
    model, method, engine, over       names; `over` is the side that was integrated out
    shape            {respondents, items, observed}
    status           {name, message, is_converged, iterations}
    log_likelihood, aic, bic, n_parameters, seconds
    objective        {name, value}
    standard_errors  where they come from, in words
    population       estimated locations and spreads, by name
    diagnostics      what a method says of its own work, by name: R-hat, divergences
    respondents      [{respondent, ability, ability_se, mean_response, responses, flags: []}]
    items            [{item, discrimination, discrimination_se, difficulty, …, flags: []}]

Respondents come by ability, highest first; items in the order of the responses.

`score`::

    itemcurve, command, run, model
    method           "eap", "map", "ml" or "wle"
    scores           [{respondent, ability, ability_se, flags: []}], in the order of the file
"""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from itemcurve import __version__

if TYPE_CHECKING:
    import pandas

    from itemcurve.bank.ability_estimation import Scores
    from itemcurve.estimation.result import FitResult


def describe_fit(
    result: "FitResult",
    command: str,
    run: Path | None,
    respondents: int | None = None,
    items: int | None = None,
) -> dict[str, Any]:
    """Give the object of a fit.

    Parameters
    ----------
    respondents, items : how many rows at most; all when left out.
    """
    estimates, shape = result.estimates, result.responses.shape
    ranked = result.respondents.sort_values("ability", ascending=False, kind="stable")
    return {
        **_head(command, run, result.model),
        "method": result.settings.get("method"),
        "engine": result.settings.get("engine"),
        "over": estimates.over,
        "shape": {
            "respondents": shape[0],
            "items": shape[1],
            "observed": result.responses.n_observed,
        },
        "status": {
            "name": result.status.name.lower(),
            "message": str(result.status),
            "is_converged": result.status.is_converged,
            "iterations": estimates.iterations,
        },
        "log_likelihood": result.log_likelihood,
        "aic": result.aic,
        "bic": result.bic,
        "n_parameters": result.n_parameters,
        "seconds": result.seconds,
        "objective": {"name": result.objective, "value": estimates.objective_value},
        "standard_errors": estimates.standard_errors,
        "population": estimates.population,
        "diagnostics": estimates.diagnostics,
        "respondents": _rows(ranked.head(shape[0] if respondents is None else respondents)),
        "items": _rows(result.items.head(shape[1] if items is None else items)),
    }


def describe_scores(scores: "Scores", run: Path, model: str) -> dict[str, Any]:
    """Give the object of scores against a bank."""
    return {
        **_head("score", run, model),
        "method": scores.method,
        "scores": _rows(scores.frame()),
    }


def print_json(document: Mapping[str, Any]) -> None:
    """Print one object on stdout, in UTF-8 whatever the terminal speaks."""
    from itemcurve.storage.json_documents import pack_json

    content = pack_json(document, "the output")
    sys.stdout.flush()
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()


def _head(command: str, run: Path | None, model: str) -> dict[str, Any]:
    return {
        "itemcurve": __version__,
        "command": command,
        "run": None if run is None else str(run),
        "model": model,
    }


def _rows(frame: "pandas.DataFrame") -> list[dict[str, Any]]:
    """One object per row; flags as a list."""
    rows = [{str(key): value for key, value in row.items()} for row in frame.to_dict("records")]
    return [{**row, "flags": [f for f in row["flags"].split(", ") if f]} for row in rows]

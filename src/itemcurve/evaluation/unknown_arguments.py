"""Arguments that nobody knows, refused before anything is trained."""

from collections.abc import Callable, Iterable
from difflib import get_close_matches
from inspect import Parameter, signature
from typing import Any

from itemcurve.errors import EvaluationError
from itemcurve.estimation.fit import fit

# What scikit-learn calls otherwise, or does elsewhere.
_HABITS = {
    "random_state": "It is called seed here.",
    "verbose": "It is called progress here: True, False, or a function to be told.",
    "scoring": "Leave it out: the leaderboard has the usual metrics of all estimators.",
    "test_size": "Give X_test and y_test, or use evaluate_table(…, test_share=0.3).",
    "fit_params": "Give weights as sample_weight; set other parameters in the estimators.",
    "params": "Give weights as sample_weight; set other parameters in the estimators.",
    "shuffle": "Give a splitter as cv, such as KFold(5, shuffle=True).",
    "n_splits": "It is called cv here.",
    "n_folds": "It is called cv here.",
    "report": "It is called progress here; evaluation.report(path) writes the page.",
    "callback": "It is called progress here.",
    "return_train_score": "Leave it out: rows that were trained on are not evaluated.",
    "weights": "It is called sample_weight here.",
}


def refuse_unknown(
    given: Iterable[str], caller: Callable[..., Any], parameters: Iterable[str]
) -> None:
    """Raise for an argument that neither the caller, `fit` nor the model takes.

    Parameters
    ----------
    given : names of the further arguments.
    caller : the function that was called.
    parameters : names that the model has.
    """
    own = _names(caller)
    known = {*own, *_names(fit), *parameters}
    for name in given:
        if name in known:
            continue
        near = get_close_matches(name, sorted(known), 1, cutoff=0.7)
        advice = _HABITS.get(name) or (
            f"Did you mean {near[0]}?" if near else f"It takes {', '.join(own)}."
        )
        raise EvaluationError(
            f"{getattr(caller, '__name__', 'This function')} must know its arguments;",
            f"{name!r} is none of them.",
            advice,
        )


def _names(function: Callable[..., Any]) -> list[str]:
    kinds = (Parameter.VAR_KEYWORD, Parameter.VAR_POSITIONAL)
    found = signature(function).parameters
    return [name for name, parameter in found.items() if parameter.kind not in kinds]

"""Responses that another command has made, fitted again: what they are, and which models read them.

A run knows whether its responses rise with ability, a table of features does not know that it is
none of responses. Taken for what they are not, both give abilities without a word of doubt.
"""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.errors import ModelError

if TYPE_CHECKING:
    import pandas

    from itemcurve.estimation.result import FitResult
    from itemcurve.models.contract import ItemModel
    from itemcurve.responses.matrix import Responses

# Orders that agree less than this are two orders; fewer respondents have none to speak of.
_ALIKE, _FEWEST = 0.9, 3
# What a table calls the column that models are to predict.
_TARGETS = frozenset({"target", "label", "class", "y", "outcome"})
# Of `evaluate --response`, and what `fit` would take it for.
_GRADES = {
    "skill": "skill, by which evaluate ranks; of the probability given to the label tells "
    "itemcurve evaluate --model beta3",
    "probability": "the probability given to the label",
    "correct": "right and wrong",
    "absolute": "absolute errors over the mean distance of targets from their mean (SIZE is 1)",
    "normalised": "errors divided by the row's distance from the mean (SIZE is 1)",
    "score": "scores 1/(1 + error)",
}


def check_run_responses(run: Path, model: "ItemModel", error_size: float | None) -> None:
    """Refuse a model that takes a run's scores for errors, or its errors for scores.

    Parameters
    ----------
    error_size : of `--by-beta3`, which reads errors.
    """
    if not (run / "run.json").is_file():
        return
    from itemcurve.estimation.saving.saved_fit import load

    own = getattr(load(run), "estimates", None)
    is_error = error_size is not None or model.orientation < 0
    if own is None or is_error == (own.model.orientation < 0):
        return
    kinds = ("errors, which fall with ability", "scores, which rise with ability")
    wanted, given = kinds if is_error else kinds[::-1]
    raise ModelError(
        f"{'--by-beta3' if error_size is not None else model.name} is for {wanted};",
        f"{run} has {given}: the order of all would be upside down.",
        f"Use a model of {given.partition(',')[0]}.",
    )


def describe_responses(run: Path) -> str | None:
    """Say what an evaluation's responses are; None of other runs and of files."""
    if not (run / "evaluation.json").is_file():
        return None
    from itemcurve.storage.run_folder import read_run

    notes = read_run(run).document("evaluation").get("notes")
    response = str(notes.get("response")) if isinstance(notes, dict) else ""
    return f"Responses of {run}: {_GRADES[response]}." if response in _GRADES else None


def say_beside(run: Path, result: "FitResult") -> list[str]:
    """Say how the order of a new fit agrees with what an evaluation's models get right.

    Nothing of files and runs without the predictions that skill is measured on.
    """
    board = _skills_of(run, set(result.responses.respondents))
    if board is None:
        return []
    from scipy.stats import spearmanr

    places = {name: row for row, name in enumerate(result.responses.respondents)}
    abilities = np.asarray(result.estimates.abilities)[[places[n] for n in board["respondent"]]]
    skills = board["skill"].to_numpy(dtype=float)
    if np.ptp(abilities) == 0 or np.ptp(skills) == 0:
        return []
    agreement = float(spearmanr(abilities, skills).statistic)
    order, best = np.argsort(-abilities, kind="stable"), int(skills.argmax())
    first = int(order[0])
    name, place = board["respondent"].iloc[best], int(np.flatnonzero(order == best)[0]) + 1
    said = (
        f"Beside the skill of models in {run}: rank correlation {agreement:.2f}. "
        f"Best there is {name} ({skills[best]:.3f}), here number {place} of {len(order)}"
    )
    if first == best:
        return [f"{said}."]
    leader = board["respondent"].iloc[first]
    said += f"; {leader}, first here, has {skills[first]:.3f} there."
    if agreement < _ALIKE:
        said += " Where these disagree choose by skill, or by the metric you care about."
    return [said]


def _skills_of(run: Path, known: set[str]) -> "pandas.DataFrame | None":
    """Skill of those of an evaluation's models that are known, None where there are too few."""
    if not (run / "evaluation.json").is_file() or not (run / "leaderboard.json").is_file():
        return None
    from itemcurve.storage.run_folder import read_run
    from itemcurve.storage.tables import unpack_table

    board = unpack_table(read_run(run).document("leaderboard"), "leaderboard")
    if not {"respondent", "skill", "rank"} <= set(board.columns):
        return None
    kept = board[board["rank"].notna() & board["skill"].notna() & board["respondent"].isin(known)]
    return kept if len(kept) >= _FEWEST else None


def doubt_features(responses: "Responses") -> str | None:
    """Say that a table looks like one of features, where one of its columns is called a target."""
    found = [name for name in responses.items if name.lower() in _TARGETS]
    if not found or responses.shape[1] < 2:
        return None
    return (
        f"Warning: the item {found[0]!r} has the name of a target. A table of features is none of "
        "responses (respondents × items): models are trained on it by itemcurve evaluate."
    )

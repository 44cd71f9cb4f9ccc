"""Class by class: how often each is recognised, what it is taken for, who recognises it best."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.predictions import Predictions
from itemcurve.errors import EvaluationError

if TYPE_CHECKING:
    import pandas

# Classes that one is taken for, named in the table.
_NAMED = 2


def measure_each_class(
    predictions: Predictions,
    respondent: str,
    is_suspect: NDArray[np.bool_] | None = None,
) -> "pandas.DataFrame":
    """Give one row per class that is given to some item.

    `rows` has the class; of these `share_right` are recognised by the respondent (its recall), and
    the others `mostly_taken_for` what is named, with how many of them; of the items that it says
    are of the class `named_rightly` are (its precision, NaN where it never says so). `all_models`
    is the mean share right of all respondents that are no constant answers, `best_at_it` the one
    that recognises most, with its share. All against the labels as given.

    Parameters
    ----------
    respondent : whose mistakes are told.
    is_suspect : items whose labels are suspect; counted where some are.
    """
    import pandas

    if respondent not in predictions.respondents:
        raise EvaluationError(
            "Mistakes are told of a respondent;",
            f"{respondent!r} is none of {len(predictions.respondents)}.",
            f"Use for example {predictions.respondents[0]!r}.",
        )
    own = predictions.chosen[predictions.respondents.index(respondent)]
    models = np.flatnonzero(~predictions.is_reference)
    if not len(models):
        models = np.arange(len(predictions.respondents))
    rows = []
    for place, name in enumerate(predictions.classes):
        is_given = predictions.labels == place
        if not is_given.any():
            continue
        shares = (predictions.chosen[models][:, is_given] == place).mean(axis=1)
        said = own == place
        row: dict[str, Any] = {
            "class": name,
            "rows": int(is_given.sum()),
            "share_right": float((own[is_given] == place).mean()),
            "mostly_taken_for": _say_taken(predictions, own[is_given], place),
            "named_rightly": float(is_given[said].mean()) if said.any() else np.nan,
            "all_models": float(shares.mean()),
            "best_at_it": f"{predictions.respondents[models[shares.argmax()]]} {shares.max():.2f}",
        }
        if is_suspect is not None and is_suspect.any():
            row["suspect_labels"] = int(is_suspect[is_given].sum())
        rows.append(row)
    return pandas.DataFrame(rows)


def _say_taken(predictions: Predictions, chosen: NDArray[np.integer], place: int) -> str:
    """Name what items of a class are taken for, the most frequent first."""
    counts = np.bincount(chosen[chosen != place], minlength=len(predictions.classes))
    order = [k for k in np.argsort(-counts, kind="stable") if counts[k]]
    said = [f"{predictions.classes[k]} ({counts[k]})" for k in order[:_NAMED]]
    more = int(counts[order[_NAMED:]].sum())
    return ", ".join(said) + (f", others ({more})" if more else "")

"""Class by class: how often each is recognised, what it is taken for, who recognises it best."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.predictions import Predictions
from itemcurve.errors import EvaluationError
from itemcurve.showing.html_cards import html_card
from itemcurve.showing.text_tables import text_table, wrapped

if TYPE_CHECKING:
    import pandas

# Classes that one is taken for, named in the table.
_NAMED = 2


@dataclass(frozen=True, eq=False)
class EachClass:
    """How often each class is recognised, and what it is taken for.

    Attributes
    ----------
    respondent : whose mistakes are told.
    table : one row per class, with the columns of `measure_each_class`.
    """

    respondent: str
    table: "pandas.DataFrame"

    def frame(self) -> "pandas.DataFrame":
        """One row per class."""
        return self.table.copy()

    def brief(self) -> "pandas.DataFrame":
        """Give what one reads first, as text."""
        import pandas

        shown = {"class": self.table["class"].astype(str), "rows": self.table["rows"].astype(str)}
        for name, word in (("share_right", "right"), ("all_models", "all models")):
            shown[word] = self.table[name].map("{:.2f}".format)
        shown["taken for"] = self.table["mostly_taken_for"]
        shown["best at it"] = self.table["best_at_it"]
        return pandas.DataFrame(shown)

    def say(self) -> str:
        """Say which class is recognised least."""
        worst = self.table.iloc[int(np.argmin(self.table["share_right"].to_numpy(float)))]
        taken = f", mostly taken for {worst['mostly_taken_for']}" * bool(worst["mostly_taken_for"])
        return (
            f"{self.respondent} recognises {worst['class']!r} least: {worst['share_right']:.2f} of "
            f"{worst['rows']:,} items{taken}."
        )

    def __str__(self) -> str:
        return f"{text_table(self.brief())}\n{wrapped(self.say())}"

    def _repr_html_(self) -> str:
        title = f"Class by class, as {self.respondent} sees them"
        return html_card(title, [self.say()], self.brief(), more="All: .frame()")


def measure_each_class(
    predictions: Predictions,
    respondent: str,
    is_suspect: NDArray[np.bool_] | None = None,
) -> EachClass:
    """Tell of every class that is given to some item.

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
    return EachClass(respondent, pandas.DataFrame(rows))


def _say_taken(predictions: Predictions, chosen: NDArray[np.integer], place: int) -> str:
    """Name what items of a class are taken for, the most frequent first."""
    counts = np.bincount(chosen[chosen != place], minlength=len(predictions.classes))
    order = [k for k in np.argsort(-counts, kind="stable") if counts[k]]
    said = [f"{predictions.classes[k]} ({counts[k]})" for k in order[:_NAMED]]
    more = int(counts[order[_NAMED:]].sum())
    return ", ".join(said) + (f", others ({more})" if more else "")

"""Profiles by the share of predictions that noise changes, on the easiest and the hardest rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import EvaluationError

if TYPE_CHECKING:
    import pandas

_MEANS = ("changed_easy", "changed_hard", "changed", "accuracy", "accuracy_noisy")
# Runs that an earlier version wrote lack these.
_ALSO = ("accuracy_hard", "accuracy_hard_noisy", "one_class", "one_class_noisy")


@dataclass(frozen=True, eq=False)
class ChangeProfiles:
    """Two shares per respondent, averaged over data sets.

    A share means the same whatever classes were predicted, where κ of rows that are nearly all of
    one class is lost by a few changes.

    Attributes
    ----------
    respondents : those that ever change their answer.
    means : one row per respondent: shares of predictions changed on the easiest, the hardest and
        all rows, accuracy without and with noise, on all rows and on the hardest, share of the
        class each names most often, over so many `data_sets`; NaN where a run does not tell it.
    constant : respondents that name one class throughout, on every data set: noise cannot move
        them, and they are not grouped.
    """

    respondents: tuple[str, ...]
    means: "pandas.DataFrame"
    constant: tuple[str, ...] = ()
    kind: str = "share"

    @property
    def values(self) -> NDArray[np.float64]:
        """What distances are between: changed on the easiest and on the hardest rows."""
        return self.means[["changed_easy", "changed_hard"]].to_numpy(np.float64)

    def frame(self) -> "pandas.DataFrame":
        """One row per respondent."""
        return self.means


def change_profiles(verdicts: "Sequence[pandas.DataFrame]") -> ChangeProfiles:
    """Average what noise changes over data sets; a respondent over those that have it.

    Parameters
    ----------
    verdicts : one table per data set, as `curves.verdicts()` gives it.
    """
    import pandas

    for table in verdicts:
        if not {"respondent", "is_constant", *_MEANS} <= set(table):
            raise EvaluationError(
                "Groups by changed predictions need tables that tell these;",
                "one is of a run that an earlier version wrote.",
                "Measure that table again, or group by κ (--measure kappa).",
            )
    rows = pandas.concat(list(verdicts), ignore_index=True)
    names = dict.fromkeys(rows["respondent"])
    judged = rows[~rows["is_constant"].astype(bool)]
    parts = judged.groupby("respondent", sort=False)
    # A mean over some of the tables would stand beside one over all.
    known = [name for name in _ALSO if name in rows and not judged[name].isna().any()]
    means = parts[[*_MEANS, *known]].mean().reindex(columns=[*_MEANS, *_ALSO])
    means["data_sets"] = parts.size()
    kept = [name for name in names if name in means.index]
    return ChangeProfiles(
        tuple(kept),
        means.loc[kept].reset_index(),
        tuple(name for name in names if name not in means.index),
    )

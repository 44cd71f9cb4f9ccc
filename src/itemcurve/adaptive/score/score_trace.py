"""The trace of a test for the score: what was predicted after each answer."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.adaptive.score.score_test import ScoreTest
from itemcurve.errors import ModelError
from itemcurve.numerics.engine import Array
from itemcurve.storage.tables import tabulate

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, eq=False)
class ScoreTrace:
    """A test answer by answer.

    Attributes
    ----------
    items, responses : what was asked and answered, in the order of recording.
    is_drawn : whether an item was drawn with a known chance; others were chosen.
    score, lower, upper : prediction and interval after each answer.
    """

    respondent: str
    size: int
    items: tuple[str, ...]
    responses: Array
    is_drawn: Array
    score: Array
    lower: Array
    upper: Array

    def frame(self) -> "pandas.DataFrame":
        """One row per answer: step, item, response, how it was found, score and its interval."""
        how = np.where(self.is_drawn, "drawn", "chosen")
        steps = np.arange(1, len(self.items) + 1)
        asked = {"step": steps, "item": self.items, "response": self.responses, "how": how}
        return tabulate(self, "score", "lower", "upper", **asked)


def score_trace(test: ScoreTest) -> ScoreTrace:
    """Predict the score after each answer of a test, as it could have been seen then.

    Examples
    --------
    >>> import itemcurve as ic
    >>> known = ic.simulate("2pl", respondents=20, items=60, seed=1).responses
    >>> test = ic.ScoreTest(known, 10)
    >>> while (item := test.next_item()) is not None:
    ...     test.record(item, 1)
    >>> ic.tables.score_trace(test).frame()["how"].tolist()[:6]
    ['drawn', 'drawn', 'drawn', 'drawn', 'drawn', 'drawn']
    """
    if not test.answers:
        raise ModelError(
            "The trace of a test needs an answer.",
            "There is none.",
            "Ask next_item() and record its answer first.",
        )
    so_far = ScoreTest(
        test.known,
        test.n_items,
        weights=test.weights,
        every_look=test.every_look,
        respondent=test.respondent,
        seed=test.seed,
    )
    found = []
    for count in range(1, len(test.answers) + 1):
        so_far.restore(test.answers[:count], (), (), test.is_chosen)
        score = so_far.score
        found.append((score.value, score.lower, score.upper))
    value, lower, upper = np.array(found).T
    drawn = np.array([a.handed_out.probability is not None for a in test.answers])
    return ScoreTrace(
        test.respondent,
        len(test.items),
        tuple(answer.item for answer in test.answers),
        test.responses,
        drawn,
        value,
        lower,
        upper,
    )

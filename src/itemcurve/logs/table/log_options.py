"""What every model answered to every item, from the rows of the measures chosen."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.logs.reading.log_rows import SCORED
from itemcurve.logs.table.measure_choice import Choice
from itemcurve.responses.chosen_options import ChosenOptions

if TYPE_CHECKING:
    from itemcurve.logs.table.long_table import LogResponses


def find_options(logs: "LogResponses", choices: Sequence[Choice]) -> ChosenOptions:
    """Give the answers behind the responses that these choices select; of repeats the first."""
    measures = [code for choice in choices for code in choice.measures]
    rows = logs.rows.keep(np.isin(logs.rows.measure, measures) & (logs.rows.status == SCORED))
    respondents, row = np.unique(rows.respondent, return_inverse=True)
    items, column = np.unique(rows.item, return_inverse=True)
    chosen = np.full((respondents.size, items.size), -1, dtype=np.int32)
    # Written from the last to the first, so that the first of repeats stays.
    order = np.lexsort((-rows.repeat, column, row))
    chosen[row[order], column[order]] = np.where(rows.answer[order] > 0, rows.answer[order] - 1, -1)
    known = [logs.items[code] for code in items.tolist()]
    return ChosenOptions(
        tuple(logs.respondents[code] for code in respondents.tolist()),
        tuple(item.name for item in known),
        logs.answers[1:],
        chosen,
        tuple(item.target for item in known),
    )

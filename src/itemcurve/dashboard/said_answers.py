"""What respondents said, beside what it was worth: a class that was predicted, an option chosen."""

import numpy as np

from itemcurve.errors import ItemcurveError
from itemcurve.reports.source import Source
from itemcurve.responses.chosen_options import ChosenOptions, find_options_file
from itemcurve.storage.run_folder import Run

_EVALUATION = "evaluation"


def read_said(source: Source) -> ChosenOptions | None:
    """Give what was said by respondent and item, in the order of the fit; None where not known."""
    if source.opened is None:
        return None
    try:
        found = _predicted(source.opened) or _chosen(source.opened)
    except ItemcurveError:
        # A file that cannot be read says nothing; the page shows what else is known.
        return None
    if found is None:
        return None
    responses = source.fit.responses
    aligned = found.align(responses.respondents, responses.items)
    return aligned if (aligned.chosen >= 0).any() else None


def _predicted(opened: Run) -> ChosenOptions | None:
    if f"{_EVALUATION}.npz" not in opened.files:
        return None
    arrays = opened.arrays(_EVALUATION)
    if not {"respondents", "items", "classes", "chosen"} <= arrays.keys():
        # Forecasts of numbers have no classes.
        return None
    names = ("respondents", "items", "classes")
    respondents, items, classes = (tuple(map(str, arrays[name].tolist())) for name in names)
    return ChosenOptions(respondents, items, classes, arrays["chosen"].astype(np.int32))


def _chosen(opened: Run) -> ChosenOptions | None:
    path = find_options_file(opened.path)
    return None if path is None else ChosenOptions.load(path)

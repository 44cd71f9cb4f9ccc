"""Fits of ratings on disk: a run folder, read back from strangers without trusting them."""

from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import ItemcurveError, StorageError
from itemcurve.estimation.raters.climb import Tastes
from itemcurve.estimation.raters.likelihood.rater_parameters import is_ordered
from itemcurve.estimation.raters.rater_fit import RaterFit
from itemcurve.estimation.raters.settings import read_record
from itemcurve.estimation.status import FitStatus
from itemcurve.models.serialisation import Record
from itemcurve.responses.ratings.rating_table import Ratings
from itemcurve.storage.run_folder import Run, read_whole, write_run

FORMAT = "itemcurve-raters-2"
# The first knew one model only.
_FORMATS = ("itemcurve-raters-1", FORMAT)
DOCUMENT = "rater_fit"
_CODES = ("respondent", "item", "rater", "grade")


def save_rater_fit(fit: RaterFit, path: str | PathLike[str]) -> None:
    """Write a fit of ratings to a run folder, atomically, replacing a former run."""
    ratings, tastes = fit.ratings, fit.tastes
    document = {
        "format": FORMAT,
        "model": fit.model,
        "engine": fit.engine,
        "settings": fit.settings.record(),
        "status": fit.status.name,
        "log_likelihood": float(fit.log_likelihood),
        "iterations": int(fit.iterations),
        "seconds": float(fit.seconds),
        "taste_spreads": [float(tastes.spread), float(tastes.unit_spread)],
        "grades": list(ratings.grades),
        "extra": list(fit.extra),
    }
    arrays: dict[str, NDArray[Any]] = {name: getattr(ratings, name) for name in _CODES}
    for name in ("respondents", "items", "raters"):
        arrays[name] = np.array(getattr(ratings, name), dtype=str)
    arrays |= {
        "weight": ratings.weight,
        "vector": fit.vector,
        "covariance": fit.covariance,
        "balance": tastes.balance,
        "taste_abilities": tastes.abilities,
    }
    if ratings.time is not None:
        arrays["time"] = ratings.time
    if tastes.of_units is not None:
        arrays["unit_tastes"] = tastes.of_units
    arrays |= {f"extra_{k}": column for k, column in enumerate(fit.extra.values())}
    config = {"function": "itemcurve.fit", "settings": {"raters": fit.settings.record()}}
    write_run(path, {DOCUMENT: document, "config": config}, {DOCUMENT: arrays})


def load_rater_fit(path: str | PathLike[str]) -> RaterFit:
    """Read a fit that `RaterFit.save` wrote; safe on folders from strangers.

    Parameters
    ----------
    path : the run folder.

    Examples
    --------
    >>> import tempfile
    >>> import itemcurve as ic
    >>> drawn = ic.judges.simulate_ratings(respondents=6, items=30, raters=3, seed=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     ic.fit(drawn.ratings, "grm", raters="rater").save(f"{folder}/run")
    ...     len(ic.judges.load_rater_fit(f"{folder}/run").raters)
    3
    """
    return read_whole(path, read_rater_fit)


def read_rater_fit(run: Run) -> RaterFit:
    """Read the fit of an opened run."""
    record = Record(run.document(DOCUMENT), f"the fit of ratings in {str(run.path)!r}")
    if record.text("format") not in _FORMATS:
        raise record.refusal(f"its format is not {FORMAT}; a newer itemcurve may read it")
    try:
        return _unpack(record, run.arrays(DOCUMENT))
    except StorageError:
        raise
    # Whatever a stranger's numbers break is the fault of the folder: one kind of error for it.
    except (ItemcurveError, ValueError, TypeError, LookupError, ArithmeticError) as error:
        raise record.refusal(f"its parts do not fit together ({error})") from error


def _unpack(record: Record, arrays: dict[str, NDArray[Any]]) -> RaterFit:
    ratings = _unpack_ratings(record, arrays)
    is_first = record.text("format") != FORMAT
    spreads = [float(value) for value in record.content["taste_spreads"]]
    tastes = Tastes(
        spreads[0],
        arrays["balance"],
        arrays["taste_abilities"],
        arrays.get("unit_tastes"),
        spreads[1],
    )
    fit = RaterFit(
        ratings,
        read_record(record.record("settings").content),
        {name: arrays[f"extra_{k}"] for k, name in enumerate(record.texts("extra"))},
        arrays["vector"],
        arrays["covariance"],
        tastes,
        FitStatus[record.text("status")],
        record.number("log_likelihood"),
        record.whole("iterations", 0),
        record.number("seconds"),
        *(["grm", "numpy"] if is_first else [record.text("model"), record.text("engine")]),
    )
    size = fit.hill.layout.size
    is_right = (
        fit.vector.shape == (size,)
        and fit.covariance.shape == (size, size)
        and bool(np.isfinite(fit.vector).all() and np.isfinite(fit.covariance).all())
        and (not fit.hill.design.curves.is_ordered or is_ordered(fit.values.thresholds))
        and spreads[0] > 0
    )
    if not is_right:
        raise record.refusal("its estimates are not those of its ratings")
    return fit


def _unpack_ratings(record: Record, arrays: dict[str, NDArray[Any]]) -> Ratings:
    ids = [tuple(str(v) for v in arrays[name]) for name in ("respondents", "items", "raters")]
    grades = tuple(float(value) for value in record.content["grades"])
    codes = [np.asarray(arrays[name], dtype=np.int64) for name in _CODES]
    weight = np.asarray(arrays["weight"], dtype=float)
    for code, size in zip(codes, (*map(len, ids), len(grades)), strict=True):
        if code.shape != weight.shape or not code.size or code.min() < 0 or code.max() >= size:
            raise record.refusal("its ratings name what is not there")
    if list(grades) != sorted(set(grades)) or not (weight > 0).all():
        raise record.refusal("its grades or weights are out of order")
    respondents, items, raters = ids
    n, i, r, grade = codes
    time = arrays.get("time")
    return Ratings(respondents, items, raters, grades, n, i, r, grade, weight, time)

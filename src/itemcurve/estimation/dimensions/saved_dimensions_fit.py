"""Fits of several abilities on disk: a run folder, read back from strangers without trust."""

from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import ItemcurveError, StorageError
from itemcurve.estimation.dimensions.dimension_choice import DimensionChoice
from itemcurve.estimation.dimensions.dimensions_fit import DimensionsFit
from itemcurve.estimation.dimensions.loading_pattern import LoadingPattern
from itemcurve.estimation.dimensions.rotation import check_rotation
from itemcurve.estimation.status import FitStatus
from itemcurve.models.serialisation import Record, pack_model, unpack_model
from itemcurve.responses.matrix import Responses
from itemcurve.storage.run_folder import Run, read_whole, write_run

FORMAT = "itemcurve-dimensions-1"
DOCUMENT = "dimensions_fit"
_ARRAYS = (
    "item_points",
    "item_covariance",
    "ability_points",
    "ability_covariance",
    "correlation",
)
_CHOICE = ("dimensions", "log_loss", "gain_se", "behind_se", "cells")
_NUMBERS = ("log_likelihood", "objective_value", "seconds")


def save_dimensions_fit(fit: DimensionsFit, path: str | PathLike[str]) -> None:
    """Write a fit to a run folder, atomically, replacing a former run."""
    pattern = fit.pattern
    document = {
        "format": FORMAT,
        "model": fit.model,
        "base": pack_model(fit.base),
        "names": list(pattern.names),
        "is_exploratory": pattern.is_exploratory,
        "is_correlated": pattern.is_correlated,
        "is_second_order": pattern.is_second_order,
        "rotation": fit.rotation,
        "objective": fit.objective,
        "standard_errors": fit.standard_errors,
        "status": fit.status.name,
        "iterations": int(fit.iterations),
        "n_parameters": int(fit.n_parameters),
        **{name: float(getattr(fit, name)) for name in _NUMBERS},
    }
    arrays: dict[str, NDArray[Any]] = {name: getattr(fit, name) for name in _ARRAYS}
    arrays["free"] = pattern.free
    if fit.choice is not None:
        arrays |= {f"choice_{name}": np.asarray(getattr(fit.choice, name)) for name in _CHOICE}
    if fit.correlation_covariance is not None:
        arrays["correlation_covariance"] = fit.correlation_covariance
    config = {"function": "itemcurve.fit", "settings": {"model": fit.model}}
    write_run(
        path,
        {DOCUMENT: document, "config": config},
        {DOCUMENT: arrays, "responses": fit.responses.pack()},
    )


def load_dimensions_fit(path: str | PathLike[str]) -> DimensionsFit:
    """Read a fit that `DimensionsFit.save` wrote; safe on folders from strangers."""
    return read_whole(path, read_dimensions_fit)


def read_dimensions_fit(run: Run) -> DimensionsFit:
    """Read the fit of an opened run."""
    record = Record(run.document(DOCUMENT), f"the fit of several abilities in {str(run.path)!r}")
    if record.text("format") != FORMAT:
        raise record.refusal(f"its format is not {FORMAT}; a newer itemcurve may read it")
    try:
        return _unpack(record, run.arrays(DOCUMENT), Responses.unpack(run.arrays("responses")))
    except StorageError:
        raise
    # Whatever a stranger's numbers break is the fault of the folder: one kind of error for it.
    except (ItemcurveError, ValueError, TypeError, LookupError, ArithmeticError) as error:
        raise record.refusal(f"its parts do not fit together ({error})") from error


def _unpack(record: Record, arrays: dict[str, NDArray[Any]], responses: Responses) -> DimensionsFit:
    respondents, items = responses.shape
    names = tuple(record.texts("names"))
    base = unpack_model(record.record("base"))
    width = len(names) + 1 + sum(spec.is_free for spec in base.parameters)
    size = len(names)
    shapes = {
        "item_points": (items, width),
        "item_covariance": (items, width, width),
        "ability_points": (respondents, size),
        "ability_covariance": (respondents, size, size),
        "correlation": (size, size),
        "free": (items, size),
    }
    for name, shape in shapes.items():
        found = arrays[name]
        kind = np.bool_ if name == "free" else np.float64
        if found.shape != shape or found.dtype != kind or not np.isfinite(found).all():
            raise record.refusal(f"the array {name!r} must be finite, of shape {shape}")
    check_rotation(record.text("rotation"))
    flags = ("is_exploratory", "is_correlated", "is_second_order")
    pattern = LoadingPattern(names, arrays["free"], *map(record.flag, flags))
    return DimensionsFit(
        responses=responses,
        base=base,
        model=record.text("model"),
        pattern=pattern,
        rotation=record.text("rotation"),
        objective=record.text("objective"),
        standard_errors=record.text("standard_errors"),
        status=FitStatus[record.text("status")],
        iterations=record.whole("iterations", 0),
        n_parameters=record.whole("n_parameters", 1),
        log_likelihood=record.number("log_likelihood"),
        objective_value=record.number("objective_value"),
        seconds=record.number("seconds"),
        item_points=arrays["item_points"],
        item_covariance=arrays["item_covariance"],
        ability_points=arrays["ability_points"],
        ability_covariance=arrays["ability_covariance"],
        correlation=arrays["correlation"],
        correlation_covariance=_unpack_pairs(record, arrays, size),
        choice=_unpack_choice(record, arrays),
    )


def _unpack_pairs(
    record: Record, arrays: dict[str, NDArray[Any]], size: int
) -> NDArray[np.float64] | None:
    found = arrays.get("correlation_covariance")
    pairs = size * (size - 1) // 2
    if found is None:
        return None
    is_right = found.shape == (pairs, pairs) and found.dtype == np.float64
    if not is_right or not np.isfinite(found).all():
        raise record.refusal("the covariance of its correlations is none")
    return found


def _unpack_choice(record: Record, arrays: dict[str, NDArray[Any]]) -> DimensionChoice | None:
    if "choice_dimensions" not in arrays:
        return None
    tried, loss, gain, behind, cells = (arrays[f"choice_{name}"] for name in _CHOICE)
    is_right = tried.ndim == 1 and tried.size > 0 and tried.dtype.kind == "i" and cells.ndim == 0
    for own in (loss, gain, behind):
        is_right &= own.shape == tried.shape and bool(np.isfinite(own).all())
    if not is_right:
        raise record.refusal("its choice of a number of abilities is not one")
    return DimensionChoice(tuple(map(int, tried)), loss, gain, behind, int(cells))

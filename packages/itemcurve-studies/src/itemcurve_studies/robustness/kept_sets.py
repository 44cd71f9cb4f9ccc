"""Finished data sets on disk: small enough to be kept when the trainings behind them are not."""

from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.robustness.system_curves import SystemCurves
from itemcurve_studies.robustness.data import LoadedSet
from itemcurve_studies.robustness.set_results import SetResult

Arrays = dict[str, NDArray[Any]]
# Fields of `SystemCurves` that are texts, and predictions, of which there are many.
_TEXTS = ("respondents", "classes", "notes")
_CHOICES = ("labels", "clean", "noisy", "bins")
# The same in both curves: models and trainings do not hang on the bins.
_SHARED = ("labels", "clean", "noisy")


def pack_set(one: SetResult) -> Arrays:
    """Give everything but the data themselves."""
    return {
        "difficulty": one.difficulty,
        "mean_responses": one.mean_responses,
        "summary_names": np.array(list(one.summary), dtype=np.str_),
        "summary_values": np.array(list(one.summary.values()), dtype=np.float64),
        "spearman": np.array(one.spearman),
        **_pack_curves("curves", one.curves),
        **{
            name: array
            for name, array in _pack_curves("paper_curves", one.paper_curves).items()
            if name.removeprefix("paper_curves_") not in _SHARED
        },
    }


def unpack_set(data: LoadedSet, arrays: Arrays) -> SetResult:
    """Put the result of a data set together again."""
    names = [str(name) for name in arrays["summary_names"]]
    values = arrays["summary_values"].tolist()
    first, second = arrays["spearman"].tolist()
    shared = {f"paper_curves_{name}": arrays[f"curves_{name}"] for name in _SHARED}
    return SetResult(
        data,
        arrays["difficulty"],
        arrays["mean_responses"],
        dict(zip(names, values, strict=True)),
        (first, second),
        _unpack_curves("curves", arrays),
        _unpack_curves("paper_curves", arrays | shared),
    )


def _pack_curves(prefix: str, curves: SystemCurves) -> Arrays:
    found = {}
    for field in fields(curves):
        value = getattr(curves, field.name)
        if field.name in _TEXTS or field.name == "name":
            packed = np.array(value, dtype=np.str_)
        elif field.name in _CHOICES:
            # Classes and bins are few; whole numbers of 64 bits would make most of the file.
            packed = np.asarray(value, dtype=np.int16)
        else:
            packed = np.asarray(value)
        found[f"{prefix}_{field.name}"] = packed
    return found


def _unpack_curves(prefix: str, arrays: Arrays) -> SystemCurves:
    own = {field.name: arrays[f"{prefix}_{field.name}"] for field in fields(SystemCurves)}
    texts = {name: tuple(map(str, own[name])) for name in _TEXTS}
    choices = {name: own[name].astype(np.intp) for name in _CHOICES}
    plain: dict[str, Any] = {
        "name": str(own["name"]),
        "shares": tuple(own["shares"].tolist()),
        "level": float(own["level"]),
        "complexity": float(own["complexity"]),
        "order": own["order"].astype(np.intp),
    }
    return SystemCurves(**{**own, **texts, **choices, **plain})

"""Fits on disk: saved as a run folder, and read back from strangers without trusting them.

`fit.json` says how the fit was made and how it ended, `fit.npz` holds the estimates,
`responses.npz` what was fitted and `config.json` the settings that repeat it. No pickle.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import StorageError
from itemcurve.estimation.checked_responses import check_responses
from itemcurve.estimation.estimates import SIDES, Estimates
from itemcurve.estimation.result import FitResult
from itemcurve.estimation.saving.saved_draws import DRAWS, pack_draws, unpack_draws
from itemcurve.estimation.status import FitStatus
from itemcurve.models.contract import ItemModel
from itemcurve.models.mixed import MixedModel
from itemcurve.models.serialisation import Record, is_in_range, pack_model, unpack_model
from itemcurve.responses.matrix import Responses
from itemcurve.storage.json_documents import pack_json, unpack_json
from itemcurve.storage.run_folder import Arrays as ArrayFiles
from itemcurve.storage.run_folder import Documents, Run, read_whole, write_run

FORMAT = "itemcurve-fit-1"
Arrays = Mapping[str, NDArray[Any]]
_OTHER_KINDS = (
    ("rater_fit.json", "ratings by raters", "show, findings or report"),
    ("pairs.json", "votes", "show, findings or report"),
    ("dimensions_fit.json", "several abilities", "show"),
)


def save_fit(
    result: FitResult,
    path: str | PathLike[str],
    *,
    documents: Documents | None = None,
    arrays: ArrayFiles | None = None,
) -> None:
    """Write a fit to a run folder, atomically, replacing a former run.

    Parameters
    ----------
    path : a new or empty folder, or that of a former run.
    documents, arrays : what else the run is to hold, by name; all of it lands in one step.

    Examples
    --------
    >>> import tempfile
    >>> import itemcurve as ic
    >>> truth = ic.simulate("2pl", respondents=200, items=10, seed=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_fit(ic.fit(truth.responses), f"{folder}/run")
    ...     ic.load(f"{folder}/run").model
    '2pl'
    """
    document, own = _pack_fit(result)
    try:
        # What could not be read back is better refused now than when it is needed.
        written = Record(unpack_json(pack_json(document, "fit"), "fit"), "the fit")
        _unpack_estimates(_Source(written, own, result.responses.shape))
    except StorageError as error:
        raise StorageError(
            "A fit can be saved when its model and its estimates can be read back;",
            f"this one could not ({error}).",
            "Fit again with a model of the catalogue, or with finite estimates.",
        ) from error
    write_run(
        path,
        {
            **(documents or {}),
            "fit": document,
            "config": {"function": "itemcurve.fit", "settings": result.settings},
        },
        {
            **(arrays or {}),
            "fit": own,
            "responses": result.responses.pack(),
            **pack_draws(result.estimates.draws),
        },
    )


def load(path: str | PathLike[str]) -> FitResult:
    """Read a fit that `FitResult.save` wrote; safe on folders from strangers.

    Parameters
    ----------
    path : the run folder.
    """
    return read_whole(path, read_fit)


def read_fit(run: Run) -> FitResult:
    """Read the fit of an opened run."""
    place = repr(str(run.path))
    for file, kind, looks in _OTHER_KINDS:
        if file in run.files:
            raise StorageError(
                "A fit of responses is needed here;",
                f"{place} holds a fit of {kind}.",
                f"Read it with itemcurve.load, look at it with itemcurve {looks}.",
            )
    record = Record(run.document("fit"), f"the fit in {place}")
    if record.text("format") != FORMAT:
        raise record.refusal(f"its format is not {FORMAT}; a newer itemcurve may read it")
    config = Record(run.document("config"), f"the configuration in {place}")
    settings = dict(config.record("settings").content)
    try:
        responses = _unpack_responses(run.arrays("responses"), record)
        source = _Source(record, run.arrays("fit"), responses.shape)
        estimates = _unpack_estimates(source)
        if f"{DRAWS}.npz" in run.files:
            draws = unpack_draws(run.arrays(DRAWS), record, responses.shape, estimates.model)
            estimates = replace(estimates, draws=draws)
        check_responses(responses, estimates.model)
    except StorageError:
        raise
    # Whatever a stranger's numbers break on the way in is the fault of the folder, not of the
    # caller: one kind of error for all of it.
    except (ValueError, TypeError, LookupError, ArithmeticError, MemoryError) as error:
        raise record.refusal(f"its parts do not fit together ({error})") from error
    seconds = record.number("seconds")
    if settings.get("model") != estimates.model.name or seconds < 0:
        raise record.refusal("its settings or its time contradict it")
    return FitResult(responses, estimates, settings, seconds)


@dataclass(frozen=True)
class _Source:
    """What a fit is read from: the document, the arrays, and the shape of the responses."""

    record: Record
    arrays: Arrays
    shape: tuple[int, int]

    def array(
        self, name: str, shape: tuple[int, ...], dtype: type = np.float64, finite: bool = False
    ) -> NDArray[Any]:
        """Read an array of exactly this shape and type."""
        if name not in self.arrays:
            raise self.record.refusal(f"it has no array {name!r}")
        found = self.arrays[name]
        if found.shape != shape or found.dtype != dtype:
            raise self.record.refusal(
                f"the array {name!r} must be {np.dtype(dtype)} of shape {shape}, "
                f"not {found.dtype} of shape {found.shape}"
            )
        if finite and not np.isfinite(found).all():
            raise self.record.refusal(f"the array {name!r} must be finite")
        return found

    def errors(self, name: str, shape: tuple[int, ...]) -> NDArray[Any]:
        """Read standard errors: NaN where unknown, never negative."""
        found = self.array(name, shape)
        if (found < 0).any():
            raise self.record.refusal(f"the array {name!r} must not be negative")
        return found


def _pack_fit(result: FitResult) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    estimates = result.estimates
    document = {
        "format": FORMAT,
        "model": pack_model(estimates.model),
        "status": estimates.status.name,
        "log_likelihood": float(estimates.log_likelihood),
        "objective": estimates.objective,
        "objective_value": float(estimates.objective_value),
        "n_parameters": int(estimates.n_parameters),
        "iterations": int(estimates.iterations),
        "over": estimates.over,
        "standard_errors": estimates.standard_errors,
        "population": {name: float(value) for name, value in estimates.population.items()},
        "item_columns": list(estimates.item_columns),
        "item_extras": list(estimates.item_extras),
        "respondent_extras": list(estimates.respondent_extras),
        "diagnostics": {name: float(value) for name, value in estimates.diagnostics.items()},
        "seconds": float(result.seconds),
    }
    respondents, items = result.responses.shape
    arrays = {
        "values": np.asarray(estimates.values),
        "covariance": np.asarray(estimates.covariance),
        "abilities": np.asarray(estimates.abilities),
        "ability_errors": np.asarray(estimates.ability_errors),
        "at_bound": np.asarray(estimates.at_bound),
        "item_columns": _stacked(estimates.item_columns, list(estimates.item_columns), items),
        "item_errors": _stacked(estimates.item_errors, list(estimates.item_columns), items),
        "item_extras": _stacked(estimates.item_extras, list(estimates.item_extras), items),
        "respondent_extras": _stacked(
            estimates.respondent_extras, list(estimates.respondent_extras), respondents
        ),
    }
    return document, arrays


def _stacked(columns: Mapping[str, Any], names: list[str], length: int) -> NDArray[Any]:
    """Give columns as rows of one array (columns × length)."""
    if not names:
        return np.zeros((0, length))
    return np.stack([np.asarray(columns[name], dtype=np.float64) for name in names])


def _unpack_responses(arrays: Arrays, record: Record) -> Responses:
    # Without this mark `unpack` would accept the layouts of other programs too.
    if "format" not in arrays:
        raise record.refusal("its responses are not in the layout of itemcurve")
    return Responses.unpack(arrays)


def _unpack_estimates(source: _Source) -> Estimates:
    record = source.record
    n_respondents, n_items = source.shape
    model = unpack_model(record.record("model"))
    if isinstance(model, MixedModel) and len(model.membership) != n_items:
        raise record.refusal("its model has other items")
    names, extras = record.texts("item_columns"), record.texts("item_extras")
    values = _unpack_values(source, model)
    with np.errstate(all="ignore"):
        expected = list(model.report(values))
    if names != expected or set(extras) & set(names):
        raise record.refusal(f"its columns are not those of {model.name}")
    width = sum(spec.is_free for spec in model.parameters)
    shape = (len(names), n_items)
    return Estimates(
        model=model,
        values=values,
        covariance=source.array("covariance", (n_items, width, width)),
        item_columns=_columns(names, source.array("item_columns", shape)),
        item_errors=_columns(names, source.errors("item_errors", shape)),
        item_extras=_columns(extras, source.array("item_extras", (len(extras), n_items))),
        ability_points=source.array("abilities", (n_respondents,), finite=True)[:, None],
        ability_point_errors=source.errors("ability_errors", (n_respondents,))[:, None],
        log_likelihood=record.number("log_likelihood"),
        objective=record.text("objective"),
        objective_value=record.number("objective_value"),
        n_parameters=record.whole("n_parameters", 0),
        status=_unpack_status(record),
        iterations=record.whole("iterations", 0),
        over=_unpack_side(record),
        standard_errors=record.text("standard_errors"),
        population=_unpack_population(record.record("population")),
        at_bound=source.array("at_bound", (n_items,), dtype=np.bool_),
        **_unpack_additions(source),
    )


def _unpack_additions(source: _Source) -> dict[str, Any]:
    """What runs of version 0.1 before sampling did not have."""
    record = source.record
    if "respondent_extras" not in record.content:
        return {}
    names = record.texts("respondent_extras")
    rows = source.array("respondent_extras", (len(names), source.shape[0]))
    return {
        "respondent_extras": _columns(names, rows),
        "diagnostics": _unpack_population(record.record("diagnostics")),
    }


def _columns(names: list[str], rows: NDArray[Any]) -> dict[str, NDArray[Any]]:
    return dict(zip(names, rows, strict=True))


def _unpack_values(source: _Source, model: ItemModel) -> NDArray[Any]:
    values = source.array("values", (source.shape[1], len(model.parameters)), finite=True)
    for spec, column in zip(model.parameters, values.T, strict=True):
        if not is_in_range(spec.transform, column):
            raise source.record.refusal(f"some {spec.name} is outside its range")
    return values


def _unpack_status(record: Record) -> FitStatus:
    name = record.text("status")
    if name not in FitStatus.__members__:
        raise record.refusal(f"the status must be one of {', '.join(FitStatus.__members__)}")
    return FitStatus[name]


def _unpack_side(record: Record) -> str:
    over = record.text("over")
    if over not in SIDES:
        raise record.refusal(f"it is over {over[:40]!r}, none of {', '.join(SIDES)}")
    return over


def _unpack_population(record: Record) -> dict[str, float]:
    return {name: record.number(name) for name in record.content}

"""Fit an item response model to responses."""

import time
import warnings
from collections.abc import Mapping
from dataclasses import asdict
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from itemcurve.errors import ConvergenceError, ConvergenceWarning, ModelError
from itemcurve.estimation.checked_responses import check_responses
from itemcurve.estimation.fit_parts import Parts, combine_parts
from itemcurve.estimation.item_patterns import first_model
from itemcurve.estimation.method import FitTask, Method
from itemcurve.estimation.observed_categories import settle_categories
from itemcurve.estimation.optimisation.iterate import Checkpoint, Progress, Watch
from itemcurve.estimation.result import FitResult
from itemcurve.estimation.thread_limit import few_threads
from itemcurve.models.boundary import Boundary
from itemcurve.models.capabilities import completed
from itemcurve.models.catalogue import ParameterSetting, get_model, set_boundary, set_priors
from itemcurve.models.contract import ItemModel
from itemcurve.models.priors import Prior
from itemcurve.numerics.engine import Engine, get_engine
from itemcurve.numerics.memory_reuse import keep_freed_memory
from itemcurve.responses.matrix import Responses

if TYPE_CHECKING:
    from itemcurve.estimation.dimensions.dimensions_fit import DimensionsFit
    from itemcurve.estimation.dimensions.loading_pattern import Dimensions, General
    from itemcurve.estimation.dimensions.rotation import Rotation
    from itemcurve.estimation.groups.population_fit import PopulationFit
    from itemcurve.estimation.raters.rater_fit import RaterFit
    from itemcurve.estimation.raters.settings import Raters

# A method's settings are loaded on first use: some bring packages that take long to import.
METHODS: Mapping[str, tuple[str, str]] = {
    "marginal": ("itemcurve.estimation.marginal.settings", "Marginal"),
    "mcmc": ("itemcurve.estimation.mcmc.settings", "MCMC"),
    "joint": ("itemcurve.estimation.joint.settings", "Joint"),
    "variational": ("itemcurve.estimation.variational.settings", "Variational"),
    "stochastic": ("itemcurve.estimation.variational.stochastic.settings", "Stochastic"),
}


@overload
def fit(
    responses: Responses,
    model: str | ItemModel | Parts = "2pl",
    *,
    raters: None = None,
    dimensions: None = None,
    general: Literal[False] = False,
    rotation: "Rotation" = "oblimin",
    density: Literal["normal"] = "normal",
    method: str | Method = "marginal",
    prior: str | Mapping[str, Prior | None] | None = "default",
    boundary: str | Boundary = "default",
    engine: str | Engine = "numpy",
    on_failure: Literal["warn", "raise", "ignore"] = "warn",
    progress: Progress | None = None,
    checkpoint: Checkpoint | None = None,
    **parameters: ParameterSetting,
) -> FitResult: ...


@overload
def fit(
    responses: Responses,
    model: str | ItemModel = "2pl",
    *,
    raters: None = None,
    dimensions: "Dimensions",
    general: "General" = False,
    rotation: "Rotation" = "oblimin",
    density: Literal["normal"] = "normal",
    method: str | Method = "marginal",
    prior: str | Mapping[str, Prior | None] | None = "default",
    boundary: str | Boundary = "default",
    engine: str | Engine = "numpy",
    on_failure: Literal["warn", "raise", "ignore"] = "warn",
    progress: Progress | None = None,
    checkpoint: Checkpoint | None = None,
    **parameters: ParameterSetting,
) -> "DimensionsFit": ...


@overload
def fit(
    responses: object,
    model: str = "grm",
    *,
    raters: "str | Raters",
    engine: str | Engine = "numpy",
    on_failure: Literal["warn", "raise", "ignore"] = "warn",
) -> "RaterFit": ...


@overload
def fit(
    responses: Responses,
    model: str | ItemModel = "2pl",
    *,
    raters: None = None,
    dimensions: None = None,
    general: Literal[False] = False,
    rotation: "Rotation" = "oblimin",
    groups: Any = None,
    equal: Any = ("slopes", "intercepts"),
    covariates: Any = None,
    anchors: Any = None,
    density: str = "normal",
    method: str | Method = "marginal",
    prior: str | Mapping[str, Prior | None] | None = "default",
    boundary: str | Boundary = "default",
    engine: str | Engine = "numpy",
    on_failure: Literal["warn", "raise", "ignore"] = "warn",
    progress: Progress | None = None,
    checkpoint: Checkpoint | None = None,
    **parameters: ParameterSetting,
) -> "PopulationFit": ...


def fit(
    responses: Any,
    model: str | ItemModel | Parts = "2pl",
    *,
    raters: "str | Raters | None" = None,
    dimensions: "Dimensions | None" = None,
    general: "General" = False,
    rotation: "Rotation" = "oblimin",
    groups: Any = None,
    equal: Any = ("slopes", "intercepts"),
    covariates: Any = None,
    anchors: Any = None,
    density: str = "normal",
    method: str | Method = "marginal",
    prior: str | Mapping[str, Prior | None] | None = "default",
    boundary: str | Boundary = "default",
    engine: str | Engine = "numpy",
    on_failure: Literal["warn", "raise", "ignore"] = "warn",
    progress: Progress | None = None,
    checkpoint: Checkpoint | None = None,
    **parameters: ParameterSetting,
) -> "FitResult | DimensionsFit | RaterFit | PopulationFit":
    """Fit an item response model.

    Parameters
    ----------
    responses : who answered what, and how. With raters, a long table of ratings, the path of one,
        or `Ratings`.
    model : `"rasch"`, `"1pl"`, `"2pl"`, `"3pl"`, `"4pl"` for right and wrong, `"grm"`, `"grsm"`,
        `"gpcm"`, `"pcm"`, `"rsm"`, `"sequential"` for ratings, `"nrm"`, `"nested-logit"` for
        options, `"beta3"`, `"2pl-nd"`, `"logit-normal"` for scores between 0 and 1,
        `"fractional-2pl"`, `"fractional-beta3"` for such scores under log-loss, `"gamma"`,
        `"gamma-normalised"` for errors, or a model. Items of several models over the same
        abilities: a mapping from patterns of ids to models, as
        `{"mc_*": "2pl", "essay_*": "grm"}`, or from each model to the ids of its items.
    raters : the column of raters, or `itemcurve.judges.Raters` with all columns and what may differ
        between raters. The model is then `"grm"`, `"gpcm"`, `"pcm"`, `"rsm"`, `"sequential"`, or
        `"2pl"`, `"rasch"` for right and wrong, and the result a `RaterFit`.
    dimensions : how many abilities respondents have, or the items of each by patterns of their ids,
        as `{"algebra": ["alg_*"], "logic": ["log_*"]}`; the result is then a `DimensionsFit`.
    general : whether there is a general ability beside these (bifactor), or, as `"above"`, one that
        they depend on (second order).
    rotation : of the axes of abilities that are only counted: `"oblimin"`, `"varimax"`, `"geomin"`.
    groups : a label for each respondent, or `itemcurve.groups.Groups`: populations with a mean and
        a spread each. The result is a `PopulationFit`, as it is with covariates and anchors.
    equal : what of the items is the same in all groups: `"slopes"`, `"intercepts"`, both, or ().
    covariates : a table, one row per respondent, that abilities are regressed on.
    anchors : a bank of known items: those in common are held, and set the scale.
    density : how abilities are distributed: `"normal"`, `"davidian"` (a smooth curve of any shape;
        `"davidian-4"` names its degree) or `"histogram"`; a `PopulationFit` if not normal.
    method : `"marginal"`, `"joint"`, `"variational"`, `"mcmc"`, `"stochastic"`, or a settings
        object such as `Marginal(over="items")`.
    prior : `"default"`, None for maximum likelihood, or priors by parameter name.
    boundary : continuous responses within 1e-3 of an end of their range, where there is no
        density: `"censor"` (the default), `"clip"`, `"none"`, or a `Boundary` with its own width.
    engine : `"numpy"` or `"jax"`.
    on_failure : what to do when the fit does not converge.
    progress : called with the iteration and the objective, for progress bars.
    checkpoint : remembers where an interrupted fit stood, and lets it go on from there.
    parameters : hold or constrain item parameters by name, as `guessing=0.25`,
        `discrimination="positive"`.

    Returns
    -------
    A `FitResult` with `.respondents`, `.items`, `.log_likelihood`, `.status`, `.bank`.

    Examples
    --------
    >>> import itemcurve as ic
    >>> truth = ic.simulate("2pl", respondents=300, items=20, seed=1)
    >>> ic.fit(truth.responses, "2pl").status.is_converged
    True
    """
    if raters is not None:
        return _fit_raters(responses, model, raters, on_failure, engine, (method, parameters))
    if not isinstance(model, Mapping) and isinstance(responses, Responses):
        keeps_all = getattr(_method(method), "keeps_all_categories", False)
        model = settle_categories(
            get_model(model), responses, keeps_all=keeps_all, has_priors=prior is not None
        )
    chosen, settings, machine = read_settings(
        model,
        method=method,
        prior=prior,
        boundary=boundary,
        engine=engine,
        on_failure=on_failure,
        **parameters,
    )
    if dimensions is not None or general is not False:
        _refuse_settings(model, method, engine, (groups, covariates, anchors), density)
        wanted = 1 if dimensions is None else dimensions
        watch = Watch(progress, checkpoint)
        many = _fit_dimensions(responses, chosen, wanted, general, rotation, watch)
        _judge(many, on_failure)
        return many
    if isinstance(model, Mapping):
        chosen = combine_parts(responses, model, prior, boundary, parameters)
    elif isinstance(responses, Responses):
        chosen = completed(chosen, responses.shape[1])
    check_responses(responses, chosen)
    if density != "normal" or not (groups is None and covariates is None and anchors is None):
        from itemcurve.estimation.groups.fit_populations import check_method, fit_populations

        check_method(settings, machine.name)
        with few_threads(responses):
            several = fit_populations(
                responses,
                chosen,
                settings=settings,
                record=_record(chosen, settings, machine, parameters),
                groups=groups,
                equal=equal,
                covariates=covariates,
                anchors=anchors,
                density=density,
            )
        _judge(several, on_failure)
        return several
    started = time.perf_counter()
    keep_freed_memory()
    with machine.double_precision(), few_threads(responses):
        task = FitTask(responses, chosen, machine, Watch(progress, checkpoint))
        estimates = settings.estimate(task)
    record = _record(chosen, settings, machine, parameters)
    result = FitResult(responses, estimates, record, time.perf_counter() - started)
    _judge(result, on_failure)
    return result


def _record(
    model: ItemModel, settings: Method, machine: Engine, parameters: Mapping[str, Any]
) -> dict[str, Any]:
    """Everything needed to run the same fit again."""
    return {
        "model": model.name,
        "parameters": {k: _plain(v) for k, v in parameters.items()},
        "prior": _prior_words(model),
        "boundary": asdict(model.boundary),
        "method": type(settings).__name__.lower(),
        "method_settings": dict(vars(settings)),
        "engine": machine.name,
    }


def _fit_raters(
    ratings: object,
    model: object,
    raters: "str | Raters",
    on_failure: str,
    engine: str | Engine,
    others: tuple[Any, ...],
) -> "RaterFit":
    """Fit ratings by raters; refuse settings that this fit does not know."""
    from itemcurve.estimation.raters.fit_raters import fit_raters

    if others != ("marginal", {}):
        raise ModelError(
            "Ratings by raters are fitted by marginal likelihood, with no parameter held;",
            f"given are method and parameters {others}.",
            "Leave these out; what may differ between raters is said by itemcurve.judges.Raters.",
        )
    result = fit_raters(ratings, model, raters, engine=engine)
    _judge(result, on_failure)
    return result


def _fit_dimensions(
    responses: Responses,
    model: ItemModel,
    dimensions: "Dimensions",
    general: "General",
    rotation: "Rotation",
    watch: Watch,
) -> "DimensionsFit":
    from itemcurve.estimation.dimensions.fit_dimensions import fit_dimensions

    if isinstance(responses, Responses):
        model = completed(model, responses.shape[1])
    check_responses(responses, model)
    with few_threads(responses):
        return fit_dimensions(
            responses, model, dimensions, general=general, rotation=rotation, watch=watch
        )


def _refuse_settings(
    model: object, method: object, engine: object, population: tuple[object, ...], density: str
) -> None:
    if density != "normal" or any(given is not None for given in population):
        raise ModelError(
            "Several abilities are fitted in one normal population.",
            "Got groups, covariates, anchors or a density beside dimensions.",
            "Fit each group by itself, or one ability with groups.",
        )
    if isinstance(model, Mapping) or (method, engine) != ("marginal", "numpy"):
        raise ModelError(
            "Several abilities are fitted by one model, by the marginal method in NumPy.",
            f"Got model={model!r}, method={method!r}, engine={engine!r}.",
            "Leave method and engine out, and name one model.",
        )


def read_settings(
    model: str | ItemModel | Parts,
    *,
    method: str | Method = "marginal",
    prior: str | Mapping[str, Prior | None] | None = "default",
    boundary: str | Boundary = "default",
    engine: str | Engine = "numpy",
    on_failure: str = "warn",
    **parameters: ParameterSetting,
) -> tuple[ItemModel, Method, Engine]:
    """Give the model, method and engine that these arguments of `fit` name; raise for others.

    Whoever has to collect responses first can ask before doing so.
    """
    if on_failure not in ("warn", "raise", "ignore"):
        raise ModelError(
            "on_failure must be 'warn', 'raise' or 'ignore'.",
            f"Got {on_failure!r}.",
            "Leave it out to be warned.",
        )
    first = first_model(model) if isinstance(model, Mapping) else model
    own = {} if isinstance(model, Mapping) else parameters
    chosen = set_boundary(set_priors(get_model(first, **own), prior), boundary)
    return chosen, _method(method), get_engine(engine)


def _method(method: str | Method) -> Method:
    if not isinstance(method, str) and hasattr(method, "estimate"):
        return method
    if not isinstance(method, str) or method not in METHODS:
        raise ModelError(
            f"The method must be one of {', '.join(METHODS)}.",
            f"Got {method!r}.",
            "Use 'marginal' if unsure.",
        )
    module, name = METHODS[method]
    settings: Method = getattr(import_module(module), name)()
    return settings


def _judge(result: "FitResult | DimensionsFit | RaterFit | PopulationFit", on_failure: str) -> None:
    if result.status.is_converged or on_failure == "ignore":
        return
    advice = result.status.advice
    if on_failure == "raise":
        raise ConvergenceError("The fit must converge.", f"It {result.status}.", advice)
    warnings.warn(f"The fit {result.status}. {advice}", ConvergenceWarning, stacklevel=3)


def _plain(setting: Any) -> Any:
    return setting if isinstance(setting, str | float | int) else np.asarray(setting).tolist()


def _prior_words(model: ItemModel) -> dict[str, str]:
    return {s.name: str(s.prior) for s in model.parameters if s.is_free}

"""The models by name, and how a user's settings change them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from itemcurve.errors import ModelError
from itemcurve.models.boundary import Boundary, BoundaryKind
from itemcurve.models.contract import ItemModel
from itemcurve.models.formulas.beta3 import BETA3
from itemcurve.models.formulas.fractional_beta3 import FRACTIONAL_BETA3
from itemcurve.models.formulas.gamma import GAMMA, GAMMA_NORMALISED
from itemcurve.models.formulas.graded_rating_scale import GRADED_RATING_SCALE
from itemcurve.models.formulas.graded_response import GRADED_RESPONSE
from itemcurve.models.formulas.logistic import (
    FOUR_PARAMETER,
    FRACTIONAL_ONE_PARAMETER,
    FRACTIONAL_TWO_PARAMETER,
    ONE_PARAMETER,
    RASCH,
    THREE_PARAMETER,
    TWO_PARAMETER,
)
from itemcurve.models.formulas.logit_normal import LOGIT_NORMAL
from itemcurve.models.formulas.nested_logit import NESTED_LOGIT
from itemcurve.models.formulas.noel_dauvier import TWO_PARAMETER_ND
from itemcurve.models.formulas.nominal_response import NOMINAL_RESPONSE
from itemcurve.models.formulas.partial_credit import (
    GENERALISED_PARTIAL_CREDIT,
    PARTIAL_CREDIT,
    RATING_SCALE,
)
from itemcurve.models.formulas.rasch_errors import RASCH_ERRORS
from itemcurve.models.formulas.sequential import SEQUENTIAL
from itemcurve.models.parameters import ParameterSpec, Role
from itemcurve.models.priors import Beta, LogitNormal, LogNormal, Normal, Prior
from itemcurve.models.transforms import FREE, POSITIVE
from itemcurve.numerics.engine import NUMPY

MODELS: Mapping[str, ItemModel] = {
    "rasch": RASCH,
    "1pl": ONE_PARAMETER,
    "2pl": TWO_PARAMETER,
    "3pl": THREE_PARAMETER,
    "4pl": FOUR_PARAMETER,
    "beta3": BETA3,
    "gamma": GAMMA,
    "gamma-normalised": GAMMA_NORMALISED,
    "logit-normal": LOGIT_NORMAL,
    "2pl-nd": TWO_PARAMETER_ND,
    "fractional-1pl": FRACTIONAL_ONE_PARAMETER,
    "fractional-2pl": FRACTIONAL_TWO_PARAMETER,
    "fractional-beta3": FRACTIONAL_BETA3,
    "rasch-errors": RASCH_ERRORS,
    "grm": GRADED_RESPONSE,
    "grsm": GRADED_RATING_SCALE,
    "gpcm": GENERALISED_PARTIAL_CREDIT,
    "pcm": PARTIAL_CREDIT,
    "rsm": RATING_SCALE,
    "sequential": SEQUENTIAL,
    "nrm": NOMINAL_RESPONSE,
    "nested-logit": NESTED_LOGIT,
}
# Models from outside, by the name they were registered under in this process.
REGISTERED: dict[str, ItemModel] = {}

ParameterSetting = str | float | ArrayLike
"""`"free"`, `"positive"`, a number for all items, or one number per item."""


def get_model(model: str | ItemModel, **settings: ParameterSetting) -> ItemModel:
    """Give a model by name, with some parameters fixed or constrained.

    Parameters
    ----------
    model : a name of the catalogue or of a registered model, or a model.
    settings : by parameter name: a number (or one per item) fixes it, `"free"` estimates it over
        its whole range, `"positive"` keeps a discrimination above zero.

    Examples
    --------
    >>> get_model("3pl", guessing=0.25).name
    '3pl'
    """
    if isinstance(model, str):
        name = model.lower()
        found = find_model(name)
        if found is None:
            raise ModelError(
                f"The model must be one of {', '.join((*MODELS, *REGISTERED))}.",
                f"Got {model!r}.",
                "Choose a name from this list or pass a model object.",
            )
        model = found
    if not hasattr(model, "natural"):
        raise ModelError(
            "The model must be a name or an item response model.",
            f"Got {type(model).__name__}.",
            f"Use one of {', '.join(MODELS)}.",
        )
    for name, setting in settings.items():
        model = _with_setting(model, name, setting)
    return model


def find_model(name: str) -> ItemModel | None:
    """Give the model of the catalogue, or the registered one, with this name."""
    return MODELS.get(name) or REGISTERED.get(name)


def set_priors(model: ItemModel, prior: str | Mapping[str, Prior | None] | None) -> ItemModel:
    """Give the model with `"default"` priors, none (None), or some replaced by name."""
    if isinstance(prior, str):
        if prior != "default":
            raise ModelError(
                "prior must be 'default', None, or a mapping from parameter names to priors.",
                f"Got {prior!r}.",
                "Use prior=None for maximum likelihood.",
            )
        return model
    names = [spec.name for spec in model.parameters]
    wanted: Mapping[str, Prior | None] = dict.fromkeys(names) if prior is None else prior
    for name in wanted:
        _check_name(model, name)
    specs = [
        replace(spec, prior=wanted[spec.name], is_prior_given=True) if spec.name in wanted else spec
        for spec in model.parameters
    ]
    for spec in specs:
        _check_prior(spec)
    return with_parameters(model, tuple(specs))


def set_boundary(model: ItemModel, boundary: str | Boundary) -> ItemModel:
    """Give the model with `"default"` treatment of responses at the ends of their range, or this.

    Parameters
    ----------
    boundary : `"default"`, `"censor"`, `"clip"`, `"none"`, or a `Boundary` with its own width.
    """
    if boundary == "default":
        return model
    wanted = boundary if isinstance(boundary, Boundary) else Boundary(cast(BoundaryKind, boundary))
    if not model.family.is_continuous and wanted.kind != "none":
        raise ModelError(
            "A boundary is for models of continuous responses.",
            f"{model.name} takes the ends as ordinary responses.",
            "Leave boundary out, or use the model beta3.",
        )
    return replace(cast(Any, model), boundary=wanted) if model.family.is_continuous else model


def with_parameters(model: ItemModel, parameters: tuple[ParameterSpec, ...]) -> ItemModel:
    """Put these descriptions of parameters in place of the model's own."""
    return cast(ItemModel, replace(cast(Any, model), parameters=parameters))


def _with_setting(model: ItemModel, name: str, setting: ParameterSetting) -> ItemModel:
    _check_name(model, name)
    specs = tuple(_changed(s, setting) if s.name == name else s for s in model.parameters)
    return with_parameters(model, specs)


def _changed(spec: ParameterSpec, setting: ParameterSetting) -> ParameterSpec:
    if isinstance(setting, str):
        return _freed(spec, setting)
    try:
        held = np.asarray(setting, dtype=float)
    except (TypeError, ValueError):
        held = np.array(np.inf)
    # In a list, NaN leaves an item's parameter to be estimated.
    is_free = np.isnan(held) if held.ndim == 1 else np.zeros(held.shape, dtype=bool)
    known = held[~is_free]
    is_sound = held.ndim <= 1 and bool(np.isfinite(known).all()) and _is_inside(spec, known)
    if not is_sound or (is_free.any() and not _is_off_the_ends(spec, known)):
        ends = ", the others off the ends of the range" if is_free.any() else ""
        raise ModelError(
            f"A fixed {spec.name} must be {_allowed(spec)}, one for all items or one per item (NaN "
            f"for those to be estimated{ends}).",
            f"Got {setting!r}.",
            "Give a number, or 'free' to estimate it.",
        )
    if held.ndim == 0:
        return replace(spec, fixed=float(held), prior=None)
    if is_free.all():
        return replace(spec, fixed=None)
    values = tuple(None if free else float(v) for v, free in zip(held, is_free, strict=True))
    return replace(spec, fixed=values, prior=spec.prior if is_free.any() else None)


def _freed(spec: ParameterSpec, setting: str) -> ParameterSpec:
    is_slope = spec.role is Role.SLOPE
    if setting == "positive" and is_slope:
        return replace(spec, transform=POSITIVE, prior=LogNormal(0.0, 0.5), fixed=None)
    if setting == "free":
        transform = FREE if is_slope and spec.transform is POSITIVE else spec.transform
        return replace(spec, transform=transform, fixed=None)
    raise ModelError(
        f"A setting of {spec.name} must be a number, one number per item, 'free'"
        + (" or 'positive'." if is_slope else "."),
        f"Got {setting!r}.",
        "Give a number to hold the parameter there.",
    )


_PRIORS = {"free": (Normal,), "positive": (LogNormal,), "probability": (LogitNormal, Beta)}


def _allowed(spec: ParameterSpec) -> str:
    if spec.transform.name == "probability":
        return f"in {'(' if 0 in spec.excluded else '['}0, 1{')' if 1 in spec.excluded else ']'}"
    words = ["above 0" if spec.transform.name == "positive" else "finite"]
    return " and ".join([*words, *(f"not {value:g}" for value in spec.excluded)])


def _is_inside(spec: ParameterSpec, held: NDArray[np.float64]) -> bool:
    if np.isin(held, spec.excluded).any():
        return False
    with np.errstate(all="ignore"):
        # Outside its range a value has no coordinate.
        return not bool(np.isnan(spec.transform.coordinate(NUMPY, held)).any())


def _is_off_the_ends(spec: ParameterSpec, held: NDArray[np.float64]) -> bool:
    with np.errstate(all="ignore"):
        return bool(np.isfinite(spec.transform.coordinate(NUMPY, held)).all())


def _check_prior(spec: ParameterSpec) -> None:
    """A prior must speak of the parameter's own range; a user's own kind is taken at its word."""
    if not spec.is_free or spec.prior is None:
        return
    allowed = _PRIORS[spec.transform.name]
    ours = {kind for kinds in _PRIORS.values() for kind in kinds}
    is_foreign = type(spec.prior) not in ours and hasattr(spec.prior, "log_density")
    if type(spec.prior) not in allowed and not is_foreign:
        raise ModelError(
            f"The prior of {spec.name} must be {' or '.join(kind.__name__ for kind in allowed)}.",
            f"Got {spec.prior!r}.",
            "Use None for no prior.",
        )


def _check_name(model: ItemModel, name: str) -> None:
    names = [spec.name for spec in model.parameters]
    if name not in names:
        raise ModelError(
            f"The model {model.name} has the parameters {', '.join(names)}.",
            f"Got {name!r}.",
            "Use one of these names.",
        )

"""Models as plain data, and back: names and numbers only, every one of them checked.

A model is written as its name, its options (the other fields of its dataclass) and its parameters.
It is looked up in the catalogue and among registered models, transforms and priors by name in their
own modules, so nothing that a stranger wrote is ever executed.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, is_dataclass, replace
from math import isfinite
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike

from itemcurve.errors import ModelError, StorageError
from itemcurve.models import priors, transforms
from itemcurve.models.boundary import Boundary, BoundaryKind
from itemcurve.models.capabilities import MOST_CATEGORIES, HasCategories
from itemcurve.models.catalogue import MODELS, find_model, set_boundary, with_parameters
from itemcurve.models.contract import ItemModel
from itemcurve.models.mixed import MixedModel
from itemcurve.models.parameters import ParameterSpec
from itemcurve.models.priors import Prior
from itemcurve.models.transforms import Transform
from itemcurve.numerics.engine import NUMPY

_TRANSFORMS = {t.name: t for t in vars(transforms).values() if isinstance(t, Transform)}
_PRIORS: dict[str, type[Any]] = {
    name: kind
    for name, kind in vars(priors).items()
    if isinstance(kind, type) and is_dataclass(kind) and kind.__module__ == priors.__name__
}
_APART = ("name", "parameters", "boundary")
_SPREADS = ("sd", "alpha", "beta")
_ROUNDING = 1e-9
Kind = TypeVar("Kind")


@dataclass(frozen=True)
class Record:
    """A JSON object from a stranger: each field is read with its type checked.

    Attributes
    ----------
    content : what JSON gave.
    place : where it stands, for errors.
    """

    content: Mapping[str, Any]
    place: str

    def text(self, name: str) -> str:
        """Read text."""
        return self._typed(name, str, "text")

    def flag(self, name: str) -> bool:
        """Read true or false."""
        return self._typed(name, bool, "true or false")

    def whole(self, name: str, least: int) -> int:
        """Read a whole number that is not below `least`."""
        value = self._typed(name, int, "a whole number")
        # JSON has numbers of any length; nothing counted here needs more than 64 bits.
        if not least <= value < 2**63:
            raise self.refusal(f"{name!r} must be a whole number from {least} on")
        return value

    def number(self, name: str) -> float:
        """Read a finite number."""
        return self._finite(name, self._value(name))

    def numbers(self, name: str) -> tuple[float, ...]:
        """Read a list of finite numbers."""
        return tuple(self._finite(name, value) for value in self._typed(name, list, "a list"))

    def gapped_numbers(self, name: str) -> tuple[float | None, ...]:
        """Read a list of finite numbers, some of which may be null."""
        found = self._typed(name, list, "a list")
        return tuple(None if value is None else self._finite(name, value) for value in found)

    def texts(self, name: str) -> list[str]:
        """Read a list of different texts."""
        found = self._typed(name, list, "a list")
        if not all(isinstance(value, str) for value in found) or len(set(found)) < len(found):
            raise self.refusal(f"{name!r} must be a list of different texts")
        return list(found)

    def record(self, name: str) -> "Record":
        """Read an object."""
        return Record(self._typed(name, dict, "an object"), f"{self.place}, {name}")

    def records(self, name: str) -> "list[Record]":
        """Read a list of objects."""
        found = self._typed(name, list, "a list")
        if not all(isinstance(value, dict) for value in found):
            raise self.refusal(f"{name!r} must be a list of objects")
        return [Record(value, f"{self.place}, {name} {k}") for k, value in enumerate(found)]

    def has(self, name: str) -> bool:
        """Say whether a field that must be there is not null."""
        return self._value(name) is not None

    def is_list(self, name: str) -> bool:
        """Say whether a field that must be there is a list."""
        return isinstance(self._value(name), list)

    def refusal(self, reason: str) -> StorageError:
        """Give the error that says what is wrong here."""
        return StorageError(
            "A saved fit must be as itemcurve wrote it;",
            f"{self.place} is refused: {reason}.",
            "Restore the run folder from a copy, or fit again.",
        )

    def _value(self, name: str) -> object:
        if name not in self.content:
            raise self.refusal(f"it has no {name!r}")
        return cast(object, self.content[name])

    def _typed(self, name: str, kind: type[Kind], words: str) -> Kind:
        value = self._value(name)
        # Not isinstance alone: to Python, True is the number 1.
        if type(value) is kind and isinstance(value, kind):
            return value
        raise self.refusal(f"{name!r} must be {words}, not {_short(value)}")

    def _finite(self, name: str, value: object) -> float:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        # JSON has integers that no float can hold.
        if is_number and abs(cast(float, value)) < 1e300:
            return float(cast(float, value))
        raise self.refusal(f"{name!r} must be a finite number, not {_short(value)}")


def _short(value: object) -> str:
    # `str` of an integer with thousands of digits is an error in itself.
    return "a huge number" if isinstance(value, int) and abs(value) > 1e300 else repr(value)[:40]


def pack_model(model: ItemModel) -> dict[str, Any]:
    """Describe a model of the catalogue, or a registered one, in plain data.

    Parameters
    ----------
    model : as `get_model` and `set_priors` give it, in any of its forms.

    Examples
    --------
    >>> from itemcurve.models.catalogue import get_model
    >>> pack_model(get_model("3pl", guessing=0.25))["options"]["form"]
    'intercept'
    """
    if isinstance(model, MixedModel):
        parts = [pack_model(part) for part in model.parts]
        return {"name": model.name, "parts": parts, "membership": list(model.membership)}
    known = find_model(model.name)
    if known is None or not is_same_kind(known, model):
        raise StorageError(
            "A fit can be saved when its model is in the catalogue or registered;",
            f"the {type(model).__name__} {model.name!r} is neither.",
            "Call itemcurve.register_model(model) first, here and wherever it is loaded.",
        )
    described = {
        "name": model.name,
        "options": list_options(model),
        "parameters": [_pack_parameter(spec) for spec in model.parameters],
    }
    if model.family.is_continuous:
        described["boundary"] = asdict(model.boundary)
    return described


def unpack_model(record: Record) -> ItemModel:
    """Rebuild the model that `pack_model` described."""
    name = record.text("name")
    if "parts" in record.content:
        return _unpack_mixed(record)
    known = find_model(name)
    if known is None:
        # A file can name a model, but only the reader can vouch for one.
        raise StorageError(
            "A fit can be read when its model is in the catalogue or registered;",
            f"{record.place}: the model {name[:40]!r} is not one of {', '.join(MODELS)}, nor "
            "registered here.",
            "Import that model and call itemcurve.register_model(model) first.",
        )
    described, options = record.records("parameters"), record.record("options")
    if isinstance(known, HasCategories):
        known = _of_categories(known, options)
    base = _matching_form(known, [part.text("name") for part in described], options)
    pairs = zip(described, base.parameters, strict=True)
    specs = tuple(_unpack_parameter(part, own) for part, own in pairs)
    changed = {
        key: options.flag(key) if isinstance(value, bool) else options.whole(key, -1)
        for key, value in list_options(base).items()
        if _may_differ(key, value)
    }
    model = cast(ItemModel, replace(cast(Any, with_parameters(base, specs)), **changed))
    if model.orientation not in (-1, 1):
        raise options.refusal("the orientation must be 1 or -1")
    return _with_boundary(model, record) if model.family.is_continuous else model


def _of_categories(known: HasCategories, options: Record) -> ItemModel:
    """The model of the categories that a file names."""
    codes = options.numbers("codes")
    if not 2 <= len(codes) <= MOST_CATEGORIES or list(codes) != sorted(set(codes)):
        raise options.refusal("the codes must be different numbers, the lowest first")
    model: ItemModel = known.with_categories(codes)
    return model


def _unpack_mixed(record: Record) -> ItemModel:
    parts = tuple(unpack_model(part) for part in record.records("parts"))
    membership = tuple(int(code) for code in record.numbers("membership"))
    if not parts or not set(membership) <= set(range(len(parts))):
        raise record.refusal("its items follow models that it has not")
    try:
        return MixedModel(parts, membership)
    except ModelError as error:
        raise record.refusal(str(error)) from None


def _with_boundary(model: ItemModel, record: Record) -> ItemModel:
    boundary = record.record("boundary")
    kind, width = boundary.text("kind"), boundary.number("width")
    try:
        return set_boundary(model, Boundary(cast(BoundaryKind, kind), width))
    except ModelError:
        raise boundary.refusal("it is no treatment of boundaries") from None


def list_options(model: ItemModel) -> dict[str, Any]:
    """Give what a model is made with besides its parameters."""
    own = cast(Any, model)
    names = [field.name for field in fields(own)]
    return {name: getattr(own, name) for name in names if name not in _APART}


def _may_differ(key: str, value: object) -> bool:
    """Whether forms of one model differ in this option: the others make another model."""
    return isinstance(value, bool) or key == "orientation"


def _as_json(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def is_same_kind(known: ItemModel, model: ItemModel) -> bool:
    """Whether two models are of one class, by its name: notebooks define classes anew."""
    first, second = type(known), type(model)
    return (first.__module__, first.__qualname__) == (second.__module__, second.__qualname__)


def _matching_form(model: ItemModel, names: list[str], options: Record) -> ItemModel:
    """Give the form of the model with these parameters and options, flags and counts aside."""
    for form in (model, model.population_form()):
        own = list_options(form)
        is_same = set(own) == set(options.content) and all(
            _may_differ(key, value) or options.content[key] == _as_json(value)
            for key, value in own.items()
        )
        if is_same and names == [spec.name for spec in form.parameters]:
            return form
    raise options.refusal(f"no form of {model.name} has these options and parameters")


def _pack_parameter(spec: ParameterSpec) -> dict[str, Any]:
    return {
        "name": spec.name,
        "transform": spec.transform.name,
        "prior": None if spec.prior is None else _pack_prior(spec.prior),
        "fixed": spec.fixed,
        "start": spec.start,
        "limits": spec.limits,
        "needs_few_nodes": spec.needs_few_nodes,
        "is_prior_given": spec.is_prior_given,
    }


def _unpack_parameter(record: Record, own: ParameterSpec) -> ParameterSpec:
    transform = _TRANSFORMS.get(record.text("transform"))
    if transform is None:
        raise record.refusal(f"the transform must be one of {', '.join(_TRANSFORMS)}")
    limits = record.numbers("limits") if record.has("limits") else None
    if limits is not None and (len(limits) != 2 or limits[0] >= limits[1]):
        raise record.refusal("its limits must be two numbers, the lower first")
    fixed: float | tuple[float | None, ...] | None = None
    if record.has("fixed"):
        many = record.is_list("fixed")
        fixed = record.gapped_numbers("fixed") if many else record.number("fixed")
        known = [v for v in fixed if v is not None] if isinstance(fixed, tuple) else fixed
        if not is_in_range(transform, known):
            raise record.refusal("it is fixed outside its range")
    return replace(
        own,
        transform=transform,
        prior=_unpack_prior(record.record("prior")) if record.has("prior") else None,
        fixed=fixed,
        start=record.number("start"),
        limits=None if limits is None else (limits[0], limits[1]),
        needs_few_nodes=record.flag("needs_few_nodes"),
        # Not said by files of version 0.1.
        # Files of earlier versions do not say.
        is_prior_given="is_prior_given" in record.content and record.flag("is_prior_given"),
    )


def is_in_range(transform: Transform, values: ArrayLike) -> bool:
    """Say whether all values lie in the range of a transform, its ends included."""
    given = np.asarray(values, dtype=float)
    with np.errstate(all="ignore"):
        # Outside the range there is no coordinate (NaN). A posterior mean may miss the end of
        # the range by rounding, so both sides of the value are asked.
        below, above = (transform.coordinate(NUMPY, given + s) for s in (-_ROUNDING, _ROUNDING))
    return not bool((np.isnan(below) & np.isnan(above)).any())


def _pack_prior(prior: Prior) -> dict[str, Any]:
    kind = type(prior)
    if _PRIORS.get(kind.__name__) is not kind:
        raise StorageError(
            f"A fit can be saved when its priors are {', '.join(_PRIORS)};",
            f"one of them is {kind.__name__}.",
            "Fit again with one of these priors.",
        )
    return {"kind": kind.__name__, **asdict(cast(Any, prior))}


def _unpack_prior(record: Record) -> Prior:
    kind = _PRIORS.get(record.text("kind"))
    if kind is None:
        raise record.refusal(f"the kind of prior must be one of {', '.join(_PRIORS)}")
    values = {field.name: record.number(field.name) for field in fields(kind)}
    try:
        prior = cast(Prior, kind(**values))
        at_zero = np.zeros(1)
        with np.errstate(all="ignore"):
            log_density = float(prior.log_density(NUMPY, at_zero)[0])
            curvature = float(prior.curvature(NUMPY, at_zero)[0])
    except (ArithmeticError, ValueError):
        raise record.refusal("its numbers describe no distribution") from None
    is_sound = all(values.get(name, 1.0) > 0 for name in _SPREADS)
    if not is_sound or not isfinite(log_density) or not isfinite(curvature):
        raise record.refusal("its numbers describe no distribution")
    return prior

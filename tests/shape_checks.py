"""Check arrays against the shapes that signatures name, on every call while tests run.

Functions and methods of the array packages are replaced by ones that look at `.shape` alone, so
that arrays of NumPy, sparse matrices and JAX's tracers are checked alike.
"""

import importlib
import inspect
import pkgutil
import sys
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Sequence as AbstractSequence
from dataclasses import is_dataclass
from functools import cached_property, wraps
from typing import Annotated, Any, Union, get_args, get_origin

from itemcurve.numerics.shapes import Axes

PACKAGES = ("numerics", "families", "models", "estimation", "bank")
# Importing these imports JAX, which not everyone has; their functions take single arrays.
_LEFT_OUT = (
    "itemcurve.numerics.jax_special",
    "itemcurve.numerics.devices.foreign_calls",
    "itemcurve.numerics.devices.jax_products",
    # Its functions are held by data that travel between processes, and are found there by name.
    "itemcurve.models.transforms",
)

Sizes = dict[str, Any]
Check = Callable[[Any, Sizes], None]


class ShapeError(AssertionError):
    """An array has not the shape that a signature names."""


class _MisfitError(Exception):
    """The same, before it is known of which argument of what."""

    def __init__(self, words: str, place: str = "") -> None:
        super().__init__(words)
        self.words, self.place = words, place


def install() -> None:
    """Check the calls of all functions of the array packages from now on."""
    replaced: dict[Any, Any] = {}
    for module in _modules():
        for value in list(vars(module).values()):
            if inspect.isfunction(value) and value.__module__ == module.__name__:
                replaced[value] = checked(value)
            elif inspect.isclass(value) and value.__module__ == module.__name__:
                check_class(value)
    # Names that were imported before hold the functions themselves.
    for name, module in list(sys.modules.items()):
        if name.split(".")[0].startswith("itemcurve"):
            for key, value in list(vars(module).items()):
                if inspect.isfunction(value) and value in replaced:
                    setattr(module, key, replaced[value])


def _modules() -> Iterator[types.ModuleType]:
    for package in PACKAGES:
        root = importlib.import_module(f"itemcurve.{package}")
        for found in pkgutil.walk_packages(root.__path__, f"{root.__name__}."):
            if found.name not in _LEFT_OUT:
                yield importlib.import_module(found.name)


def check_class(owner: type) -> None:
    """Check the methods of a class, and the fields of its instances."""
    if getattr(owner, "_is_protocol", False):
        return
    for name, member in list(vars(owner).items()):
        if name.startswith("__") and name != "__call__":
            continue
        if inspect.isfunction(member):
            setattr(owner, name, checked(member))
        elif isinstance(member, classmethod | staticmethod):
            setattr(owner, name, type(member)(checked(member.__func__)))
        elif isinstance(member, property) and member.fget:
            setattr(owner, name, property(checked(member.fget), doc=member.__doc__))
        elif isinstance(member, cached_property):
            member.func = checked(member.func)
    fields = _checks_of(owner)
    if fields and is_dataclass(owner):
        owner.__init__ = _checked_maker(owner, owner.__init__, fields)
    elif fields and hasattr(owner, "_fields"):
        owner.__new__ = staticmethod(_checked_maker(owner, owner.__new__, fields))


def checked(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give the function with its arguments and its result checked; itself if nothing is named."""
    checks = _checks_of(function)
    if not checks:
        return function
    result = checks.pop("return", None)
    names = list(inspect.signature(function).parameters)
    places = [(place, name, checks[name]) for place, name in enumerate(names) if name in checks]
    title = f"{function.__module__}.{function.__qualname__}"

    # The same shapes need no second look: most calls repeat those of a call before.
    passed: dict[Any, Sizes] = {}
    passed_results: set[Any] = set()

    @wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        count = len(args)
        given = [args[place] if place < count else kwargs.get(name) for place, name, _ in places]
        shapes = tuple(map(_shapes_in, given))
        sizes = passed.get(shapes)
        if sizes is None:
            sizes = {}
            for (_, name, check), value in zip(places, given, strict=True):
                _apply(check, value, sizes, title, name)
            passed[shapes] = sizes
        found = function(*args, **kwargs)
        if result is not None and (all_shapes := (shapes, _shapes_in(found))) not in passed_results:
            _apply(result, found, dict(sizes), title, "result")
            passed_results.add(all_shapes)
        return found

    return wrapper


def _shapes_in(value: Any) -> Any:
    """The shapes of an array, or of the arrays in lists, tuples and mappings."""
    shape = getattr(value, "shape", None)
    if shape is not None:
        return shape
    if isinstance(value, list | tuple):
        return tuple(map(_shapes_in, value))
    return tuple(map(_shapes_in, value.values())) if isinstance(value, dict) else None


def _apply(check: Check, value: Any, sizes: Sizes, title: str, name: str) -> None:
    try:
        check(value, sizes)
    except _MisfitError as misfit:
        known = "".join(f"; {word} = {size}" for word, size in sizes.items())
        raise ShapeError(f"{title}: {name}{misfit.place} {misfit.words}{known}") from None


def _checked_maker(
    owner: type, maker: Callable[..., Any], fields: Mapping[str, Check]
) -> Callable[..., Any]:
    title = f"{owner.__module__}.{owner.__qualname__}"
    passed: set[Any] = set()

    @wraps(maker)
    def wrapper(first: Any, *args: Any, **kwargs: Any) -> Any:
        found = maker(first, *args, **kwargs)
        made = first if found is None else found
        given = [getattr(made, name) for name in fields]
        shapes = tuple(map(_shapes_in, given))
        if shapes not in passed:
            sizes: Sizes = {}
            for (name, check), value in zip(fields.items(), given, strict=True):
                _apply(check, value, sizes, title, name)
            passed.add(shapes)
        return found

    return wrapper


def _checks_of(described: Any) -> dict[str, Check]:
    """What the annotations of a function or class ask for, by name; forward references nothing."""
    if inspect.isclass(described):
        hints = {}
        for base in reversed(described.__mro__):
            hints.update(inspect.get_annotations(base))
    else:
        hints = inspect.get_annotations(described)
    found = {name: _check_of(hint) for name, hint in hints.items()}
    return {name: check for name, check in found.items() if check is not None}


def _check_of(hint: Any) -> Check | None:
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Annotated:
        allowed = [part for part in hint.__metadata__ if isinstance(part, Axes)]
        return _array_check(allowed) if allowed else None
    inner = [_check_of(part) for part in parts]
    if not any(inner):
        return None
    if origin in (Union, types.UnionType):
        known = [check for check in inner if check]
        return known[0] if len(known) == 1 else None
    if origin is tuple and parts[-1] is not Ellipsis:
        return _tuple_check(inner)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _values_check(inner[1])
    if isinstance(origin, type) and issubclass(origin, AbstractSequence):
        return _entries_check(inner[0])
    return None


def _entries_check(entry: Check) -> Check:
    def check(values: Any, sizes: Sizes) -> None:
        if isinstance(values, list | tuple):
            _apply_each(((entry, place, value) for place, value in enumerate(values)), sizes)

    return check


def _tuple_check(entries: list[Check | None]) -> Check:
    def check(values: Any, sizes: Sizes) -> None:
        if isinstance(values, tuple):
            pairs = enumerate(zip(entries, values, strict=True))
            _apply_each(((entry, place, value) for place, (entry, value) in pairs), sizes)

    return check


def _values_check(entry: Check) -> Check:
    def check(values: Any, sizes: Sizes) -> None:
        if isinstance(values, Mapping):
            _apply_each(((entry, key, value) for key, value in values.items()), sizes)

    return check


def _apply_each(entries: Iterable[tuple[Check | None, object, Any]], sizes: Sizes) -> None:
    place: object = None
    try:
        for check, place, value in entries:  # noqa: B007
            if check is not None:
                check(value, sizes)
    except _MisfitError as misfit:
        raise _MisfitError(misfit.words, f"[{place!r}]{misfit.place}") from None


def _array_check(allowed: list[Axes]) -> Check:
    plans = [[_axis(name) for name in option.names] for option in allowed]
    words = " or ".join(map(str, allowed))

    def check(value: Any, sizes: Sizes) -> None:
        shape = getattr(value, "shape", None)
        if isinstance(shape, tuple) and not any(_fits(plan, shape, sizes) for plan in plans):
            raise _MisfitError(f"must be {words}, got {shape}")

    return check


def _axis(name: str) -> tuple[str, int | None]:
    word, _, other = name.partition("|")
    return ("", int(word)) if word.isdigit() else (word, int(other) if other else None)


def _fits(plan: list[tuple[str, int | None]], shape: tuple[Any, ...], sizes: Sizes) -> bool:
    """Whether a shape agrees with the sizes known, and if so, learn the others."""
    star = next((place for place, axis in enumerate(plan) if axis[0][:1] == "*"), None)
    if star is not None:
        end = len(shape) - (len(plan) - star - 1)
        if end < star:
            return False
        shape = (*shape[:star], shape[star:end], *shape[end:])
    if len(plan) != len(shape):
        return False
    learned: Sizes = {}
    for (name, other), size in zip(plan, shape, strict=True):
        known = other if not name else learned.get(name, sizes.get(name))
        if known is None and size != other:
            learned[name] = size
        elif known is not None and size != known and (not name or size != other):
            return False
    sizes.update(learned)
    return True

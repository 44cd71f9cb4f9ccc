"""Rules as plain data in a session file, and back: known classes and checked settings only."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from itemcurve.adaptive.ability.stopping import (
    AbilityDecided,
    AbilitySe,
    Combined,
    GroupDecided,
    MaxItems,
    NoUsefulItem,
    ScoreHalfWidth,
)
from itemcurve.adaptive.score.score_stopping import (
    BetterThan,
    FirstOf,
    ScoreDecided,
    ScorePrecision,
)
from itemcurve.adaptive.selection.content_balance import ContentBalanced
from itemcurve.adaptive.selection.cost import CostAware
from itemcurve.adaptive.selection.fisher import Fisher
from itemcurve.adaptive.selection.kullback_leibler import KullbackLeibler
from itemcurve.adaptive.selection.likelihood_kl import WeightedKullbackLeibler
from itemcurve.adaptive.selection.posterior_variance import PosteriorVariance
from itemcurve.adaptive.selection.random_order import Random
from itemcurve.adaptive.selection.turns import InTurn
from itemcurve.adaptive.session_documents import refuse_session
from itemcurve.errors import StorageError

_KNOWN: Mapping[str, type[Any]] = {
    kind.__name__: kind
    for kind in (
        AbilityDecided,
        AbilitySe,
        BetterThan,
        Combined,
        ContentBalanced,
        CostAware,
        FirstOf,
        Fisher,
        GroupDecided,
        InTurn,
        KullbackLeibler,
        MaxItems,
        NoUsefulItem,
        PosteriorVariance,
        Random,
        ScoreDecided,
        ScoreHalfWidth,
        ScorePrecision,
        WeightedKullbackLeibler,
    )
}


def pack_rule(rule: Any) -> Any:
    """Describe a rule, and whatever rules it is made of, in plain data.

    A function of the user's own is written as its name alone: to go on, it must be given again.
    """
    if type(rule) in _KNOWN.values():
        settings = {field.name: pack_rule(getattr(rule, field.name)) for field in fields(rule)}
        return {"rule": type(rule).__name__, "settings": settings}
    if isinstance(rule, tuple | list):
        return [pack_rule(part) for part in rule]
    if isinstance(rule, Mapping):
        return {"mapping": dict(rule)}
    if rule is None or isinstance(rule, bool | int | float | str):
        return rule
    return {"own": getattr(rule, "__name__", type(rule).__name__)}


def unpack_rule(packed: Any, place: str) -> Any:
    """Rebuild what `pack_rule` described.

    Parameters
    ----------
    place : the file, for errors.
    """
    if isinstance(packed, list):
        return tuple(unpack_rule(part, place) for part in packed)
    if not isinstance(packed, dict):
        return packed
    if set(packed) == {"mapping"} and isinstance(packed["mapping"], dict):
        return packed["mapping"]
    if set(packed) == {"own"}:
        raise StorageError(
            "A test with a rule of one's own needs it to go on;",
            f"{place} was begun with {str(packed['own'])[:40]!r}.",
            "Give it again: AdaptiveTest.load(path, select=..., stop=...).",
        )
    kind, settings = _KNOWN.get(str(packed.get("rule"))), packed.get("settings")
    names = {field.name for field in fields(kind)} if kind else set()
    if kind is None or not isinstance(settings, dict) or set(settings) != names:
        raise refuse_session(place, f"it names an unknown rule {str(packed.get('rule'))[:40]!r}")
    try:
        return kind(**{name: unpack_rule(value, place) for name, value in settings.items()})
    except (TypeError, ValueError) as error:
        if isinstance(error, StorageError):
            raise
        raise refuse_session(place, f"a rule does not take its settings ({error})") from None

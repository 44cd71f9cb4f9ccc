"""Whether clients written for one description of the interface still work with another."""

from collections.abc import Iterator, Mapping
from typing import Any

Schema = Mapping[str, Any]


def incompatible_changes(before: Schema, after: Schema) -> list[str]:
    """Say what a client of the one would miss in the other; nothing where none would.

    Routes, parameters and fields may be added. What clients send must stay accepted: nothing new
    may be required of them, no type or choice taken away. What they read must stay: no field may go
    or change its type, none that was always there may be left out.
    """
    return list(_changes(before, after))


def _changes(before: Schema, after: Schema) -> Iterator[str]:
    for path, operations in before["paths"].items():
        for method, old in operations.items():
            name = f"{method.upper()} {path}"
            new = after["paths"].get(path, {}).get(method)
            if new is None:
                yield f"{name} is gone"
                continue
            yield from _parameter_changes(name, (before, old), (after, new))
            yield from _body_changes(name, (before, old), (after, new))


def _parameter_changes(
    name: str, before: tuple[Schema, Schema], after: tuple[Schema, Schema]
) -> Iterator[str]:
    old = {(p["in"], p["name"]): p for p in before[1].get("parameters", ())}
    new = {(p["in"], p["name"]): p for p in after[1].get("parameters", ())}
    for key, parameter in new.items():
        was_required = old.get(key, {}).get("required", False)
        if parameter.get("required", False) and not was_required:
            yield f"{name}: {key[1]} is required now"
    for key, parameter in old.items():
        if key not in new:
            yield f"{name}: {key[1]} is gone"
            continue
        place = f"{name}: {key[1]}"
        yield from _sent(place, (before[0], parameter["schema"]), (after[0], new[key]["schema"]))


def _body_changes(
    name: str, before: tuple[Schema, Schema], after: tuple[Schema, Schema]
) -> Iterator[str]:
    old, new = before[1].get("requestBody"), after[1].get("requestBody")
    if new is not None and new.get("required") and not (old or {}).get("required"):
        yield f"{name}: a body is required now"
    for kind, content in (old or {}).get("content", {}).items():
        other = (new or {}).get("content", {}).get(kind)
        if other is None:
            yield f"{name}: a body of {kind} is no longer taken"
        else:
            yield from _sent(name, (before[0], content["schema"]), (after[0], other["schema"]))
    for status, answer in before[1]["responses"].items():
        other = after[1]["responses"].get(status)
        if other is None:
            yield f"{name}: no longer answers {status}"
            continue
        for kind, content in answer.get("content", {}).items():
            if kind not in other.get("content", {}):
                yield f"{name}: no longer answers {kind}"
            elif "schema" in content:
                shown = other["content"][kind].get("schema", {})
                yield from _read(name, (before[0], content["schema"]), (after[0], shown))


def _sent(place: str, old: tuple[Schema, Schema], new: tuple[Schema, Schema]) -> Iterator[str]:
    """What a client sends: the new schema must take all that the old one took."""
    first, second = _resolve(*old), _resolve(*new)
    if gone := _kinds(old[0], first) - _kinds(new[0], second):
        yield f"{place}: no longer takes {', '.join(sorted(gone))}"
    if gone := set(first.get("enum", ())) - set(second.get("enum", first.get("enum", ()))):
        yield f"{place}: no longer takes {sorted(gone)}"
    for name in set(second.get("required", ())) - set(first.get("required", ())):
        yield f"{place}.{name} is required now"
    yield from _fields(place, (old[0], first), (new[0], second), _sent)


def _read(place: str, old: tuple[Schema, Schema], new: tuple[Schema, Schema]) -> Iterator[str]:
    """What a client reads: the new schema must give all that the old one gave, and no other."""
    first, second = _resolve(*old), _resolve(*new)
    if more := _kinds(new[0], second) - _kinds(old[0], first):
        yield f"{place}: may be {', '.join(sorted(more))} now"
    for name in set(first.get("required", ())) - set(second.get("required", ())):
        yield f"{place}.{name} may be left out now"
    yield from _fields(place, (old[0], first), (new[0], second), _read)


def _fields(
    place: str, old: tuple[Schema, Schema], new: tuple[Schema, Schema], compare: Any
) -> Iterator[str]:
    others = new[1].get("properties", {})
    for name, schema in old[1].get("properties", {}).items():
        if name not in others:
            yield f"{place}.{name} is gone"
        else:
            yield from compare(f"{place}.{name}", (old[0], schema), (new[0], others[name]))
    if "items" in old[1] and "items" in new[1]:
        yield from compare(f"{place}[]", (old[0], old[1]["items"]), (new[0], new[1]["items"]))


def _resolve(document: Schema, schema: Schema) -> Schema:
    """Follow references; of alternatives, the one that is not null."""
    while True:
        if "$ref" in schema:
            name = schema["$ref"].rpartition("/")[2]
            schema = document["components"]["schemas"][name]
            continue
        choices = [c for c in schema.get("anyOf", ()) if c.get("type") != "null"]
        if len(choices) != 1:
            return schema
        schema = choices[0]


def _kinds(document: Schema, schema: Schema) -> set[str]:
    """Names of the types that a schema allows; "any" where it says none."""
    if "anyOf" in schema:
        return {kind for choice in schema["anyOf"] for kind in _kinds(document, choice)}
    resolved = _resolve(document, schema)
    if resolved is not schema:
        return _kinds(document, resolved)
    return {str(schema.get("type", "any"))}

"""Typed access to JSON that a stranger wrote: the wrong type counts as absent or as damage."""

import hashlib
import json
import math
import re
from datetime import UTC, datetime
from typing import Any

from itemcurve.logs.reading.log_errors import LONGEST_NAME, DamagedLogError

_NOT_PRINTED = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
_HASH_LENGTH = 32


def mapping_at(record: object, *path: str) -> dict[str, Any]:
    """Give the mapping at a path of keys; an empty one where there is none."""
    for key in path:
        record = record.get(key) if isinstance(record, dict) else None
    return record if isinstance(record, dict) else {}


def list_at(record: object, *path: str) -> list[Any]:
    """Give the list at a path of keys; an empty one where there is none."""
    found = mapping_at(record, *path[:-1]).get(path[-1])
    return found if isinstance(found, list) else []


def text_at(record: object, *path: str) -> str:
    """Give the text at a path of keys, cleaned for use as a name; "" where there is none."""
    found = mapping_at(record, *path[:-1]).get(path[-1])
    return clean_name(found) if isinstance(found, str) else ""


def number_at(record: object, *path: str) -> float:
    """Give the number at a path of keys; NaN where there is none."""
    found = mapping_at(record, *path[:-1]).get(path[-1])
    return number_of(found)


def number_of(value: object) -> float:
    """Give a finite number or truth as a float, NaN for anything else."""
    if isinstance(value, bool | int | float):
        try:
            number = float(value)
        except OverflowError:
            return math.nan
        return number if math.isfinite(number) else math.nan
    return math.nan


def clean_name(text: str) -> str:
    """Make a text fit as a name: one line, of bounded length, no half characters."""
    return _NOT_PRINTED.sub("�", text)[:LONGEST_NAME].strip()


def id_of(value: object, what: str) -> str:
    """Give an id, text or integer, as text; anything else is damage."""
    if isinstance(value, str) and value.strip():
        return clean_name(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    raise DamagedLogError(f"{what} is {_shown(value)}, neither text nor an integer")


def describe_settings(settings: object) -> str:
    """Give settings as one short line that is equal for equal settings, "" for none."""
    if isinstance(settings, str):
        return clean_name(settings)
    if not isinstance(settings, dict):
        return ""
    # A setting of null is one that was not given.
    given = sorted(key for key in settings if settings[key] is not None)
    parts = [f"{key}={json.dumps(settings[key], sort_keys=True)}" for key in given]
    return clean_name(",".join(parts).replace('"', ""))


def hash_content(*parts: object) -> str:
    """Hash what an item asks, so that equal content is found again whatever its number."""
    text = json.dumps(parts, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:_HASH_LENGTH]


def shorten_hash(value: object) -> str:
    """Accept a hexadecimal hash that a harness wrote, at the length used here; "" for others."""
    if isinstance(value, str) and re.fullmatch(r"[0-9a-fA-F]{32,128}", value):
        return value[:_HASH_LENGTH].lower()
    return ""


def seconds_of(value: object) -> float:
    """Give a time, ISO text or seconds since 1970, as seconds; NaN where it is neither."""
    number = number_of(value)
    if not math.isnan(number):
        return number
    if not isinstance(value, str):
        return math.nan
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return math.nan
    # Without a zone the order between files of one machine still holds.
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    try:
        return moment.timestamp()
    except (OverflowError, OSError):
        return math.nan


def _shown(value: object) -> str:
    return f"a {type(value).__name__}" if isinstance(value, dict | list) else repr(value)[:60]

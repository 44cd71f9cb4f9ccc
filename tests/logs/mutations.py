"""Ways in which a log goes wrong, each a function of its bytes and a generator."""

import re
from collections.abc import Callable

import numpy as np

Mutation = Callable[[bytes, np.random.Generator], bytes]
_NUMBER = re.compile(rb"(?<=[:\[, ])-?\d+(?:\.\d+)?(?=[,}\]\s])")
_STRING = re.compile(rb'"[^"\\]{1,40}"(?=\s*[,}\]])')
_HUGE = (b"1e999", b"-1e999", b"1e308", b"9" * 400, b"9" * 5000, b"NaN", b"Infinity", b"-0.0")
_TYPES = (b"null", b"[]", b"{}", b'"text"', b"true", b"[1, [2]]", b'{"a": {"b": 1}}', b"-1")


def truncate(content: bytes, rng: np.random.Generator) -> bytes:
    return content[: int(rng.integers(0, len(content)))]


def flip_bits(content: bytes, rng: np.random.Generator) -> bytes:
    changed = bytearray(content)
    for _ in range(int(rng.integers(1, 6))):
        changed[int(rng.integers(len(changed)))] ^= 1 << int(rng.integers(8))
    return bytes(changed)


def change_types(content: bytes, rng: np.random.Generator) -> bytes:
    return _replace(content, rng, _STRING if rng.random() < 0.5 else _NUMBER, _TYPES)


def enlarge_numbers(content: bytes, rng: np.random.Generator) -> bytes:
    return _replace(content, rng, _NUMBER, _HUGE)


def nest_deeply(content: bytes, rng: np.random.Generator) -> bytes:
    depth = int(rng.choice([200, 900, 5_000, 100_000]))
    nested = b"[" * depth + b"]" * depth if rng.random() < 0.7 else b'{"a":' * depth
    return _replace(content, rng, _NUMBER, (nested,))


def cut_out(content: bytes, rng: np.random.Generator) -> bytes:
    start = int(rng.integers(len(content)))
    return content[:start] + content[start + int(rng.integers(1, 200)) :]


def repeat_part(content: bytes, rng: np.random.Generator) -> bytes:
    start = int(rng.integers(len(content)))
    end = start + int(rng.integers(1, 2_000))
    return content[:end] + content[start:]


def _replace(
    content: bytes, rng: np.random.Generator, pattern: re.Pattern, others: tuple[bytes, ...]
) -> bytes:
    places = list(pattern.finditer(content))
    if not places:
        return truncate(content, rng)
    place = places[int(rng.integers(len(places)))]
    other = others[int(rng.integers(len(others)))]
    return content[: place.start()] + other + content[place.end() :]


MUTATIONS: tuple[Mutation, ...] = (
    truncate,
    flip_bits,
    change_types,
    enlarge_numbers,
    nest_deeply,
    cut_out,
    repeat_part,
)

"""Scores as harnesses write them, turned into numbers without guessing."""

import math
from collections.abc import Iterator
from typing import Any

from itemcurve.logs.reading.plain_values import clean_name, number_of

# Inspect's own letters and words (correct, incorrect, partial, no answer).
_LETTERS = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
_WORDS = {"true": 1.0, "yes": 1.0, "false": 0.0, "no": 0.0}
# lm-evaluation-harness keeps (log-likelihood, length) per document for these.
_PERPLEXITIES = ("word_perplexity", "byte_perplexity", "perplexity")
_BITS = "bits_per_byte"
_LONGEST_LIST = 10_000


def score_of(value: object) -> float:
    """Give one score as a number; NaN where it is not scored or not a score."""
    if isinstance(value, str):
        return _score_of_text(value.strip())
    return number_of(value)


def parts_of(name: str, value: object) -> Iterator[tuple[str, float]]:
    """Give the numbers within a value, each with its metric; the same metric twice is a repeat.

    A mapping holds sub-scores; a list of truths is several tries of the same; two numbers of a
    perplexity are the log-likelihood and the length. Other lists have no meaning for one sample
    and count as not scored.
    """
    if isinstance(value, dict):
        for key, part in value.items():
            yield f"{name}.{clean_name(str(key))}", score_of(part)
    elif isinstance(value, list):
        yield from _parts_of_list(name, value)
    else:
        yield name, score_of(value)


def _parts_of_list(name: str, values: list[Any]) -> Iterator[tuple[str, float]]:
    is_truths = bool(values) and all(isinstance(part, bool) for part in values)
    if is_truths and len(values) <= _LONGEST_LIST:
        yield from ((name, float(part)) for part in values)
    elif len(values) == 2 and (name in _PERPLEXITIES or name == _BITS):
        yield name, _perplexity(name, number_of(values[0]), number_of(values[1]))
    else:
        yield name, math.nan


def _perplexity(name: str, log_likelihood: float, length: float) -> float:
    """Give what the harness would report for this document alone."""
    if not length > 0:
        return math.nan
    loss = -log_likelihood / length
    if name == _BITS:
        return loss / math.log(2)
    return math.exp(loss) if loss < 700 else math.nan


def _score_of_text(text: str) -> float:
    if text in _LETTERS:
        return _LETTERS[text]
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    try:
        # Underscores and long digits are Python's own ideas of a number.
        return number_of(float(text)) if len(text) < 40 and "_" not in text else math.nan
    except ValueError:
        return math.nan

"""What a log says in words: the question in short, the key, and what a model answered."""

import re
from typing import Any

from itemcurve.logs.plain_values import clean_name, mapping_at, number_of

# Enough to know a question again in a table.
_QUESTION_LENGTH = 80
# Options and numbers are short; of longer texts no two models write the same.
_ANSWER_LENGTH = 40
_BLANKS = re.compile(r"\s+")
_ASKED = (
    *("question", "query", "problem", "input", "prompt", "ctx", "goal"),
    *("sentence", "premise", "text", "content", "instruction"),
)


def first_words(text: object) -> str:
    r"""Give the beginning of a question as one line; "" where there is no text.

    Examples
    --------
    >>> first_words("  What is\n5 + 19? ")
    'What is 5 + 19?'
    """
    if isinstance(text, list):
        # A conversation: what the user said last is what is asked.
        said = [first_words(mapping_at(part).get("content")) for part in text]
        return next((part for part in reversed(said) if part), "")
    if not isinstance(text, str):
        return ""
    line = clean_name(_BLANKS.sub(" ", text[: 20 * _QUESTION_LENGTH]).strip())
    if len(line) <= _QUESTION_LENGTH:
        return line
    return line[: _QUESTION_LENGTH - 1].rpartition(" ")[0] + "…"


def question_of(document: object) -> str:
    """Give the question of a document, by the names that data sets use for it."""
    found = mapping_at(document)
    named = next((words for key in _ASKED if (words := first_words(found.get(key)))), "")
    return named or next((words for text in found.values() if (words := first_words(text))), "")


def short_answer(value: object) -> str:
    """Give an option or a short answer, without the marks around it; "" for anything longer.

    Examples
    --------
    >>> short_answer(" (B). "), short_answer(3), short_answer("a long explanation " * 9)
    ('B', '3', '')
    """
    while isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str) or len(value) > 4 * _ANSWER_LENGTH:
        return ""
    line = clean_name(_BLANKS.sub(" ", value)).strip(" .()[]*:\"'")
    return line if len(line) <= _ANSWER_LENGTH else ""


def lm_eval_answer(record: dict[str, Any], metric: str) -> str:
    """Give what lm-evaluation-harness took as the answer: an option's number, or a text."""
    given = record.get("filtered_resps")
    if not isinstance(given, list) or not given:
        return ""
    if len(given) == 1:
        return short_answer(given)
    scores = [_likelihood(option) for option in given]
    if any(score is None for score in scores):
        return ""
    if metric.startswith("acc_norm"):
        scores = [
            score / length if (length := _length(record, place)) else score
            for place, score in enumerate(scores)
            if score is not None
        ]
    return str(max(range(len(scores)), key=lambda place: scores[place] or 0.0))


def _likelihood(option: object) -> float | None:
    """Read the log-likelihood of an option, which older files hold as text."""
    first = option[0] if isinstance(option, list) and option else None
    if isinstance(first, str):
        try:
            first = float(first)
        except ValueError:
            return None
    number = number_of(first)
    return None if number != number else number


def _length(record: dict[str, Any], place: int) -> int:
    """Count the signs of an option, without the blank before it."""
    text = mapping_at(record, "arguments", f"gen_args_{place}").get("arg_1")
    return len(text.strip()) if isinstance(text, str) else 0

"""What a log says in words: the question in short, the key, and what a model answered."""

from typing import Any

from itemcurve.logs.reading.plain_values import clean_name, mapping_at

# Enough to know a question again in a table.
_QUESTION_LENGTH = 80
# Options and numbers are short; of longer texts no two models write the same.
_ANSWER_LENGTH = 40
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
    # Blanks are few: twice the length is enough to fill it.
    line = clean_name(" ".join(text[: 2 * _QUESTION_LENGTH].split()))
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
    line = clean_name(" ".join(value.split())).strip(" .()[]*:\"'")
    return line if len(line) <= _ANSWER_LENGTH else ""


def lm_eval_answers(record: dict[str, Any]) -> tuple[str, str]:
    """Give what lm-evaluation-harness took as the answer: an option's number, or a text.

    The second is what counts for metrics that divide by the length of the option.
    """
    given = record.get("filtered_resps")
    if not isinstance(given, list) or not given:
        return "", ""
    if len(given) == 1:
        said = short_answer(given)
        return said, said
    # Several texts are several tries, of which none is the answer.
    if not all(isinstance(option, list) for option in given):
        return "", ""
    try:
        # Older files hold log-likelihoods as text.
        scores = [float(option[0]) for option in given]
    except (TypeError, ValueError, LookupError, OverflowError):
        return "", ""
    return str(scores.index(max(scores))), _longest(record, scores)


def _longest(record: dict[str, Any], scores: list[float]) -> str:
    """Number of the option that is most likely for its length."""
    arguments = mapping_at(record, "arguments")
    weighed = []
    for place, score in enumerate(scores):
        text = mapping_at(arguments.get(f"gen_args_{place}")).get("arg_1")
        # The harness puts a blank before the option that it does not count.
        length = len(text.strip()) if isinstance(text, str) else 0
        weighed.append(score / max(length, 1))
    return str(weighed.index(max(weighed)))

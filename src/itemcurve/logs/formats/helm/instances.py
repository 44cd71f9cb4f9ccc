"""What HELM's `scenario_state.json` says of instances: content, split, failure, words."""

from dataclasses import dataclass
from typing import Any

from itemcurve.logs.reading.answer_texts import first_words, short_answer
from itemcurve.logs.reading.plain_values import hash_content, list_at, mapping_at, text_at


@dataclass(frozen=True)
class Instance:
    """One instance as it was asked; `target` and `answer` are options where there are any."""

    content: str = ""
    split: str = ""
    is_failed: bool = False
    question: str = ""
    target: str = ""
    answer: str = ""


def read_instances(state: dict[str, Any]) -> dict[str, Instance]:
    """Give the instances by id, of perturbed ones the unperturbed."""
    found: dict[str, Instance] = {}
    for request in list_at(state, "request_states"):
        instance = mapping_at(request, "instance")
        name = text_at(instance, "id")
        if not name or (name in found and "perturbation" in instance):
            continue
        references = list_at(instance, "references")
        texts = [text_at(part, "output", "text") for part in references]
        found[name] = Instance(
            hash_content(instance.get("input"), texts),
            text_at(instance, "split"),
            mapping_at(request, "result").get("success") is False,
            first_words(mapping_at(instance, "input").get("text")),
            _target(request, references),
            _answer(request),
        )
    return found


def _target(request: dict[str, Any], references: list[Any]) -> str:
    """Name the right reference: its option where there are options, else itself."""
    right = [
        text_at(part, "output", "text") for part in references if "correct" in list_at(part, "tags")
    ]
    if not right:
        return ""
    named = mapping_at(request, "output_mapping").items()
    option = next((key for key, text in named if isinstance(text, str) and text in right), None)
    return short_answer(right[0] if option is None else option)


def _answer(request: dict[str, Any]) -> str:
    # With one request per reference no single completion is the answer.
    if request.get("reference_index") is not None:
        return ""
    completions = list_at(request, "result", "completions")
    return short_answer(mapping_at(completions[0] if completions else None).get("text"))

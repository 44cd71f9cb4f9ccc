"""What models answered, beside whether it was right."""

import os

import numpy as np
import pytest
from tests.logs.examples import (
    inspect_log,
    inspect_sample,
    lm_eval_results,
    lm_eval_run,
    lm_eval_sample,
    write,
)

from itemcurve.errors import ResponsesError, StorageError
from itemcurve.logs.formats.helm.instances import read_instances
from itemcurve.logs.log_folder import read_logs
from itemcurve.responses.chosen_options import ChosenOptions


def multiple_choice(number, likelihoods, target, texts=("a", "b"), **metrics):
    sample = lm_eval_sample(number, question=f"Which of these is {number}?", **metrics)
    return sample | {
        "target": target,
        "filtered_resps": [[str(value), "False"] for value in likelihoods],
        "arguments": {
            f"gen_args_{place}": {"arg_0": "Q", "arg_1": f" {text}"}
            for place, text in enumerate(texts)
        },
    }


def answers_of(options):
    return [["-" if k < 0 else options.options[k] for k in row] for row in options.chosen.tolist()]


def test_the_option_with_the_highest_likelihood_is_the_answer(tmp_path):
    samples = [
        multiple_choice(0, (-1.0, -2.0), 0, acc=1.0),
        multiple_choice(1, (-3.0, -2.0), 0, acc=0.0),
    ]
    lm_eval_run(tmp_path, samples, lm_eval_results())
    logs = read_logs(tmp_path, cache=False)
    options = logs.options()
    assert answers_of(options) == [["0", "1"]]
    assert options.keys == ("0", "0")
    assert options.items == logs.select(announce=False).items
    assert logs.item_frame()["question"].tolist() == [f"Which of these is {k}?" for k in (0, 1)]


def test_acc_norm_divides_by_the_length_of_the_option(tmp_path):
    sample = multiple_choice(0, (-4.0, -5.0), 1, ("ab", "abcdefghij"), acc=0.0, acc_norm=1.0)
    lm_eval_run(tmp_path, [sample], lm_eval_results())
    logs = read_logs(tmp_path, cache=False)
    assert answers_of(logs.options(metric="acc")) == [["0"]]
    assert answers_of(logs.options(metric="acc_norm")) == [["1"]]


def test_answers_are_those_of_the_filter_that_counts(tmp_path):
    samples = [
        lm_eval_sample(0, name, exact_match=value) | {"filtered_resps": [said]}
        for name, value, said in (("strict", 0.0, "[invalid]"), ("flexible", 1.0, " (B). "))
    ]
    lm_eval_run(tmp_path, samples, lm_eval_results())
    logs = read_logs(tmp_path, cache=False)
    assert answers_of(logs.options(filter="flexible")) == [["B"]]
    assert answers_of(logs.options(filter="strict")) == [["invalid"]]


def test_several_tries_have_no_single_answer(tmp_path):
    sample = lm_eval_sample(0, exact_match=1.0) | {"filtered_resps": ["24", "25"]}
    lm_eval_run(tmp_path, [sample], lm_eval_results())
    assert answers_of(read_logs(tmp_path, cache=False).options()) == [["-"]]


def test_inspect_says_what_was_answered_and_long_texts_are_left_out(tmp_path):
    samples = [
        inspect_sample("q0", {"match": {"value": "I", "answer": "B"}}, target="A"),
        inspect_sample("q1", {"match": {"value": "C", "answer": "word " * 50}}, target="A"),
    ]
    write(tmp_path / "log.json", inspect_log(samples))
    options = read_logs(tmp_path, cache=False).options()
    assert answers_of(options) == [["B", "-"]]
    assert options.keys == ("A", "A")


def helm_request(**changes):
    options = {"A": "four", "B": "five"}
    return {
        "instance": {
            "id": "id1",
            "input": {"text": "How many\nis 2 + 3?"},
            "references": [
                {"output": {"text": text}, "tags": ["correct"] * (text == "five")}
                for text in options.values()
            ],
        },
        "output_mapping": options,
        "result": {"success": True, "completions": [{"text": " A"}]},
        **changes,
    }


def test_helm_says_question_key_and_answer_as_options():
    found = read_instances({"request_states": [helm_request()]})["id1"]
    assert (found.question, found.target, found.answer) == ("How many is 2 + 3?", "B", "A")
    by_reference = {"request_states": [helm_request(reference_index=0)]}
    assert read_instances(by_reference)["id1"].answer == ""


def test_the_cache_keeps_answers_and_questions(tmp_path):
    folder = tmp_path / "logs"
    lm_eval_run(folder, [multiple_choice(0, (-1.0, -2.0), 0, acc=1.0)], lm_eval_results())
    for path in folder.iterdir():
        os.utime(path, (1e9, 1e9))
    first = read_logs(folder, cache=tmp_path / "cache")
    second = read_logs(folder, cache=tmp_path / "cache")
    assert list((tmp_path / "cache").iterdir())
    assert answers_of(second.options()) == answers_of(first.options()) == [["0"]]
    assert second.items == first.items


def example():
    chosen = np.array([[0, 1], [-1, 0]], dtype=np.int32)
    return ChosenOptions(("m", "n"), ("p", "q"), ("A", "B"), chosen, ("A", "A"))


def test_chosen_options_survive_a_file_and_are_found_by_id(tmp_path):
    example().save(tmp_path / "r.options.npz")
    loaded = ChosenOptions.load(tmp_path / "r.options.npz")
    aligned = loaded.align(("n", "new"), ("q", "p", "other"))
    assert aligned.chosen.tolist() == [[0, -1, -1], [-1, -1, -1]]
    assert aligned.keys == ("A", "A", "")


def test_options_that_do_not_fit_are_refused(tmp_path):
    with pytest.raises(ResponsesError, match="must be of shape"):
        ChosenOptions(("m",), ("p", "q"), ("A",), np.zeros((2, 2), np.int32))
    with pytest.raises(ResponsesError, match="positions among the 1 options"):
        ChosenOptions(("m",), ("p",), ("A",), np.ones((1, 1), np.int32))
    np.savez(tmp_path / "other.npz", chosen=np.zeros(1))
    with pytest.raises(StorageError, match="Import the logs again"):
        ChosenOptions.load(tmp_path / "other.npz")

"""What models answered, beside whether it was right."""

import os

from tests.logs.examples import (
    inspect_log,
    inspect_sample,
    lm_eval_results,
    lm_eval_run,
    lm_eval_sample,
    write,
)

from itemcurve.logs.log_folder import read_logs


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

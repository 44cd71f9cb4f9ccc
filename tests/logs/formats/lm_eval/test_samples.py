"""Samples of lm-evaluation-harness, and the traps in them."""

import math

import pytest
from tests.logs.examples import (
    lm_eval_results,
    lm_eval_run,
    lm_eval_sample,
    write,
    write_lines,
)

from itemcurve.errors import ResponsesError
from itemcurve.logs.log_folder import read_logs


def read(folder):
    return read_logs(folder, cache=False)


def test_the_model_is_named_by_the_results_and_else_by_the_folder(tmp_path):
    samples = [lm_eval_sample(0, acc=1.0)]
    lm_eval_run(tmp_path / "one" / "some__model", samples, lm_eval_results("some/model"))
    lm_eval_run(tmp_path / "two" / "org__nameless", samples, None)
    assert read(tmp_path).respondents == ("some/model", "org__nameless")


def test_without_a_model_name_the_arguments_name_it(tmp_path):
    results = lm_eval_results("org/named")
    del results["model_name"]
    lm_eval_run(tmp_path / "x", [lm_eval_sample(0, acc=1.0)], results)
    assert read(tmp_path).respondents == ("org/named",)


def test_two_models_under_one_name_are_kept_apart_and_reported(tmp_path):
    for name, chance in (("strong", 0.9), ("weak", 0.3)):
        config = {"model": "toy", "model_args": {"p": chance}}
        results = lm_eval_results("i82qcls7", config=config)
        lm_eval_run(tmp_path / name / "i82qcls7", [lm_eval_sample(0, acc=1.0)], results)
    logs = read(tmp_path)
    assert logs.respondents == ("i82qcls7 [toy p=0.9]", "i82qcls7 [toy p=0.3]")
    assert [(c.kind, c.where) for c in logs.collisions] == [("respondent", "i82qcls7")]


def test_one_folder_name_in_two_places_without_results_is_no_one_model(tmp_path):
    for name in ("strong", "weak"):
        lm_eval_run(tmp_path / name / "i82qcls7", [lm_eval_sample(0, acc=1.0)], None)
    logs = read(tmp_path)
    assert logs.respondents == ("i82qcls7 [strong/i82qcls7]", "i82qcls7 [weak/i82qcls7]")
    assert len(logs.collisions) == 1


def test_one_model_with_different_shots_is_kept_apart(tmp_path):
    for shots, time in ((0, "2026-01-01T00-00-00"), (5, "2026-01-02T00-00-00")):
        results = lm_eval_results(**{"n-shot": {"toy": shots}, "date": float(shots)})
        lm_eval_run(tmp_path, [lm_eval_sample(0, acc=1.0)], results, time=time)
    logs = read(tmp_path)
    assert logs.respondents == ("org/model [0-shot]", "org/model [5-shot]")
    assert [c.kind for c in logs.collisions] == ["settings"]


def test_document_numbers_of_two_tasks_are_different_items(tmp_path):
    for task in ("one", "two"):
        lm_eval_run(tmp_path, [lm_eval_sample(0, acc=1.0)], lm_eval_results(), task=task)
    items = read(tmp_path).items
    assert [item.task for item in items] == ["one", "two"]
    assert len({item.name for item in items}) == 2
    assert len({item.content for item in items}) == 1


def test_a_document_that_moved_is_the_same_item(tmp_path):
    moved = lm_eval_sample(0, acc=1.0) | {"doc_id": 7}
    lm_eval_run(tmp_path / "a", [lm_eval_sample(0, acc=1.0)], lm_eval_results("a"))
    lm_eval_run(tmp_path / "b", [moved], lm_eval_results("b"))
    logs = read(tmp_path)
    assert len(logs.items) == 1
    assert logs.select(announce=False).shape == (2, 1)


def test_the_same_number_with_another_question_is_another_item_and_reported(tmp_path):
    lm_eval_run(tmp_path / "a", [lm_eval_sample(0, acc=1.0)], lm_eval_results("a"))
    changed = lm_eval_sample(0, question="Changed?", acc=0.0)
    lm_eval_run(tmp_path / "b", [changed], lm_eval_results("b"))
    logs = read(tmp_path)
    assert len(logs.items) == 2
    assert [c.kind for c in logs.collisions] == ["content"]


def test_one_question_under_two_numbers_stays_two_items_and_is_reported(tmp_path):
    twin = lm_eval_sample(0, acc=0.0) | {"doc_id": 5}
    lm_eval_run(tmp_path, [lm_eval_sample(0, acc=1.0), twin], lm_eval_results())
    logs = read(tmp_path)
    assert [item.name.partition("#")[2] for item in logs.items] == ["0", "5"]
    assert [c.kind for c in logs.collisions] == ["duplicate"]
    assert logs.select(announce=False).array().tolist() == [[1.0, 0.0]]


def test_filters_are_separate_measures_and_the_first_is_the_default(tmp_path, capsys):
    samples = [
        lm_eval_sample(k, name, exact_match=value)
        for name, value in (("strict-match", 0.0), ("flexible-extract", 1.0))
        for k in range(3)
    ]
    lm_eval_run(tmp_path, samples, lm_eval_results())
    logs = read(tmp_path)
    assert logs.select().array().tolist() == [[0.0, 0.0, 0.0]]
    assert "exact_match, filter strict-match" in capsys.readouterr().err
    assert logs.select(filter="flexible-extract").array().tolist() == [[1.0, 1.0, 1.0]]
    assert logs.rows.repeat.max() == 1


def test_older_files_without_filter_metrics_and_hash_agree_with_newer_ones(tmp_path):
    new = [lm_eval_sample(k, acc=1.0) for k in range(3)]
    dropped = ("filter", "metrics", "doc_hash", "prompt_hash", "target_hash")
    old = [{key: value for key, value in sample.items() if key not in dropped} for sample in new]
    lm_eval_run(tmp_path / "new", new, lm_eval_results("new"))
    lm_eval_run(tmp_path / "old", old, lm_eval_results("old"))
    logs = read(tmp_path)
    assert len(logs.items) == 3
    assert [entry.measure.metric for entry in logs.measures] == ["acc"]
    assert logs.select().array().tolist() == [[1.0] * 3] * 2


def test_a_list_of_samples_in_one_document_is_read(tmp_path):
    write(tmp_path / "m" / "samples_toy.json", [lm_eval_sample(k, acc=1.0) for k in range(3)])
    assert read(tmp_path).select().shape == (1, 3)


def test_pairs_of_a_perplexity_become_that_of_the_document(tmp_path):
    sample = lm_eval_sample(0, word_perplexity=[-6.0, 3], bits_per_byte=[-6.0, 3])
    direction = {"toy": {"word_perplexity": False, "bits_per_byte": False}}
    lm_eval_run(tmp_path, [sample], lm_eval_results(higher_is_better=direction))
    logs = read(tmp_path)
    values = dict(zip(logs.frame()["metric"], logs.frame()["value"], strict=True))
    assert values["word_perplexity"] == pytest.approx(math.exp(2))
    assert values["bits_per_byte"] == pytest.approx(2 / math.log(2))
    assert not logs.choose()[0].is_higher_better


def test_pairs_that_mean_nothing_for_one_document_are_not_scored(tmp_path):
    lm_eval_run(tmp_path, [lm_eval_sample(0, mcc=[1, 0], acc=1.0)], lm_eval_results())
    frame = read(tmp_path).frame().set_index("metric")
    assert frame.loc["mcc", "status"] == "unscored"
    assert math.isnan(frame.loc["mcc", "value"])
    assert frame.loc["acc", "value"] == 1


def test_lists_of_truths_are_tries_and_mappings_are_sub_scores(tmp_path):
    sample = lm_eval_sample(0, inst=[True, False, True], scores={"a": 0.25, "b": 1})
    lm_eval_run(tmp_path, [sample], lm_eval_results())
    logs = read(tmp_path)
    tries = logs.select(metric="inst", announce=False)
    assert tries.array()[0, 0] == pytest.approx(2 / 3)
    assert float(tries.weight().toarray()[0, 0]) == 3
    assert logs.select(metric="scores.a", announce=False).array().tolist() == [[0.25]]


def test_of_reruns_the_newest_wins_sample_by_sample(tmp_path):
    first = [lm_eval_sample(k, acc=0.0) for k in range(3)]
    lm_eval_run(tmp_path, first, lm_eval_results(date=1.0), time="2026-01-01T00-00-00")
    again = [lm_eval_sample(1, acc=1.0)]
    lm_eval_run(tmp_path, again, lm_eval_results(date=2.0), time="2026-01-02T00-00-00")
    logs = read(tmp_path)
    assert logs.select().array().tolist() == [[0.0, 1.0, 0.0]]
    assert logs.superseded == 1


def test_results_of_another_run_name_the_model_and_nothing_else(tmp_path):
    results = lm_eval_results("org/known", results={"toy": {"acc,none": 0.25}}, date=5e9)
    lm_eval_run(tmp_path, [lm_eval_sample(0, acc=1.0)], results, time="2026-01-01T00-00-00")
    lm_eval_run(tmp_path, [lm_eval_sample(0, acc=0.0)], None, time="2026-01-02T00-00-00")
    logs = read(tmp_path)
    assert logs.respondents == ("org/known",)
    reasons = [note.reason for note in logs.files if note.path.startswith("samples")]
    assert [bool(reason) for reason in reasons] == [True, False]


def test_tasks_of_different_direction_are_not_put_together(tmp_path):
    lm_eval_run(tmp_path, [lm_eval_sample(0, acc=1.0)], lm_eval_results(), task="one")
    worse = {"two": {"loss": False}}
    results = lm_eval_results("org/other", higher_is_better=worse)
    lm_eval_run(tmp_path / "b", [lm_eval_sample(0, loss=3.0)], results, task="two")
    logs = read(tmp_path)
    with pytest.raises(ResponsesError, match="one range and direction"):
        logs.select(announce=False)
    assert logs.select(task="two", announce=False).array().tolist() == [[3.0]]


def test_answers_written_as_text_are_no_metrics(tmp_path):
    sample = lm_eval_sample(0, acc=1.0)
    del sample["metrics"]
    lm_eval_run(tmp_path, [sample], lm_eval_results())
    assert [entry.measure.metric for entry in read(tmp_path).measures] == ["acc"]


def test_a_mean_that_its_results_contradict_is_reported(tmp_path):
    results = lm_eval_results(results={"toy": {"acc,none": 1.0}})
    lm_eval_run(tmp_path, [lm_eval_sample(k, acc=float(k)) for k in range(2)], results)
    assert "the harness reports 1, its samples give 0.5" in str(read(tmp_path).summary())


def test_lines_that_are_damaged_are_left_out_and_said(tmp_path):
    path = lm_eval_run(tmp_path, [lm_eval_sample(k, acc=1.0) for k in range(3)], lm_eval_results())
    text = path.read_text().splitlines()
    path.write_text("\n".join([text[0], text[1][:40], text[2][:-1]]))
    logs = read(tmp_path)
    note = next(note for note in logs.files if note.path.endswith("jsonl"))
    assert (note.status, logs.select().shape) == ("partial", (1, 1))
    assert note.reason.startswith("2 samples left out; line 2 left out")


def test_a_score_beyond_its_range_is_left_out(tmp_path):
    samples = [lm_eval_sample(0, acc=1.0), lm_eval_sample(1, acc=3.0)]
    lm_eval_run(tmp_path, samples, lm_eval_results())
    logs = read(tmp_path)
    assert logs.select().shape == (1, 1)
    assert any("its value 3 is not within 0 to 1" in note.reason for note in logs.files)


def test_the_file_is_recognised_whatever_it_is_called(tmp_path):
    write_lines(tmp_path / "renamed.txt", [lm_eval_sample(k, acc=1.0) for k in range(2)])
    assert read(tmp_path).select().shape == (1, 2)

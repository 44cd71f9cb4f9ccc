"""Items and the samples they are: kept in a file, told to a harness, found again in its log."""

import json

import pytest
from tests.logs.examples import (
    inspect_log,
    inspect_sample,
    lm_eval_results,
    lm_eval_run,
    lm_eval_sample,
    write,
)

from itemcurve.errors import ItemcurveError, ResponsesError, StorageError
from itemcurve.logs.harness.item_index import IndexedItem, ItemIndex, find_index
from itemcurve.logs.log_folder import read_logs


def entry(sample: str, task: str = "toy") -> IndexedItem:
    return IndexedItem(f"{task}/{sample}", task, sample, "0" * 32, "harness", "acc", "none")


def read(folder):
    return read_logs(folder, cache=False)


def test_an_index_survives_its_file_whatever_names_hold(tmp_path):
    index = ItemIndex((entry('a,"b"\' ü'), entry("2", "task, with comma")))
    index.save(tmp_path / "r.items.csv")
    assert ItemIndex.load(tmp_path / "r.items.csv") == index
    assert find_index(tmp_path) == index


@pytest.mark.parametrize("content", ["", "a,b\n1,2\n", "item,task\n\x00", b"\xff\xfe\x00"])
def test_a_file_that_is_no_index_is_refused(tmp_path, content):
    path = write(tmp_path / "r.items.csv", content)
    with pytest.raises(StorageError, match="Import the logs again"):
        ItemIndex.load(path)


def test_two_indices_in_one_place_must_be_told_apart(tmp_path):
    for name in ("a", "b"):
        ItemIndex((entry("1"),)).save(tmp_path / f"{name}.items.csv")
    with pytest.raises(ResponsesError, match=r"a\.items\.csv, b\.items\.csv"):
        find_index(tmp_path)


def test_documents_are_told_by_task_and_number():
    index = ItemIndex((entry("3"), entry("17"), entry("5", "other")))
    told = index.lm_eval_samples(["toy/17", "other/5", "toy/3"])
    assert json.loads(told) == {"toy": [3, 17], "other": [5]}


def test_samples_are_told_by_id_and_with_their_task_where_there_are_several():
    index = ItemIndex((entry("a"), entry("b"), entry("c", "other")))
    assert index.inspect_samples(["toy/b", "toy/a"]) == "b,a"
    assert index.inspect_samples(["toy/b", "other/c"]) == "toy:b,other:c"


@pytest.mark.parametrize("sample", ["a,b", "a*", "q?", "[1]"])
def test_ids_that_inspect_would_read_as_patterns_are_refused(sample):
    with pytest.raises(ResponsesError, match="without commas and wildcards"):
        ItemIndex((entry(sample),)).inspect_samples([f"toy/{sample}"])


def test_items_without_a_number_or_unknown_are_refused():
    with pytest.raises(ResponsesError, match="numbers its documents"):
        ItemIndex((entry("a"),)).lm_eval_samples(["toy/a"])
    with pytest.raises(ResponsesError, match="1 are not known"):
        ItemIndex().lm_eval_samples(["toy/a"])


def test_new_logs_are_scored_by_the_metric_of_the_old_ones(tmp_path):
    samples = [lm_eval_sample(k, acc=0.0, acc_norm=1.0) for k in range(2)]
    lm_eval_run(tmp_path / "old", samples, lm_eval_results("old"))
    lm_eval_run(tmp_path / "new", samples, lm_eval_results("new"))
    index = read(tmp_path / "old").index(metric="acc_norm")
    assert set(index.find_answers(read(tmp_path / "new")).responses.values()) == {1.0}


def test_rescaled_scores_stay_rescaled(tmp_path):
    direction = {"toy": {"em": False}}
    samples = [lm_eval_sample(0, em=0.25)]
    lm_eval_run(tmp_path, samples, lm_eval_results(higher_is_better=direction))
    logs = read(tmp_path)
    index = logs.index(rescale=True)
    index.save(tmp_path / "r.items.csv")
    found = ItemIndex.load(tmp_path / "r.items.csv").find_answers(logs)
    assert list(found.responses.values()) == [0.75]
    assert logs.select(rescale=True, announce=False).array().tolist() == [[0.75]]


def test_twins_are_found_again_by_their_number(tmp_path):
    twins = [lm_eval_sample(0, acc=1.0), lm_eval_sample(0, acc=0.0) | {"doc_id": 5}]
    lm_eval_run(tmp_path / "old", twins, lm_eval_results("old"))
    index = read(tmp_path / "old").index()
    lm_eval_run(tmp_path / "new", twins[1:], lm_eval_results("new"))
    found = index.find_answers(read(tmp_path / "new"))
    assert [(item.partition("#")[2], value) for item, value in found.responses.items()] == [
        ("5", 0)
    ]


def test_of_repeats_the_first_counts_and_failures_are_listed(tmp_path):
    scores = {"match": {"value": "C"}}
    samples = [
        inspect_sample("a", {"match": {"value": "I"}}, 2),
        inspect_sample("a", scores, 1),
        inspect_sample("b", scores),
    ]
    write(tmp_path / "old" / "a.json", inspect_log(samples))
    index = read(tmp_path / "old").index()
    samples[2] = inspect_sample("b", {}, error={"message": "lost"})
    write(tmp_path / "new" / "a.json", inspect_log(samples, model="new"))
    found = index.find_answers(read(tmp_path / "new"))
    names = [item.item for item in index.entries]
    assert found.responses == {names[0]: 1.0}
    assert (found.failed, found.repeated) == ((names[1],), 1)


def test_whose_answers_are_meant_must_be_clear(tmp_path):
    for name in ("a", "b"):
        lm_eval_run(tmp_path / name, [lm_eval_sample(0, acc=1.0)], lm_eval_results(name))
    logs = read(tmp_path)
    with pytest.raises(ItemcurveError, match="Name one of them"):
        logs.index().find_answers(logs)
    with pytest.raises(ItemcurveError, match="asked for is 'c', there are a, b"):
        logs.index().find_answers(logs, "c")
    assert logs.index().find_answers(logs, "b").responses


def test_respondents_can_be_renamed_and_joined(tmp_path):
    for name, number in (("a", 0), ("b", 1)):
        lm_eval_run(tmp_path / name, [lm_eval_sample(number, acc=1.0)], lm_eval_results(name))
    joined = read(tmp_path).rename({"a": "one", "b": "one"})
    assert joined.respondents == ("one",)
    assert joined.select().array().tolist() == [[1.0, 1.0]]


def test_a_list_from_before_questions_were_kept_is_read(tmp_path):
    index = ItemIndex((entry("1"),))
    index.save(tmp_path / "r.items.csv")
    rows = (tmp_path / "r.items.csv").read_text().splitlines()
    older = "".join(f"{row.rpartition(',')[0]}\n" for row in rows)
    (tmp_path / "old.items.csv").write_text(older)
    assert ItemIndex.load(tmp_path / "old.items.csv") == index

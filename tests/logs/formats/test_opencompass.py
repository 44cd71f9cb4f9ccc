"""Logs of OpenCompass, and the traps in them."""

import pytest
from tests.logs.examples import opencompass_detail, write

from itemcurve.logs.log_folder import read_logs


def read(folder, columns=None):
    return read_logs(folder, columns=columns, cache=False)


@pytest.mark.parametrize("key", ["correct", "is_correct", "cascade_correct"])
def test_opencompass_says_what_is_correct_under_several_names(tmp_path, key):
    details = [opencompass_detail("0", **{key: True}), opencompass_detail("1", **{key: False})]
    write(tmp_path / "results" / "m" / "toy.json", {"accuracy": 50.0, "details": details})
    logs = read(tmp_path)
    assert (logs.respondents, logs.tasks) == (("m",), ("toy",))
    assert logs.select().array().tolist() == [[1.0, 0.0]]
    assert logs.files[0].reason == ""


def test_opencompass_lists_of_truths_are_repeats(tmp_path):
    details = {"type": "GEN", "0": opencompass_detail("0", correct=[True, False, True, True])}
    write(tmp_path / "m" / "toy.json", {"accuracy": 75.0, "details": details})
    responses = read(tmp_path).select()
    assert responses.array().tolist() == [[0.75]]
    assert responses.weight().toarray().tolist() == [[4.0]]


def test_opencompass_totals_are_percentages(tmp_path):
    details = {"type": "PPL", "0": opencompass_detail("0", correct=True)}
    write(tmp_path / "m" / "toy.json", {"accuracy": 1.0, "details": details})
    assert "reports 0.01, its samples give 1" in read(tmp_path).files[0].reason


def test_opencompass_parts_of_a_large_set_are_one_task(tmp_path):
    for part in range(2):
        details = {"0": opencompass_detail(f"{part}", correct=bool(part))}
        write(tmp_path / "m" / f"big_{part}.json", {"accuracy": 0, "details": details})
    logs = read(tmp_path)
    assert logs.tasks == ("big",)
    assert sorted(item.sample for item in logs.items) == ["0:0", "1:0"]
    assert logs.select().shape == (1, 2)


def test_opencompass_predictions_are_no_scores(tmp_path):
    shown = {"0": {"origin_prompt": "q", "prediction": "B", "gold": "B"}}
    write(tmp_path / "predictions" / "m" / "toy.json", shown)
    options = {"0": {"label: A": {"prompt": "q", "PPL": 1.0}, "prediction": "A"}}
    write(tmp_path / "predictions" / "m" / "ppl.json", options)
    assert [note.status for note in read(tmp_path).files] == ["companion", "companion"]

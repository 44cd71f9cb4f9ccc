"""Logs of Inspect AI, and the traps in them."""

import json
import math
import sys
import zipfile

import pytest
from tests.logs.examples import inspect_archive, inspect_log, inspect_sample, write

from itemcurve.logs.log_folder import read_logs


def read(folder):
    return read_logs(folder, cache=False)


def scored(value, name="match"):
    return {name: {"value": value, "answer": "x", "explanation": "because"}}


def write_log(folder, samples, name="a.json", **changes):
    return write(folder / name, inspect_log(samples, **changes))


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, 93])
def test_archives_are_read_whatever_they_are_compressed_with(tmp_path, method):
    log = inspect_log([inspect_sample(k, scored("CI"[k % 2])) for k in range(4)])
    inspect_archive(tmp_path / "a.eval", log, method)
    assert read(tmp_path).select().array().tolist() == [[1.0, 0.0, 1.0, 0.0]]


def test_without_zstandard_the_reason_names_the_extra(tmp_path, monkeypatch):
    inspect_archive(tmp_path / "a.eval", inspect_log([inspect_sample("a", scored("C"))]))
    monkeypatch.setitem(sys.modules, "zstandard", None)
    note = read(tmp_path).files[0]
    assert note.status == "damaged"
    assert "pip install itemcurve[io]" in note.reason


def test_a_run_that_is_still_alive_is_read_from_its_journal(tmp_path):
    log = inspect_log([inspect_sample(k, scored("C")) for k in range(4)], status="started")
    inspect_archive(tmp_path / "a.eval", log, journal=True)
    logs = read(tmp_path)
    assert logs.select().shape == (1, 4)
    assert "status 'started'" in logs.files[0].reason


def test_an_archive_without_summaries_is_read_from_its_samples(tmp_path):
    log = inspect_log([])
    header = json.dumps({key: value for key, value in log.items() if key != "samples"})
    with zipfile.ZipFile(tmp_path / "a.eval", "w") as archive:
        archive.writestr("header.json", header)
        for k in range(3):
            content = json.dumps(inspect_sample(k, scored("C")))
            archive.writestr(f"samples/{k}_epoch_1.json", content)
    assert read(tmp_path).select().shape == (1, 3)


def test_archive_and_document_of_one_run_agree_on_items(tmp_path):
    samples = [inspect_sample(k, scored("C"), input="long " * 3000 + str(k)) for k in range(3)]
    # Summaries are cut after 5120 characters, as Inspect does.
    thin = [s | {"input": s["input"][:5120] + "...\n(content truncated)"} for s in samples]
    write_log(tmp_path, samples)
    inspect_archive(tmp_path / "b.eval", inspect_log(thin, model="org/other"))
    logs = read(tmp_path)
    assert len(logs.items) == 3
    assert logs.select().shape == (2, 3)


@pytest.mark.parametrize(
    ("value", "number"),
    [("C", 1), ("I", 0), ("P", 0.5), ("N", 0), (True, 1), (0.7, 0.7), ("0.7", 0.7), ("no", 0)],
)
def test_every_kind_of_value_becomes_its_number(tmp_path, value, number):
    write_log(tmp_path, [inspect_sample("a", scored(value))])
    assert read(tmp_path).select().array().tolist() == [[number]]


@pytest.mark.parametrize("value", [float("nan"), None, "maybe", float("inf")])
def test_what_is_not_scored_is_missing_and_not_wrong(tmp_path, value):
    write_log(tmp_path, [inspect_sample("a", scored(value)), inspect_sample("b", scored("C"))])
    logs = read(tmp_path)
    assert logs.frame()["status"].tolist() == ["unscored", "scored"]
    assert logs.select().shape == (1, 1)


def test_a_mapping_of_values_becomes_sub_scores_and_the_headline_is_the_default(tmp_path, capsys):
    value = {"fluency": 0.25, "correct": 1}
    headline = {"scorer": "graded", "score": "correct", "metric": "mean"}
    results = {"total_samples": 1, "scores": [], "headline": headline}
    write_log(tmp_path, [inspect_sample("a", scored(value, "graded"))], results=results)
    logs = read(tmp_path)
    assert logs.select().array().tolist() == [[1.0]]
    assert "graded.correct (also there: graded.fluency)" in capsys.readouterr().err
    assert logs.select(metric="graded.fluency").array().tolist() == [[0.25]]


def test_a_list_of_values_becomes_numbered_sub_scores(tmp_path):
    write_log(tmp_path, [inspect_sample("a", scored([0.5, "C"]))])
    metrics = [entry.measure.metric for entry in read(tmp_path).measures]
    assert metrics == ["match.0", "match.1"]


def test_several_scorers_are_several_metrics_and_the_first_of_the_results_is_the_default(tmp_path):
    scores = scored("I") | scored("C", "includes")
    listed = [{"name": "includes", "scorer": "includes", "metrics": {}}]
    results = {"total_samples": 1, "scores": listed}
    write_log(tmp_path, [inspect_sample("a", scores)], results=results)
    logs = read(tmp_path)
    assert logs.select(announce=False).array().tolist() == [[1.0]]
    assert logs.select(metric="match", announce=False).array().tolist() == [[0.0]]


def test_epochs_are_kept_as_k_of_n(tmp_path):
    values = {"a": "CCI", "b": "III"}
    samples = [
        inspect_sample(name, scored(letter), epoch)
        for name, letters in values.items()
        for epoch, letter in enumerate(letters, 1)
    ]
    write_log(tmp_path, samples)
    responses = read(tmp_path).select()
    assert responses.shape == (1, 2)
    assert responses.weight().toarray().tolist() == [[3.0, 3.0]]
    assert responses.accumulate(lambda values: values).toarray().tolist() == [[2.0, 0.0]]


def test_ids_may_be_numbers_or_text(tmp_path):
    write_log(tmp_path, [inspect_sample(1, scored("C")), inspect_sample("one", scored("C"))])
    assert [item.sample for item in read(tmp_path).items] == ["1", "one"]


def test_very_old_logs_have_a_single_score(tmp_path):
    sample = inspect_sample("a", None, score={"value": "C"})
    del sample["scores"]
    write_log(tmp_path, [sample])
    assert read(tmp_path).select().array().tolist() == [[1.0]]


def test_samples_that_failed_are_missing_and_counted(tmp_path):
    failed = inspect_sample("b", {}, error={"message": "Connection lost"})
    write_log(tmp_path, [inspect_sample("a", scored("C")), failed])
    logs = read(tmp_path)
    assert logs.summary().errors == {"arith": 1}
    assert logs.select().items == (logs.items[0].name,)


def test_a_rerun_that_failed_does_not_erase_an_earlier_score(tmp_path):
    write_log(tmp_path, [inspect_sample("a", scored("C"))])
    later = inspect_log([inspect_sample("a", {}, error={"message": "lost"})])
    later["eval"]["created"] = "2026-02-02T03:04:05+00:00"
    write(tmp_path / "b.json", later)
    logs = read(tmp_path)
    assert logs.select().array().tolist() == [[1.0]]
    assert logs.summary().errors == {}


def test_a_failed_run_without_results_is_listed_with_its_status(tmp_path):
    log = inspect_log([inspect_sample("a", {}, error={"message": "lost"})], status="error")
    del log["results"]
    write(tmp_path / "a.json", log)
    logs = read(tmp_path)
    assert logs.summary().errors == {"arith": 1}
    assert "status 'error'" in logs.files[0].reason


def test_cost_is_tokens_and_else_seconds(tmp_path):
    write_log(tmp_path / "a", [inspect_sample("a", scored("C"))])
    write_log(tmp_path / "b", [inspect_sample("b", scored("C"), model_usage={})])
    frame = read(tmp_path).frame()
    assert frame["cost"].tolist() == [15, 0.3]
    assert frame["cost_unit"].tolist() == ["tokens", "seconds"]


def test_an_invalidated_log_is_not_used(tmp_path):
    write_log(tmp_path, [inspect_sample("a", scored("C"))], invalidated=True)
    logs = read(tmp_path)
    assert (logs.respondents, logs.files[0].status) == ((), "damaged")
    assert "invalidated" in logs.files[0].reason


def test_one_model_at_two_addresses_is_two(tmp_path):
    for name in ("a", "b"):
        log = inspect_log([inspect_sample("x", scored("C"))])
        log["eval"]["model_base_url"] = f"http://{name}"
        write(tmp_path / f"{name}.json", log)
    logs = read(tmp_path)
    assert logs.respondents == ("org/model [http://a]", "org/model [http://b]")


def test_one_model_at_two_temperatures_is_kept_apart(tmp_path):
    for name, temperature in (("a", 0.0), ("b", 1.0)):
        log = inspect_log([inspect_sample("x", scored("C"))])
        config = {"temperature": temperature, "max_connections": 10}
        log["eval"]["model_generate_config"] = config
        write(tmp_path / f"{name}.json", log)
    logs = read(tmp_path)
    assert logs.respondents == ("org/model [temperature=0.0]", "org/model [temperature=1.0]")
    assert [c.kind for c in logs.collisions] == ["settings"]


def test_a_mean_over_epochs_agrees_with_the_harness(tmp_path):
    listed = [{"name": "match", "scorer": "match", "metrics": {"accuracy": {"value": 0.5}}}]
    samples = [inspect_sample("a", scored("CI"[k]), k + 1) for k in range(2)]
    write_log(tmp_path, samples, results={"total_samples": 2, "scores": listed})
    assert read(tmp_path).files[0].reason == ""
    assert math.isclose(read(tmp_path).summary().measures[0].mean, 0.5)

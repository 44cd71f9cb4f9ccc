"""`itemcurve import`: evaluation logs in, responses out."""

import json

import numpy as np
import pytest
from tests.logs.examples import (
    all_examples,
    lm_eval_results,
    lm_eval_run,
    lm_eval_sample,
    write,
)

from itemcurve.errors import StorageError
from itemcurve.responses.chosen_options import ChosenOptions
from itemcurve.responses.matrix import Responses


@pytest.fixture
def logs(tmp_path):
    """Two models on five questions, scored under two filters; one of the files is damaged."""
    for name, shift in (("one", 0), ("two", 1)):
        samples = [
            lm_eval_sample(k, filter_, exact_match=float((k + shift) % 2 and filter_ == "flexible"))
            for filter_ in ("strict", "flexible")
            for k in range(5)
        ]
        lm_eval_run(tmp_path / "logs" / name, samples, lm_eval_results(f"org/{name}"))
    write(tmp_path / "logs" / "broken.json", '{"eval": {"model"')
    return tmp_path / "logs"


def test_responses_and_their_items_are_written_and_the_choice_is_printed(command, logs, tmp_path):
    out = tmp_path / "new" / "responses.npz"
    outcome = command("import", logs, "--out", out, "--no-cache")
    assert (outcome.code, outcome.err) == (0, "")
    taken = "Taking toy: exact_match, filter flexible, 0 to 1; not exact_match, filter strict, "
    assert f"{taken}which is 0 for all models (also there: " in outcome.out
    assert "broken.json: damaged: not valid JSON" in outcome.out
    assert "2 respondents × 5 items" in outcome.out
    responses = Responses.read(out)
    assert responses.array().sum() == 5
    rows = (tmp_path / "new" / "responses.items.csv").read_text().splitlines()
    assert rows[0] == "item,task,sample,content,harness,metric,filter,rescaled,question"
    assert [row.split(",")[0] for row in rows[1:]] == list(responses.items)
    assert [row.split(",")[2] for row in rows[1:]] == ["0", "1", "2", "3", "4"]
    assert [row.split(",")[-1] for row in rows[1:]] == [f"What is {k}?" for k in range(5)]


def test_where_one_of_its_files_cannot_be_written_the_others_stay_as_they_were(
    command, logs, tmp_path, monkeypatch
):
    def fail(*given):
        raise StorageError("There must be room;", "the disk is full.")

    (tmp_path / "r.csv").write_text("respondent,q\nold,1\n")
    monkeypatch.setattr("itemcurve.logs.harness.item_index.write_bytes", fail)
    assert command("import", logs, "--out", tmp_path / "r.csv", "--no-cache").code == 2
    assert (tmp_path / "r.csv").read_text() == "respondent,q\nold,1\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["logs", "r.csv"]


def test_metric_filter_and_task_are_chosen_by_options(command, logs, tmp_path):
    out = tmp_path / "r.csv"
    outcome = command(
        "import", logs, "--out", out, "--filter", "flexible", "--task", "toy", "--no-cache"
    )
    assert outcome.code == 0
    assert sorted(np.nanmean(Responses.read(out).array(), axis=1)) == [0.4, 0.6]
    wrong = command("import", logs, "--out", out, "--metric", "bleu", "--no-cache")
    assert wrong.code == 2
    assert "there are exact_match, filter flexible, exact_match, filter strict" in wrong.err


def test_the_list_names_every_metric_and_every_file_with_a_problem(command, logs):
    out = command("import", logs, "--list", "--no-cache").out
    assert "  exact_match, strict" in out
    assert "* exact_match, flexible" in out
    assert "Respondents (2): org/one, org/two" in out
    assert "Files: 1 damaged, 2 companion, 2 read" in out


def test_json_says_the_same_for_machines(command, logs, tmp_path):
    out = tmp_path / "r.npz"
    found = json.loads(command("import", logs, "--out", out, "--json", "--no-cache").out)
    assert found["shape"] == {"respondents": 2, "items": 5}
    note = "not exact_match, filter strict, which is 0 for all models"
    chosen = {"task": "toy", "metric": "exact_match", "filter": "flexible", "note": note}
    assert found["chosen"] == [chosen]
    listed = json.loads(command("import", logs, "--list", "--json", "--no-cache").out)
    assert [entry["status"] for entry in listed["files"]].count("damaged") == 1
    assert [entry["is_default"] for entry in listed["measures"]] == [False, True]


def test_tables_of_ones_own_are_mapped_by_options(command, tmp_path):
    write(tmp_path / "mine" / "a.csv", "model,question,ok\nm1,q1,1\nm1,q2,0\nm2,q1,0\n")
    out = tmp_path / "r.csv"
    columns = ("--respondent-column", "model", "--item-column", "question", "--value-column", "ok")
    outcome = command("import", tmp_path / "mine", "--out", out, *columns, "--no-cache")
    assert outcome.code == 0
    assert Responses.read(out).n_observed == 3


def test_every_format_can_be_imported_together(command, tmp_path):
    all_examples(tmp_path / "logs")
    outcome = command("import", tmp_path / "logs", "--out", tmp_path / "r.npz", "--no-cache")
    assert outcome.code == 0
    assert Responses.read(tmp_path / "r.npz").n_observed > 20


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nowhere", "--list"), "there is no 'nowhere'"),
        ((".",), "Add --out responses.npz"),
        ((".", "--out", "r.doc"), "must end in .npz"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    command, tmp_path, monkeypatch, arguments, message
):
    monkeypatch.chdir(tmp_path)
    outcome = command("import", *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err
    assert outcome.err.count("\n") == 1


def test_a_folder_without_samples_says_so(command, tmp_path):
    (tmp_path / "logs").mkdir()
    outcome = command("import", tmp_path / "logs", "--out", tmp_path / "r.npz", "--no-cache")
    assert outcome.code == 2
    assert "there are no metrics" in outcome.err


def test_answers_of_a_former_import_do_not_stay(command, logs, tmp_path):
    out = tmp_path / "r.npz"
    former = ChosenOptions(("m",), ("i",), ("A",), np.zeros((1, 1), np.int32))
    former.save(tmp_path / "r.options.npz")
    write(tmp_path / "mine" / "a.csv", "model,question,ok\nm1,q1,1\nm1,q2,0\nm2,q1,0\n")
    columns = ("--respondent-column", "model", "--item-column", "question", "--value-column", "ok")
    assert ", answers to" not in command("import", tmp_path / "mine", "--out", out, *columns).out
    assert not (tmp_path / "r.options.npz").exists()

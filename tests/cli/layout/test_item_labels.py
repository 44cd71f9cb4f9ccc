"""Items from logs are shown by task, number and question; ids stay in JSON."""

import json
import shutil

import numpy as np
import pytest
from tests.logs.examples import lm_eval_results, lm_eval_run, lm_eval_sample

from itemcurve.cli.layout.terminal import percent, truncate
from itemcurve.responses.matrix import Responses

TASK = "toymmlu_high_school_european_history"


@pytest.fixture(scope="module")
def imported(tmp_path_factory):
    """Responses imported from logs of twelve models on twenty questions, one cell missing."""
    from itemcurve.cli.main import run

    folder = tmp_path_factory.mktemp("labels")
    drawn = np.random.default_rng(0).random((12, 20)) < np.linspace(0.2, 0.9, 12)[:, None]
    for model, row in enumerate(drawn.tolist()):
        samples = [
            lm_eval_sample(k, question=f"Who signed treaty {k}?", acc=float(right))
            for k, right in enumerate(row)
            if (model, k) != (3, 4)
        ]
        results = lm_eval_results(f"org/{model}")
        lm_eval_run(folder / "logs" / str(model), samples, results, TASK)
    out = folder / "data" / "responses.npz"
    assert run(["import", str(folder / "logs"), "--out", str(out), "--no-cache"]) == 0
    return out


def test_tables_show_task_number_and_question_wherever_the_run_is(command, imported, tmp_path):
    printed = command("fit", imported, "--out", tmp_path / "run", "--model", "rasch").out
    shown = [line for line in printed.splitlines() if line.startswith("toymmlu_h")]
    assert len(shown) == 10
    assert all("toymmlu_high_school… " in line and ": Who signed" in line for line in shown)
    shutil.move(tmp_path / "run", tmp_path / "moved")
    assert command("show", tmp_path / "moved").out in printed
    rows = json.loads(command("show", tmp_path / "moved", "--json").out)["items"]
    assert [row["item"] for row in rows] == list(Responses.read(imported).items)


def test_findings_name_items_by_their_questions(command, imported, tmp_path):
    command("fit", imported, "--out", tmp_path / "run", "--model", "rasch", "-q")
    values = Responses.read(imported).array()
    constant = np.flatnonzero(np.nanmean(values, axis=0) % 1 == 0)
    out = command("findings", tmp_path / "run").out
    assert all(f" {k}: Who signed treaty {k}?" in out for k in constant[:8])


def test_a_damaged_list_of_items_does_not_stop_a_fit(command, imported, tmp_path):
    shutil.copy(imported, tmp_path / "r.npz")
    (tmp_path / "r.items.csv").write_text("no list")
    outcome = command("fit", tmp_path / "r.npz", "--model", "rasch")
    assert (outcome.code, outcome.err) == (0, "")


def test_only_all_is_a_hundred_percent(command, imported):
    out = command("fit", imported, "--model", "rasch").out
    assert "12 respondents × 20 items, 99.6% observed" in out
    assert [percent(share) for share in (0.0, 0.005, 0.4, 5588 / 5600, 1.0)] == [
        *("0%", "0.5%", "40%", "99.8%", "100%")
    ]


def test_sentences_are_cut_at_their_end_by_what_a_terminal_shows():
    assert truncate("数学题目编号", 7) == "数学题…"
    assert truncate("short", 7) == "short"

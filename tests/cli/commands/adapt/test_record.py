"""From logs of earlier models to the score of a new one on 30 items, through a harness's own files.

The harness is played by a function that knows what the new model would answer: it takes the option
that was printed, and writes the log that the real one would.
"""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from tests.logs.examples import (
    inspect_archive,
    inspect_log,
    inspect_sample,
    lm_eval_results,
    lm_eval_run,
    lm_eval_sample,
)

from itemcurve.datasets.simulation import simulate

MODELS, ITEMS, ASKED, BATCH = 14, 300, 30, 10


@dataclass(frozen=True)
class Harness:
    """One harness: how it is told what to run, and how it logs."""

    format: str

    def log(self, folder: Path, model: str, answers: dict[int, float], time: int) -> None:
        if self.format == "lm-eval":
            samples = [lm_eval_sample(k, acc=value) for k, value in answers.items()]
            stamp = f"2026-01-02T03-04-{time:02d}.000001"
            lm_eval_run(
                folder / model, samples, lm_eval_results(model, date=float(time)), time=stamp
            )
            return
        samples = [
            inspect_sample(f"q{k}", {"match": {"value": "C" if value else "I"}})
            for k, value in answers.items()
        ]
        log = inspect_log(samples, "toy", model)
        log["eval"]["created"] = f"2026-01-02T03:04:{time:02d}+00:00"
        inspect_archive(folder / f"{model}-{time}.eval", log)

    def parse(self, option: str) -> list[int]:
        if self.format == "lm-eval":
            wanted = json.loads(option)
            assert list(wanted) == ["toy"]
            return wanted["toy"]
        return [int(name.removeprefix("q")) for name in option.strip().split(",")]


@pytest.fixture(scope="module")
def answers() -> np.ndarray:
    """What every model answers to every item; those after the first 14 are new."""
    drawn = simulate("2pl", respondents=MODELS + 6, items=ITEMS, seed=3)
    return drawn.responses.array()


@pytest.fixture(scope="module", params=["lm-eval", "inspect"])
def calibrated(request, answers, tmp_path_factory) -> tuple[Harness, Path]:
    """A folder with logs of 14 models, the responses imported from them and the run fitted."""
    from itemcurve.cli.main import run

    folder = tmp_path_factory.mktemp(request.param)
    harness = Harness(request.param)
    for model in range(MODELS):
        harness.log(folder / "logs", f"model-{model:02d}", dict(enumerate(answers[model])), 1)
    out = folder / "responses.npz"
    assert run(["import", str(folder / "logs"), "--out", str(out), "--no-cache"]) == 0
    assert run(["fit", str(out), "--model", "2pl", "--out", str(folder / "run"), "-q"]) == 0
    return harness, folder


def test_thirty_items_predict_the_full_score_of_new_models(calibrated, answers, command, tmp_path):
    harness, folder = calibrated
    covered = 0
    for new in range(MODELS, MODELS + 6):
        session = folder / f"session-{new}.json"
        options = ("--bank", folder / "run", "--max-items", ASKED)
        assert command("adapt", "start", session, *options).code == 0
        for turn in range(ASKED // BATCH):
            told = command("adapt", "next", session, "--batch", BATCH, "--format", harness.format)
            assert told.code == 0, told.err
            wanted = harness.parse(told.out)
            assert len(wanted) == BATCH
            logs = tmp_path / f"new-{new}"
            harness.log(logs, "new", {k: answers[new][k] for k in wanted}, turn)
            assert command("adapt", "record", session, logs).code == 0
        over = command("adapt", "next", session, "--format", harness.format)
        assert (over.out, "The test is over" in over.err) == ("", True)
        shown = json.loads(command("adapt", "show", session, "--json").out)
        assert shown["answered"] == ASKED
        # Named by the log, as nobody said who is tested.
        assert shown["respondent"] == "new"
        covered += shown["score_lower"] <= answers[new].mean() <= shown["score_upper"]
    # Six 90 % intervals: fewer than four right ones would come about once in a hundred times.
    assert covered >= 4


@pytest.fixture
def begun(calibrated, command, tmp_path):
    """A session with one batch handed out, and its numbers for the harness."""
    harness, folder = calibrated
    session = tmp_path / "session.json"
    options = ("--bank", folder / "run", "--max-items", ASKED)
    command("adapt", "start", session, *options)
    index = ("--items", folder / "responses.items.csv")
    out = command("adapt", "next", session, "--batch", 5, "--format", harness.format, *index).out
    return harness, session, index, harness.parse(out)


def test_samples_that_are_missing_or_were_not_asked_for_are_said(begun, answers, command, tmp_path):
    harness, session, index, wanted = begun
    other = next(k for k in range(ITEMS) if k not in wanted)
    given = {k: answers[MODELS][k] for k in [*wanted[:3], other]}
    harness.log(tmp_path / "new", "new", given, 1)
    outcome = command("adapt", "record", session, tmp_path / "new", *index, "--json")
    shown = json.loads(outcome.out)
    assert (shown["answered"], len(shown["pending"])) == (3, 2)
    assert "2 samples handed out are not in the logs: they stay open." in outcome.err
    assert "1 samples were not handed out: left out." in outcome.err


def test_recording_the_same_logs_twice_changes_nothing(begun, answers, command, tmp_path):
    harness, session, index, wanted = begun
    harness.log(tmp_path / "new", "new", {k: answers[MODELS][k] for k in wanted}, 1)
    first = command("adapt", "record", session, tmp_path / "new", *index, "--json").out
    second = command("adapt", "record", session, tmp_path / "new", *index, "--json").out
    assert first == second


def test_logs_of_several_models_need_a_name(begun, answers, command, tmp_path):
    harness, session, index, wanted = begun
    for model in ("new", "other"):
        harness.log(tmp_path / "new", model, {k: answers[MODELS][k] for k in wanted}, 1)
    refused = command("adapt", "record", session, tmp_path / "new", *index)
    assert (refused.code, "Name one of them (--model)" in refused.err) == (2, True)
    chosen = command(
        "adapt", "record", session, tmp_path / "new", *index, "--model", "new", "--json"
    )
    assert json.loads(chosen.out)["answered"] == 5


def test_a_question_that_changed_since_is_not_recorded(calibrated, command, tmp_path):
    harness, folder = calibrated
    if harness.format != "lm-eval":
        pytest.skip("shown with one harness")
    session = tmp_path / "session.json"
    index = ("--items", folder / "responses.items.csv")
    command("adapt", "start", session, "--bank", folder / "run")
    told = command("adapt", "next", session, "--batch", 2, "--format", "lm-eval", *index).out
    first, second = harness.parse(told)
    samples = [lm_eval_sample(first, question="Changed?", acc=1.0), lm_eval_sample(second, acc=1.0)]
    lm_eval_run(tmp_path / "new" / "m", samples, lm_eval_results("new"))
    outcome = command("adapt", "record", session, tmp_path / "new", *index, "--json")
    assert json.loads(outcome.out)["answered"] == 1
    assert "1 samples ask something else" in outcome.err


def test_without_a_list_of_items_the_harness_cannot_be_told(calibrated, command, tmp_path):
    _, folder = calibrated
    session = tmp_path / "session.json"
    (tmp_path / "run").mkdir()
    command("adapt", "start", session, "--bank", folder / "run")
    missing = tmp_path / "missing.items.csv"
    outcome = command("adapt", "next", session, "--format", "lm-eval", "--items", missing)
    assert outcome.code == 2
    assert "Import the logs again" in outcome.err
    assert json.loads(command("adapt", "show", session, "--json").out)["pending"] == []


def test_who_is_tested_keeps_the_name_that_was_given(calibrated, answers, command, tmp_path):
    harness, folder = calibrated
    session = tmp_path / "session.json"
    index = ("--items", folder / "responses.items.csv")
    options = ("--bank", folder / "run", "--respondent", "mine")
    command("adapt", "start", session, *options)
    told = command("adapt", "next", session, "--format", harness.format, *index).out
    given = {k: answers[MODELS][k] for k in harness.parse(told)}
    harness.log(tmp_path / "new", "new", given, 1)
    outcome = command("adapt", "record", session, tmp_path / "new", *index, "--json")
    assert json.loads(outcome.out)["respondent"] == "mine"

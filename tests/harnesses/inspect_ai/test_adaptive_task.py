"""Adaptive tests in the real Inspect, with its mock model."""

import gc
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.errors import MissingExtraError, ModelError, ResponsesError
from itemcurve.inspect import adaptive, stop_early

pytest.importorskip("inspect_ai", reason="inspect_ai is not installed")
# Its dependencies warn about one another.
pytestmark = pytest.mark.filterwarnings("ignore")

from inspect_ai import eval as evaluate  # noqa: E402
from inspect_ai import eval_retry  # noqa: E402
from tests.harnesses.inspect_ai.arithmetic import BANK, IS_RIGHT, arithmetic, noted  # noqa: E402

SCRIPT = Path(__file__).with_name("arithmetic.py")


@pytest.fixture(autouse=True)
def _streams_are_closed():
    """What Inspect leaves open is collected here, not in somebody else's test."""
    yield
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        gc.collect()


def run(task, folder, **settings):
    given = {"model": "mockllm/model", "log_dir": str(folder), "display": "none"}
    (log,) = evaluate(task, **given, **settings)
    return log


def told(test):
    return {answer.item: answer.response for answer in test.answers}


def truth(items):
    return {item: float(IS_RIGHT[int(item[1:])]) for item in items}


@pytest.mark.parametrize("settings", [{}, {"rolling": True}, {"batch": 1}])
def test_a_run_ends_by_the_rule_and_its_log_is_read_back(tmp_path, settings):
    test, asked = ic.AdaptiveTest(BANK, stop=ic.stopping.ability_se(0.25)), []
    log = run(adaptive(arithmetic(asked), test, **settings), tmp_path)
    assert log.status == "success"
    assert test.stop_reason == "standard error of ability at most 0.25"
    assert sorted(asked) == sorted(told(test))
    assert told(test) == truth(asked)
    logs = ic.read_logs(tmp_path, cache=False)
    found = logs.index().find_answers(logs)
    names = {entry.item: entry.sample for entry in logs.index().entries}
    assert {names[item]: value for item, value in found.responses.items()} == told(test)


def test_batches_of_32_take_at_most_a_tenth_more_items(tmp_path):
    counts = {}
    for batch in (1, 32):
        test = ic.AdaptiveTest(BANK, stop=ic.stopping.ability_se(0.2))
        run(adaptive(arithmetic([]), test, batch=batch), tmp_path)
        counts[batch] = len(test.answers)
    assert counts[32] <= 1.1 * counts[1]


def test_items_are_known_by_content_when_the_bank_comes_from_logs(tmp_path):
    run(arithmetic([]), tmp_path)
    logs = ic.read_logs(tmp_path, cache=False)
    names = {entry.sample: entry.item for entry in logs.index().entries}
    bank = ic.Bank.from_parameters(
        "1pl", items=[names[item] for item in BANK.items], difficulty=np.zeros(len(BANK))
    )
    for index in (None, logs.index()):
        test, asked = ic.AdaptiveTest(bank, stop=ic.stopping.max_items(5)), []
        run(adaptive(arithmetic(asked), test, index=index), tmp_path / "second")
        assert {names[sample] for sample in asked} == set(told(test))


@pytest.mark.slow
def test_a_run_that_is_killed_twice_asks_every_item_once(tmp_path):
    for ends_at, code in ((5, 9), (7, 9), (-1, 0)):
        done = subprocess.run([sys.executable, SCRIPT, tmp_path, str(ends_at)], check=False)
        assert done.returncode == code
    asked = (tmp_path / "asked.txt").read_text().split()
    test = ic.AdaptiveTest.load(tmp_path / "session.jsonl")
    assert test.is_finished
    assert len(asked) == len(set(asked)) > 12
    assert sorted(asked) == sorted(told(test))
    whole = tmp_path / "whole"
    whole.mkdir()
    subprocess.run([sys.executable, SCRIPT, whole, "-1"], check=True)
    assert told(ic.AdaptiveTest.load(whole / "session.jsonl")) == told(test)


def test_a_failed_run_is_retried_by_inspect_without_asking_twice(tmp_path):
    arguments = {"folder": str(tmp_path), "fails_at": 11, "session": False}
    log = run(noted(**arguments), tmp_path / "logs", max_samples=1)
    assert log.status == "error"
    asked = (tmp_path / "asked.txt").read_text().split()
    assert len(asked) == 11
    # The second attempt asks fewer than it takes to fail again.
    (again,) = eval_retry(log, log_dir=str(tmp_path / "logs"), display="none")
    asked = (tmp_path / "asked.txt").read_text().split()
    assert len(asked) == len(set(asked)) > 11
    assert {sample.id for sample in again.samples} >= set(asked[:11])


def test_failed_samples_are_no_answers_and_wait_for_the_next_run(tmp_path):
    session = tmp_path / "session.jsonl"
    rule = ic.stopping.any_of(ic.stopping.ability_se(0.3), ic.stopping.max_items(60))
    task = arithmetic([], fails_at=3, fail_on_error=False)
    log = run(adaptive(task, BANK, rule, session=session), tmp_path, max_samples=1)
    assert log.status == "success"
    test = ic.AdaptiveTest.load(session)
    assert test.pending
    assert told(test) == truth(told(test))
    asked = []
    run(adaptive(arithmetic(asked), BANK, rule, session=session), tmp_path)
    assert not set(asked) & set(told(test))
    assert ic.AdaptiveTest.load(session).is_finished


@pytest.mark.parametrize(("repeats", "allowed"), [("first", {0.0, 1.0}), ("mean", {0.0, 1.0})])
def test_epochs_of_an_item_make_one_answer(tmp_path, repeats, allowed):
    test, asked = ic.AdaptiveTest(BANK, stop=ic.stopping.max_items(10)), []
    run(adaptive(arithmetic(asked, epochs=3), test, repeats=repeats), tmp_path)
    assert len(test.answers) == 10
    assert len(asked) == 30
    assert set(told(test).values()) <= allowed


def test_costs_turn_the_choice_to_cheap_items(tmp_path):
    costs = {item: 1.0 if k % 2 else 1000.0 for k, item in enumerate(BANK.items)}
    asked = []
    rule = ic.stopping.max_items(20)
    run(adaptive(arithmetic(asked), BANK, rule, costs=costs), tmp_path)
    assert all(int(item[1:]) % 2 for item in asked)


def test_a_limit_of_inspect_ends_the_run_and_the_session_goes_on(tmp_path):
    session, rule = tmp_path / "session.jsonl", ic.stopping.max_items(20)
    run(adaptive(arithmetic([]), BANK, rule, session=session), tmp_path, limit=6)
    assert len(ic.AdaptiveTest.load(session).answers) == 6
    asked = []
    run(adaptive(arithmetic(asked), BANK, rule, session=session), tmp_path)
    assert len(asked) == 14
    assert ic.AdaptiveTest.load(session).is_finished


def test_tests_for_the_score_run_too(tmp_path):
    truth = ic.simulate("2pl", respondents=30, items=len(BANK), seed=1).responses
    known = ic.Responses.from_array(truth.array(), items=list(BANK.items))
    test, asked = ic.ScoreTest(known, n_items=30), []
    run(adaptive(arithmetic(asked), test), tmp_path)
    assert len(asked) == 30
    assert test.is_finished
    assert test.is_chosen is not None


def test_early_stopping_ends_a_run_in_the_order_of_the_task(tmp_path):
    test, asked = ic.AdaptiveTest(BANK, stop=ic.stopping.ability_se(0.3)), []
    task = arithmetic(asked, early_stopping=stop_early(test))
    log = run(task, tmp_path, max_samples=1)
    assert asked == list(BANK.items[: len(asked)])
    assert told(test) == truth(asked)
    assert test.is_finished
    summary = log.results.early_stopping
    assert summary.manager == "itemcurve"
    assert len(summary.early_stops) == len(BANK) - len(asked)
    assert summary.metadata["stop_reason"] == test.stop_reason


def test_early_stopping_goes_with_a_limit(tmp_path):
    test = ic.AdaptiveTest(BANK, stop=ic.stopping.ability_se(0.3))
    log = run(arithmetic([], early_stopping=stop_early(test)), tmp_path, limit=5)
    assert log.status == "success"
    assert len(test.answers) == 5


def test_one_task_is_for_one_model(tmp_path):
    task = adaptive(arithmetic([]), BANK, ic.stopping.max_items(8))
    models = ["mockllm/one", "mockllm/two"]
    logs = evaluate(task, model=models, log_dir=str(tmp_path), display="none")
    errors = [log.error.message for log in logs if log.error]
    assert len(errors) == 1
    assert "is for one model" in errors[0]


def test_a_registered_task_runs_by_its_name(tmp_path):
    import tomllib

    place = Path(__file__).parents[3] / "pyproject.toml"
    points = tomllib.loads(place.read_text("utf-8"))["project"]["entry-points"]["inspect_ai"]
    from importlib.metadata import EntryPoint

    from inspect_ai import task
    from inspect_ai.util import registry_info

    made = EntryPoint("itemcurve", points["itemcurve"], "inspect_ai").load()
    assert registry_info(made).name == "itemcurve/adaptive"
    asked = []

    @task
    def sums():
        return arithmetic(asked)

    truth = ic.simulate("2pl", respondents=60, items=len(BANK), seed=1).responses
    fit = ic.fit(ic.Responses.from_array(truth.array(), items=list(BANK.items)), "1pl")
    fit.save(tmp_path / "run")
    log = run(made("sums", str(tmp_path / "run"), most=6), tmp_path / "logs")
    assert len(asked) == 6
    # Under its own name, so that its items are those of the logs of the whole task.
    assert log.eval.task == "arithmetic"


def test_what_cannot_be_used_is_refused():
    task = arithmetic([])
    rule = ic.stopping.max_items(3)
    with pytest.raises(ModelError, match="1 sample or more"):
        adaptive(task, BANK, rule, batch=0)
    with pytest.raises(ModelError, match="fixed data set"):
        adaptive(arithmetic, BANK, rule)
    with pytest.raises(ModelError, match="has its rules already"):
        adaptive(task, ic.AdaptiveTest(BANK), rule)
    with pytest.raises(ModelError, match="first counts, or their mean"):
        adaptive(task, BANK, rule, repeats="last")
    other = ic.Bank.from_parameters("1pl", items=["a", "b"], difficulty=[0.0, 1.0])
    with pytest.raises(ResponsesError, match="must be a sample of the task"):
        adaptive(task, other, rule)
    stopped = arithmetic([], early_stopping=stop_early(BANK, rule))
    with pytest.raises(ModelError, match="early stopping"):
        adaptive(stopped, BANK, rule)


def test_without_inspect_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "inspect_ai", None)
    with pytest.raises(MissingExtraError, match=r"itemcurve\[inspect\]"):
        adaptive(object(), BANK)

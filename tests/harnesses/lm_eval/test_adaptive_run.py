"""Tests run by a harness that answers as recorded: lm-evaluation-harness is not needed."""

import contextlib

import pytest
from tests.harnesses.lm_eval.examples import ANSWERS, line, make_calibration, make_index

import itemcurve as ic
from itemcurve.errors import ModelError, ResponsesError
from itemcurve.harnesses.kept_test import saver
from itemcurve.harnesses.lm_eval.adaptive_run import find_scores, run_test, tasks_of


class Recorded:
    """A harness that notes what it is asked, and breaks down at the n-th run."""

    def __init__(self, breaks_at=None):
        self.asked, self.runs, self.breaks_at = [], 0, breaks_at

    def run(self, samples):
        if self.runs == self.breaks_at:
            raise KeyboardInterrupt
        self.runs += 1
        self.asked += [number for numbers in samples.values() for number in numbers]
        return {task: [line(number) for number in numbers] for task, numbers in samples.items()}


def told(test):
    return {int(answer.item.partition("/")[2]): answer.response for answer in test.answers}


def test_a_score_takes_two_stages_in_batches():
    test, harness, sizes = ic.ScoreTest(make_calibration(), n_items=50), Recorded(), []
    run_test(test, harness, make_index(), report=lambda now: sizes.append(len(now.answers)))
    assert sizes == [30, 50]
    assert told(test) == {k: float(ANSWERS[k] == "lol") for k in harness.asked}
    assert test.is_chosen is not None


def test_an_ability_ends_by_its_rule():
    fit = ic.fit(make_calibration(), "1pl")
    test, harness = ic.AdaptiveTest(fit.bank, stop=ic.stopping.ability_se(0.4)), Recorded()
    run_test(test, harness, make_index())
    assert test.stop_reason == "standard error of ability at most 0.4"
    assert harness.runs < len(harness.asked) / 2


def test_a_run_that_breaks_down_twice_asks_every_document_once(tmp_path):
    path, asked = tmp_path / "session.jsonl", []
    test = ic.ScoreTest(make_calibration(), n_items=50)
    for breaks_at in (1, 2, None):
        harness = Recorded(breaks_at)
        with contextlib.suppress(KeyboardInterrupt):
            run_test(test, harness, make_index(), batch=8, save=saver(path))
        asked += harness.asked
        test = ic.ScoreTest.load(path)
    assert len(asked) == len(set(asked)) == 50
    whole = ic.ScoreTest(make_calibration(), n_items=50)
    run_test(whole, Recorded(), make_index(), batch=8)
    assert told(whole) == told(test)


def test_documents_are_known_by_content_not_by_number():
    wanted = make_index().entries[3:5]
    lines = {"sums": [line(3) | {"doc_id": 4}, line(4) | {"doc_id": 3}]}
    expected = {f"sums/{k}": float(ANSWERS[k] == "lol") for k in (3, 4)}
    assert find_scores(lines, wanted) == expected


def test_another_version_of_a_task_is_refused():
    class Changed(Recorded):
        def run(self, samples):
            return {"sums": [line(k) | {"doc_hash": "0" * 64} for k in samples["sums"]]}

    test = ic.ScoreTest(make_calibration(), n_items=10)
    with pytest.raises(ResponsesError, match="have other content or no such score"):
        run_test(test, Changed(), make_index())
    assert not test.answers


def test_tasks_that_lack_items_are_refused():
    test = ic.ScoreTest(make_calibration(), n_items=10)
    assert tasks_of(test, make_index(), []) == ["sums"]
    with pytest.raises(ModelError, match="sums is not among other"):
        tasks_of(test, make_index(), ["other"])

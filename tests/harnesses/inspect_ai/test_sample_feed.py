"""A test that feeds samples, called as Inspect calls it; Inspect itself is not needed."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.errors import ResponsesError
from itemcurve.harnesses.inspect_ai.sample_answers import EpochAnswers, response_of
from itemcurve.harnesses.inspect_ai.sample_feed import SampleFeed

BANK = ic.Bank.from_parameters("1pl", items=[f"q{k}" for k in range(40)], difficulty=np.zeros(40))


@dataclass
class Sample:
    id: str
    epoch: int = 1
    error: Any = None
    scores: dict[str, Any] = field(default_factory=lambda: {"match": "C"})


def feed(count=12, **settings):
    test = ic.AdaptiveTest(BANK, stop=ic.stopping.max_items(count))
    samples = {item: Sample(item) for item in BANK.items}
    given = {"answers": EpochAnswers(1, "first"), "batch": 8} | settings
    return SampleFeed(test=test, samples=samples, **given)


def complete(source, sample, **changes):
    return asyncio.run(source.sample_complete(Sample(sample.id, **changes)))


def follow(source):
    return asyncio.run(source.next_samples())


def test_batches_follow_one_another_until_the_rule_ends_them():
    source, asked = feed(), []
    batch = source.initial_samples()
    while batch:
        assert [complete(source, sample) for sample in batch] == [None] * len(batch)
        asked += [sample.id for sample in batch]
        batch = follow(source)
    assert len(asked) == len(set(asked)) == 12
    assert source.test.is_finished


def test_a_sample_that_is_replayed_counts_once():
    source = feed()
    first = source.initial_samples()[0]
    complete(source, first)
    complete(source, first, scores={"match": "I"})
    assert [(a.item, a.response) for a in source.test.answers] == [(first.id, 1.0)]


def test_rolling_keeps_as_many_in_flight():
    source = feed(is_rolling=True, batch=4)
    flying = source.initial_samples()
    assert len(flying) == 4
    (new,) = complete(source, flying[0])
    assert new.id not in {sample.id for sample in flying}


def test_failed_and_cancelled_samples_are_set_aside_and_others_asked():
    source = feed()
    batch = source.initial_samples()
    complete(source, batch[0], error="broken")
    complete(source, batch[1], scores={"match": float("nan")})
    asyncio.run(source.sample_abandoned(batch[2], 1))
    complete(source, batch[3])
    assert source.set_aside == {sample.id for sample in batch[:3]}
    following = follow(source)
    assert following
    assert not {s.id for s in following} & {s.id for s in batch}


def test_a_test_of_two_models_is_refused():
    names = iter(["one", "two"])
    source = feed(model_now=lambda: next(names))
    batch = source.initial_samples()
    complete(source, batch[0])
    with pytest.raises(ResponsesError, match="Both one and two"):
        complete(source, batch[1])


def test_a_run_goes_on_with_what_was_handed_out(tmp_path):
    path = tmp_path / "session.jsonl"
    first = feed(session=path)
    batch = first.initial_samples()
    complete(first, batch[0])
    again = feed(session=path)
    again.test = ic.AdaptiveTest.load(path)
    assert [s.id for s in again.initial_samples()][:3] == [s.id for s in batch[1:]]


def test_epochs_wait_for_the_last_one():
    answers = EpochAnswers(3, "mean")
    assert answers.add("a", 2, 1.0) is None
    assert answers.add("a", 1, 0.0) is None
    assert answers.add("a", 3, 0.5) == 0.5
    assert EpochAnswers(1, "first").add("a", 1, 1.0) == 1.0
    with pytest.raises(ResponsesError, match="epochs at the task"):
        EpochAnswers(1, "mean").add("a", 2, 1.0)


def test_the_metric_that_counts_is_named():
    scores = {"match": "C", "parts": {"style": 0.5, "tone": 0.25}}
    assert response_of(scores, None) == 1.0
    assert response_of(scores, "parts.tone") == 0.25
    with pytest.raises(ResponsesError, match=r"match, parts\.style, parts\.tone"):
        response_of(scores, "other")
    assert np.isnan(response_of(None, "match"))

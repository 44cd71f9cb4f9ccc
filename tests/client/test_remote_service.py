"""The client against a real service: what it gives is what the interface says."""

import gc
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import itemcurve as ic
from itemcurve.client import Service, ServiceProblemError

ROOT = Path(__file__).parents[2]


@pytest.fixture
def bank():
    return ic.Bank.from_parameters(
        "2pl", discrimination=1.4, difficulty=[k / 15 - 1 for k in range(30)]
    )


@pytest.fixture
def service(running):
    return Service(running.url, patience=5.0)


def test_a_test_is_run_to_its_end(service, bank):
    held = service.add_bank(bank, "thirty items")
    assert service.banks() == [held]
    assert (held.mark, held.items) == (bank.mark, 30)
    session = service.begin(held.mark, respondent="new model", stop={"max_items": 6}, at_once=2)
    test = ic.AdaptiveTest(bank, stop=ic.stopping.max_items(6))
    while session.items:
        assert list(session.items) == test.next_batch(2)
        item = session.items[0]
        test.record(item, 1.0)
        session.answer({item: 1.0})
    assert session.state.is_finished
    assert session.state.ability == pytest.approx(test.ability)
    state = session.finish()
    assert state.score.value == pytest.approx(test.score.value)
    assert [a["item"] for a in session.record()["answers"]] == [a.item for a in test.answers]
    assert service.session(session.id).state.answers == 6


def test_a_score_is_predicted_from_few_items(service, tmp_path):
    drawn = ic.simulate("2pl", respondents=41, items=120, seed=6).responses
    known, new = drawn.take(rows=list(range(40))), drawn.array()[40]
    held = service.add_calibration(known, "forty models")
    assert service.calibrations() == [held]
    truth = dict(zip(drawn.items, new, strict=True))
    session = service.begin_score(held.mark, max_items=40, respondent="new", at_once=8)
    test = ic.ScoreTest(known, 40)
    while session.items:
        assert list(session.items) == test.next_batch(8)
        item = session.items[0]
        test.record(item, truth[item])
        session.answer({item: truth[item]})
    state = session.finish()
    assert (state.question, state.answers) == ("score", 40)
    assert state.score.value == pytest.approx(test.score.value, abs=1e-9)
    assert state.score.lower < new.mean() < state.score.upper


def test_items_are_given_back_and_put_away(service, bank):
    session = service.begin(service.add_bank(bank).mark, at_once=3)
    first = session.items
    session.release(first[:1])
    assert session.items == first[1:]
    session.answer(missing=first[1:2])
    assert first[1] not in session.items
    session.release()
    assert session.items == ()
    assert len(session.next()) == 3
    assert session.refresh(score=True).score is not None


def test_a_file_is_fitted_there(service, tmp_path):
    ic.simulate("1pl", respondents=40, items=8, seed=2).responses.save(tmp_path / "y.csv")
    job = service.wait(service.fit(service.upload(tmp_path / "y.csv"), "1pl"), seconds=60)
    assert job.status == "done", job
    assert service.job(job.id) == service.job(job) == job
    run = service.run(job.run)
    assert (run["model"], run["items"]) == ("1pl", 8)
    assert len(service.table(job.run)["respondent"]) == 40
    assert service.begin(run["bank"]).items
    bank, calibration = service.take_from_run(job.run)
    assert bank.mark == run["bank"]
    assert service.begin_score(calibration.mark, max_items=4).items


def test_problems_have_their_names(service, running):
    with pytest.raises(ServiceProblemError, match="There is no such bank") as caught:
        service.begin("0" * 64)
    assert (caught.value.status, caught.value.kind) == (404, "no-such-bank")
    with pytest.raises(ServiceProblemError) as caught:
        Service(running.url, "itc_0_wrong").banks()
    assert caught.value.kind == "unknown-caller"
    with pytest.raises(ServiceProblemError) as caught:
        Service("http://127.0.0.1:9", patience=0.1).health()
    assert caught.value.kind == "unreachable"
    with pytest.raises(ServiceProblemError):
        Service("ftp://127.0.0.1")


def test_every_path_and_field_of_the_client_is_in_the_interface():
    described = json.loads((ROOT / "docs" / "api" / "openapi.json").read_text("utf-8"))
    state = described["components"]["schemas"]["SessionState"]["properties"]
    from itemcurve.client.replies import _OWN, Job

    assert set(_OWN) <= set(state)
    fields = set(described["components"]["schemas"]["JobOut"]["properties"])
    assert set(Job.__dataclass_fields__) == fields


def test_the_client_needs_nothing_but_the_standard_library():
    code = (
        "import sys, itemcurve.client; "
        "print(sorted({'numpy', 'pandas', 'fastapi', 'pydantic', 'scipy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_example_of_the_guide_runs_as_it_is(running, bank):
    text = (ROOT / "docs" / "service.md").read_text("utf-8")
    (example,) = re.findall(r"```python\n(# A harness.*?)```", text, re.DOTALL)
    assert len(example.strip().splitlines()) <= 20
    Service(running.url).add_bank(bank)
    given: dict = {}
    exec(example.replace("http://127.0.0.1:8765", running.url), given)
    assert given["state"].answers == 20


def test_connections_close_without_a_word_in_a_circle_of_garbage(running):
    """Warnings are errors here, those of sockets that nobody closed too."""
    circle = {"service": Service(running.url)}
    circle["itself"] = circle
    circle["service"].health()
    del circle
    gc.collect()

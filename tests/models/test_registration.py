"""Models from outside the catalogue: saved by name, read where they are registered."""

import json
import subprocess
import sys
from dataclasses import dataclass, replace

import numpy as np
import pytest
from tests.models.two_tries import TWO_TRIES, Twice, TwoTries

import itemcurve as ic
from itemcurve.cli.main import run
from itemcurve.errors import ModelError, StorageError
from itemcurve.models.catalogue import REGISTERED, get_model
from itemcurve.storage.run_folder import read_run, update_run


@pytest.fixture(autouse=True)
def _forget():
    known = dict(REGISTERED)
    REGISTERED.clear()
    yield
    REGISTERED.clear()
    REGISTERED.update(known)


@pytest.fixture(scope="module")
def responses():
    truth = ic.simulate(TWO_TRIES, respondents=80, items=8, seed=4)
    assert set(np.unique(truth.responses.array())) == {0, 1, 2}
    return truth.responses


METHODS = ["marginal", ic.Marginal(over="items"), "joint", "variational"]


@pytest.mark.parametrize("method", METHODS)
def test_a_registered_model_is_fitted_by_name_saved_and_read(method, responses, tmp_path):
    ic.register_model(TWO_TRIES)
    fit = ic.fit(responses, "two-tries", method=method, discrimination="positive")
    fit.save(tmp_path / "run")
    again = ic.load(tmp_path / "run")
    assert again.estimates.model == fit.estimates.model
    assert isinstance(again.estimates.model.family, Twice)
    np.testing.assert_array_equal(again.estimates.values, fit.estimates.values)
    assert again.items.equals(fit.items)


def test_a_report_of_it_is_the_same_a_second_time(responses, tmp_path):
    ic.register_model(TWO_TRIES)
    ic.fit(responses, "two-tries").save(tmp_path / "run")
    pages = [ic.report(tmp_path / "run", tmp_path / "page.html").read_bytes() for _ in range(2)]
    assert b"two-tries" in pages[0]
    assert pages[0] == pages[1]


def test_a_model_that_is_not_registered_is_not_saved(responses, tmp_path):
    fit = ic.fit(responses, TWO_TRIES)
    with pytest.raises(StorageError, match=r"registered; the TwoTries 'two-tries' is neither\. Ca"):
        fit.save(tmp_path / "run")
    assert list(tmp_path.iterdir()) == []


def test_a_model_with_the_name_of_another_is_not_saved_as_that(responses, tmp_path):
    fit = ic.fit(responses, replace(TWO_TRIES, name="2pl"))
    with pytest.raises(StorageError, match="the TwoTries '2pl' is neither"):
        fit.save(tmp_path / "run")


@pytest.mark.parametrize("is_registered", [True, False])
def test_another_process_reads_the_fit_when_it_registers_the_model(
    is_registered, responses, tmp_path
):
    ic.register_model(TWO_TRIES)
    fit = ic.fit(responses, "two-tries")
    fit.save(tmp_path / "run")
    ic.AdaptiveTest(fit.bank).save(tmp_path / "session.json")
    registration = "from tests.models.two_tries import TWO_TRIES; ic.register_model(TWO_TRIES)"
    code = f"""
import sys
import itemcurve as ic
{registration if is_registered else ""}
try:
    print(ic.load(sys.argv[1]).log_likelihood)
    print(ic.AdaptiveTest.load(sys.argv[2]).next_item())
finally:
    assert {is_registered} or not any("two_tries" in name for name in sys.modules)
"""
    done = subprocess.run(
        [sys.executable, "-c", code, tmp_path / "run", tmp_path / "session.json"],
        capture_output=True,
        text=True,
        check=False,
    )
    if is_registered:
        wanted = fit.log_likelihood, ic.AdaptiveTest(fit.bank).next_item()
        assert done.stdout.split() == [str(value) for value in wanted]
    else:
        assert "nor registered here. Import that model and call" in done.stderr


@pytest.mark.parametrize("words", [("show",), ("report",), ("findings",)])
def test_commands_say_that_they_do_not_know_the_model(words, responses, tmp_path, capsys):
    ic.register_model(TWO_TRIES)
    ic.fit(responses, "two-tries").save(tmp_path / "run")
    REGISTERED.clear()
    assert run([*words, str(tmp_path / "run")]) == 2
    assert "catalogue or registered" in capsys.readouterr().err


@pytest.mark.parametrize("changes", [{"tries": 10**9}, {"tries": True}, {"form": "other"}])
def test_options_from_a_file_must_be_those_of_the_registered_model(changes, responses, tmp_path):
    ic.register_model(TWO_TRIES)
    ic.fit(responses, "two-tries").save(tmp_path / "run")
    document = read_run(tmp_path / "run").document("fit")
    document["model"]["options"] |= changes
    update_run(tmp_path / "run", {"fit": json.loads(json.dumps(document))}, {})
    with pytest.raises(StorageError, match="no form of two-tries has these options"):
        ic.load(tmp_path / "run")


def test_registering_again_is_no_error_but_names_are_not_taken_twice():
    ic.register_model(TWO_TRIES)
    ic.register_model(replace(TWO_TRIES))
    assert get_model("two-tries") == TWO_TRIES
    for other in (
        replace(TWO_TRIES, tries=3),
        replace(get_model("rasch"), name="two-tries"),
        replace(TWO_TRIES, name="2pl"),
    ):
        with pytest.raises(ModelError, match="A name stands for one model"):
            ic.register_model(other)
    assert get_model("two-tries") == TWO_TRIES


@pytest.mark.parametrize("name", ["Two", "", "a b", "../x", "x" * 41])
def test_strange_names_are_refused(name):
    with pytest.raises(ModelError, match="small letters"):
        ic.register_model(replace(TWO_TRIES, name=name))


@dataclass(frozen=True)
class WithObject(TwoTries):
    """An option that no file can hold."""

    extra: object = None


@dataclass
class Changing:
    """Not frozen, and far from a model."""

    name: str = "changing"


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (TwoTries, "frozen dataclass"),
        (Changing(), "has no family"),
        ("two-tries", "frozen dataclass"),
        (
            WithObject("with-object", TWO_TRIES.parameters, extra=object()),
            "does not: A document must be made",
        ),
    ],
)
def test_what_could_not_be_saved_is_not_registered(model, message):
    with pytest.raises(ModelError, match=message):
        ic.register_model(model)
    assert REGISTERED == {}

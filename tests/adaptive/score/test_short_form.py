"""Short forms on disk, and what a test will cost."""

import json

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.errors import ModelError, ResponsesError, StorageError
from itemcurve.storage.json_documents import pack_signed


@pytest.fixture(scope="module")
def truth():
    return ic.simulate("2pl", respondents=60, items=150, seed=8).responses


@pytest.fixture(scope="module")
def known(truth):
    return truth.take(rows=list(range(45)))


@pytest.fixture(scope="module")
def form(known):
    return ic.make_short_form(known, ic.choose_items(known, 24))


def test_a_short_form_predicts_as_its_calibration_does(truth, known, form, tmp_path):
    choice = ic.choose_items(known, 24)
    new = truth.take(rows=list(range(45, 60))).select(items=choice.items)
    expected = ic.predict_scores(known, new, choice=choice).frame()
    form.save(tmp_path / "short.json")
    found = ic.ShortForm.load(tmp_path / "short.json").predict(new).frame()
    for name in ("score", "score_lower", "score_upper", "outside_calibration"):
        assert found[name].to_numpy() == pytest.approx(expected[name].to_numpy())
    assert len(known.respondents[0]) > 3
    # Names of calibrated models, and their answers, stay at home.
    assert known.respondents[0] not in (tmp_path / "short.json").read_text()


def test_answers_to_other_items_are_left_out_and_named(truth, known, form):
    new = truth.take(rows=[len(known.respondents)])
    found = form.predict(new)
    assert set(found.left_out) == set(new.items) - set(form.items)
    own = form.predict(new.select(items=list(form.items)))
    assert own.left_out == ()
    assert own.score == pytest.approx(found.score)


def test_a_short_form_with_gaps_is_used_through_the_calibration(truth, known, form):
    new = truth.take(rows=[50]).select(items=form.items[1:])
    with pytest.raises(ResponsesError, match="all of its items"):
        form.predict(new)
    found = ic.predict_scores(known, new, choice=form.as_choice(known.items))
    assert abs(found.score[0] - truth.means(axis=1)[50]) < 0.15


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d.update(format="x"),
        lambda d: d["predictor"].update(error=-1.0),
        lambda d: d["predictor"]["rule"].update(coefficients=[1.0]),
        lambda d: d["predictor"]["item_side"].update(projection=[1.0]),
        lambda d: d.update(limits=[1.0, 0.0]),
        lambda d: d.update(chances=[0.5]),
    ],
)
def test_a_changed_short_form_is_refused(form, tmp_path, change):
    path = tmp_path / "short.json"
    form.save(path)
    document = json.loads(path.read_text())
    del document["checksum"]
    change(document)
    path.write_bytes(pack_signed(document, "the short form"))
    with pytest.raises(StorageError, match="short form"):
        ic.ShortForm.load(path)


def test_more_items_are_expected_to_tell_more(known):
    costs = dict.fromkeys(known.items, 20.0)
    plan = ic.plan_precision(known, sizes=[10, 40, 100], costs=costs, cost_unit="tokens")
    table = plan.frame()
    assert table["items"].tolist() == [10, 40, 100]
    assert (np.diff(table["half_width"]) < 0).all()
    assert (table["half_width"] < table["half_width_of_mean"])[:2].all()
    assert table["cost"].tolist() == [200, 800, 2000]
    assert plan.items_within(1000) == 50
    assert plan.items_for(float(plan.inside[1])) == 40
    assert plan.items_for(1e-6) is None
    with pytest.raises(ModelError, match="needs costs"):
        ic.plan_precision(known, sizes=[10]).items_within(5)


def test_what_is_expected_comes_true(truth, known):
    plan = ic.plan_precision(known, sizes=[30])
    errors = []
    for row in range(45, 60):
        answers = dict(zip(truth.items, truth.array()[row], strict=True))
        test = ic.ScoreTest(known, 30, seed=row)
        while items := test.next_batch(6):
            test.record_many({item: answers[item] for item in items})
        errors.append(test.score.value - truth.means(axis=1)[row])
    assert np.sqrt(np.mean(np.square(errors))) * 1.645 < 2 * plan.inside[0]


def test_repeats_lower_only_what_one_item_varies_by(known):
    rng = np.random.default_rng(3)
    chance = np.clip(known.array() * 0.6 + 0.2, 0, 1)
    repeats = ic.Responses.from_array(
        rng.binomial(4, chance) / 4, items=known.items, weights=np.full(chance.shape, 4.0)
    )
    plan = ic.plan_precision(repeats, sizes=[10, 20, 40, 80])
    table = plan.repeats_frame(80)
    assert plan.one_item > 0.1
    assert table["repeats"].tolist() == [1, 2, 4, 8]
    # For the same number of answers, more items win.
    assert (table["half_width"].iloc[1:] > table["half_width"].iloc[0]).all()

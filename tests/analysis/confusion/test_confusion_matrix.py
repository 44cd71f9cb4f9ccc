import numpy as np
import pandas as pd
import pytest

import itemcurve as ic
from itemcurve.analysis.confusion.malformed_items import add_rows
from itemcurve.analysis.items.item_direction import judge_directions
from itemcurve.errors import EvaluationError, ResponsesError


@pytest.fixture(scope="module")
def fitted():
    return ic.fit(ic.simulate("2pl", respondents=200, items=40, seed=2).responses, "2pl")


@pytest.fixture(scope="module")
def labels():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 40)
    return y, {"good": y ^ (rng.random(40) < 0.1), "bad": y ^ (rng.random(40) < 0.4)}


def test_cells_hold_what_scikit_learn_counts(fitted, labels):
    from sklearn.metrics import confusion_matrix

    y, named = labels
    table = ic.confusion(fitted, y, named).frame().set_index(["respondent", "cell"])["items"]
    for name, predicted in named.items():
        tn, fp, fn, tp = confusion_matrix(y, predicted).ravel()
        assert [table[name, cell] for cell in ("TP", "FP", "FN", "TN")] == [tp, fp, fn, tn]


def test_responses_that_are_no_answers_are_refused(labels):
    drawn = ic.simulate("2pl", respondents=30, items=40, seed=2).responses.array()
    shares = ic.fit(ic.Responses.from_array(0.1 + 0.8 * drawn), "fractional-1pl")
    with pytest.raises(EvaluationError, match="no answers"):
        ic.confusion(shares, *labels)


def test_columns_are_means_over_the_items_of_a_cell(fitted, labels):
    y, named = labels
    view = ic.confusion(fitted, y, named)
    row = view.frame().iloc[0]
    members = view.members("good", "TP")
    items = fitted.items.set_index("item").loc[list(members)]
    assert row["discrimination"] == pytest.approx(items["discrimination"].mean())
    assert row["difficulty"] == pytest.approx(items["difficulty"].mean())
    assert row["negative_share"] == (items["discrimination"] < 0).mean()
    ability = view.scores.abilities.ability[:1]
    inside = [fitted.bank.items.index(name) for name in members]
    assert row["information"] == pytest.approx(fitted.information(ability)[0, inside].mean())
    assert row["total_score"] == pytest.approx(fitted.expected_response(ability)[0, inside].mean())


def test_cells_add_up_to_the_total_score(fitted, labels):
    view = ic.confusion(fitted, *labels)
    table = view.frame()
    sums = (table["items"] * table["total_score"].fillna(0)).groupby(table["respondent"]).sum()
    np.testing.assert_allclose(
        [sums[name] for name in view.respondents], 40 * view.scores.total_score
    )


def test_the_order_of_items_does_not_matter_when_they_are_named(fitted, labels):
    y, named = labels
    order = np.random.default_rng(1).permutation(40)
    items = [fitted.bank.items[i] for i in order]
    shuffled = ic.confusion(fitted, y[order], {k: v[order] for k, v in named.items()}, items=items)
    pd.testing.assert_frame_equal(shuffled.frame(), ic.confusion(fitted, y, named).frame())


def test_the_positive_class_can_be_chosen(fitted, labels):
    y, named = labels
    words = np.where(y == 1, "ill", "well")
    predicted = np.where(named["good"] == 1, "ill", "well")
    first = ic.confusion(fitted, y, named["good"]).frame()["items"].tolist()
    chosen = ic.confusion(fitted, words, predicted, positive="ill").frame()["items"].tolist()
    other = ic.confusion(fitted, words, predicted).frame()["items"].tolist()
    assert chosen == first
    assert other == first[::-1]


@pytest.mark.parametrize(("classes", "cells"), [(3, 9), (4, 16), (5, 10)])
def test_many_classes_are_folded_into_hits_and_errors(fitted, classes, cells):
    rng = np.random.default_rng(3)
    y, predicted = rng.integers(0, classes, 40), rng.integers(0, classes, 40)
    view = ic.confusion(fitted, y, predicted)
    table = view.frame()
    assert len(table) == cells
    assert table["items"].sum() == 40
    if classes == 5:
        assert view.cell_names[:2] == ("hits of 0", "errors of 0")
        assert table["items"][1] == ((y == 0) & (predicted != 0)).sum()


def test_labels_of_wrong_number_and_unknown_items_are_refused(fitted, labels):
    y, named = labels
    with pytest.raises(EvaluationError, match="one label per item, 40"):
        ic.confusion(fitted, y, named["good"][:30])
    with pytest.raises(ResponsesError, match="in the bank"):
        ic.confusion(fitted, y, named, items=[f"other {i}" for i in range(40)])
    with pytest.raises(EvaluationError, match="at least two classes"):
        ic.confusion(fitted, [1] * 40, [1] * 40)


def test_filtered_metrics_leave_malformed_items_out():
    truth = ic.simulate("2pl", respondents=300, items=30, seed=4)
    y = truth.responses.array()
    y[:, :6] = 1 - y[:, :6]
    fitted = ic.fit(ic.Responses.from_array(y), "2pl")
    labels = np.arange(30) % 2
    view = ic.confusion(fitted, labels, labels ^ (np.arange(30) < 6))
    found = ic.metrics.filter_metrics(view)
    assert (found.kept, found.left_out) == (24, 6)
    assert found.on_all["accuracy"][0] == pytest.approx(0.8)
    assert found.on_well_formed["accuracy"][0] == 1.0
    assert set(found.frame()["metric"]) == set(found.on_all)
    assert ic.recommend(view).well_formed_misses.tolist() == [0]


@pytest.fixture(scope="module")
def turned():
    """Thirty items of which six run the wrong way, and one that nobody hits."""
    y = ic.simulate("2pl", respondents=300, items=31, seed=4).responses.array()
    y[:, :6] = 1 - y[:, :6]
    y[:, 30] = 0
    fitted = ic.fit(ic.Responses.from_array(y), "2pl")
    labels = np.arange(31) % 2
    return ic.confusion(fitted, labels, {"a": labels ^ (np.arange(31) < 6), "b": labels})


def test_metrics_without_malformed_items_carry_their_caveat(turned, fitted, labels):
    found = ic.metrics.filter_metrics(turned)
    count = int(turned.is_malformed.sum())
    assert found.caveat.startswith(f"without {count} of 31 items")
    assert "flatters" in found.caveat
    assert set(found.frame()["caveat"]) == {found.caveat}
    assert set(found.table(well_formed=True)["caveat"]) == {found.caveat}
    assert "caveat" not in found.table()
    plain = ic.metrics.filter_metrics(ic.confusion(fitted, *labels))
    assert (plain.caveat == "") == (plain.left_out == 0)


def test_malformed_items_are_listed_with_row_label_and_evidence(turned):
    table = turned.malformed_items()
    assert table["item"].tolist() == [turned.bank.items[row - 1] for row in table["row"]]
    sure = table[table["p_value"] < 0.05]
    assert set(sure["row"]) == {1, 2, 3, 4, 5, 6}
    assert sure["given"].tolist() == [str((row - 1) % 2) for row in sure["row"]]
    assert (sure["hit_by"] == 1).all()
    assert table["p_value"].dropna().is_monotonic_increasing


def test_an_item_that_nobody_hits_tells_nothing_of_its_direction(turned):
    responses = ic.Responses.from_array(np.array([[1, 0, 1], [1, 0, 0], [0, 0, 1], [1, 0, 1.0]]))
    everything = np.ones(3, dtype=bool)
    found = judge_directions(responses, responses.items, everything)
    assert np.isnan(found[1])
    assert np.isfinite(found[[0, 2]]).all()
    assert np.isnan(judge_directions(responses, responses.items, ~everything)).all()


def test_directions_have_the_p_values_of_a_rank_sum_test():
    from scipy.stats import mannwhitneyu

    y = ic.simulate("2pl", respondents=60, items=12, seed=1).responses.array()
    y[3, 5] = np.nan
    responses = ic.Responses.from_array(y)
    wanted = np.arange(12) == 4
    rest = np.nanmean(np.delete(y, 4, axis=1), axis=1)
    expected = mannwhitneyu(rest[y[:, 4] == 1], rest[y[:, 4] == 0], alternative="less").pvalue
    found = judge_directions(responses, responses.items, wanted)
    assert found[4] == pytest.approx(expected)
    assert np.isnan(found[~wanted]).all()


def test_rows_are_found_by_name_by_number_and_by_order(turned):
    listed = turned.malformed_items()
    names = list(turned.bank.items)
    table = pd.DataFrame({"size": np.arange(31.0), "given": np.where(turned.y_true, "up", "down")})
    by_order = add_rows(listed, turned, table)
    assert (by_order["size"] == by_order["row"] - 1).all()
    assert (by_order["data_given"] == np.where(by_order["given"] == "1", "up", "down")).all()
    shuffled = table.assign(id=names).sample(frac=1, random_state=0)
    by_name = add_rows(listed, turned, shuffled)
    assert by_name["size"].tolist() == by_order["size"].tolist()
    with pytest.raises(EvaluationError, match="another order"):
        add_rows(listed, turned, table.sample(frac=1, random_state=0))
    with pytest.raises(EvaluationError, match="31 items"):
        add_rows(listed, turned, table.head(20))


def test_rows_named_by_evaluate_are_found_by_their_number():
    y = ic.simulate("2pl", respondents=50, items=5, seed=0).responses.array()
    y[:, 0] = 1 - y[:, 0]
    items = [f"row_{n}" for n in (9, 2, 4, 7, 5)]
    fitted = ic.fit(ic.Responses.from_array(y, items=items), "2pl")
    labels = np.array([0, 1, 0, 1, 1])
    view = ic.confusion(fitted, labels, labels)
    table = pd.DataFrame({"target": [9, 1, 9, 0, 1, 9, 1, 9, 0], "size": range(1, 10)})
    found = add_rows(view.malformed_items(), view, table)
    assert (found["size"] == found["item"].str.removeprefix("row_").astype(int)).all()
    assert len(found)


def test_a_model_without_guessing_has_no_column_of_it(fitted, labels):
    assert "guessing" not in ic.confusion(fitted, *labels).frame()
    responses = ic.simulate("3pl", respondents=100, items=20, seed=0).responses
    y = np.arange(20) % 2
    assert "guessing" in ic.confusion(ic.fit(responses, "3pl"), y, y).frame()


def test_equal_metrics_share_the_best_rank(fitted, labels):
    y, named = labels
    found = ic.metrics.filter_metrics(ic.confusion(fitted, y, {**named, "twin": named["good"]}))
    table = found.frame()
    accuracy = table[table["metric"] == "accuracy"].set_index("respondent")["rank_all"]
    assert accuracy.to_dict() == {"good": 1, "twin": 1, "bad": 3}


def test_items_every_classifier_hits_are_listed_when_malformed():
    truth = ic.simulate("2pl", respondents=300, items=20, seed=5)
    y = truth.responses.array()
    y[:, 0] = 1 - y[:, 0]
    fitted = ic.fit(ic.Responses.from_array(y), "2pl")
    labels = np.arange(20) % 2
    view = ic.confusion(fitted, labels, {"a": labels, "b": labels ^ (np.arange(20) == 7)})
    assert view.agreed_items()["item"].tolist() == [fitted.bank.items[0]]


def test_a_recommendation_names_only_those_tied_with_the_most_accurate(fitted):
    y = np.arange(40) % 2
    named = {"best": y ^ (np.arange(40) < 3), "worst": 1 - y, "close": y ^ (np.arange(40) > 36)}
    found = ic.recommend(ic.confusion(fitted, y, named))
    assert set(found.respondents) == {"best", "close"}
    assert len(found.sentences) == 2
    assert any("is tied with" in sentence for sentence in found.sentences)


def test_sentences_speak_of_malformed_items_only_where_there_are_some(turned, fitted):
    assert "of its hits are on malformed items" in ic.recommend(turned).sentences[0]
    y = np.arange(40) % 2
    view = ic.confusion(fitted, y, y ^ (np.arange(40) < 4))
    assert not view.is_malformed.any()
    assert "it hits 36 of 40 items, none of which is malformed" in ic.recommend(view).sentences[0]


def test_item_summaries_compare_classes(fitted):
    labels = np.where(fitted.items["difficulty"] > 0, "hard", "easy")
    summary = ic.summarise_items(fitted, labels)
    table = summary.frame()
    assert summary.p_values["difficulty"] < 1e-5
    assert set(table["class"]) == {"all", "easy", "hard"}
    with pytest.raises(EvaluationError, match="one label per item"):
        ic.summarise_items(fitted, ["a"])

"""Tables with a target column, as they come."""

import numpy as np
import pandas
import pytest

import itemcurve as ic
from itemcurve.errors import EvaluationError
from itemcurve.evaluation.pools.named_pools import choose_pool
from itemcurve.evaluation.tables.labelled_table import evaluate_table
from itemcurve.evaluation.tables.table_columns import sort_columns
from itemcurve.evaluation.tables.table_files import read_table


@pytest.fixture
def mixed():
    rng = np.random.default_rng(0)
    n = 120
    x = rng.normal(size=n)
    return pandas.DataFrame(
        {
            "customer": [f"c{i:04d}" for i in rng.permutation(n)],
            "number": np.arange(n),
            "size": np.where(rng.random(n) < 0.1, np.nan, x),
            "colour": np.where(rng.random(n) < 0.1, None, np.where(x > 0, "red", "blue")),
            "city": [f"town {int(v)}" for v in 30 * rng.random(n)],
            "since": pandas.Timestamp("2024-01-01")
            + pandas.to_timedelta(rng.integers(900, size=n), "D"),
            "same": 1.0,
            "nothing": np.nan,
            "label": np.where(x + 0.3 * rng.normal(size=n) > 0, "yes", "no"),
        }
    )


SMALL = ic.pools.random_pool(8)


def test_columns_are_told_apart(mixed):
    found = sort_columns(mixed.drop(columns="label"))
    assert found.numbers == ("size",)
    assert found.few == ("colour",)
    assert found.many == ("city",)
    assert found.dates == ("since",)
    assert [name for name, _ in found.left_out] == ["customer", "number", "same", "nothing"]


def test_a_whole_number_that_is_no_name_stays():
    rng = np.random.default_rng(0)
    table = pandas.DataFrame(
        {
            "price": rng.permutation(100_000)[:200],
            "user_id": rng.permutation(100_000)[:200],
            "age": rng.integers(20, 80, size=200),
            "valid": rng.random(200) > 0.5,
        }
    )
    found = sort_columns(table)
    assert found.numbers == ("price", "age", "valid")
    assert found.left_out == (("user_id", "it numbers the rows"),)


def test_a_table_with_words_gaps_dates_and_names_is_evaluated(mixed):
    mixed.loc[[3, 4], "label"] = None
    evaluation = evaluate_table(mixed, "label", pool=SMALL, response="correct")
    assert not evaluation.failures
    assert evaluation.responses.shape == (8, 36)
    assert set(evaluation.responses.items) <= set(mixed["customer"])
    said = "\n".join(evaluation.notes)
    assert "2 rows without a 'label' are left out." in said
    assert "Items are named after column 'customer'." in said
    assert "'nothing' is left out: it has no value in the rows to train on." in said
    # The label can be learnt from `size` and `colour`: preparation kept what matters.
    assert evaluation.leaderboard().metrics["accuracy"].max() > 0.8


def test_gaps_and_categories_that_training_never_saw_are_no_obstacle(mixed):
    mixed.loc[0:80, "colour"] = "red"
    evaluation = evaluate_table(mixed, "label", pool=SMALL, response="correct", cv=2)
    assert not evaluation.failures
    assert evaluation.responses.shape == (8, 120)


@pytest.mark.parametrize(
    ("values", "task"),
    [
        (["a", "b"] * 30, "classification"),
        ([True, False] * 30, "classification"),
        ([1, 2, 3] * 20, "classification"),
        ([1.0, 2.0, 3.0] * 20, "classification"),
        (np.arange(60) * 7, "regression"),
        (np.linspace(0, 1, 60), "regression"),
    ],
)
def test_the_target_says_what_the_task_is(values, task):
    rng = np.random.default_rng(0)
    table = pandas.DataFrame({"x": rng.normal(size=60), "w": rng.normal(size=60), "y": values})
    pool = choose_pool("standard", task, 0)
    few = ic.pools.Pool(pool.names[5:8], pool.estimators[5:8])
    assert evaluate_table(table, "y", pool=few, on_failure="ignore").task == task


def test_classes_too_small_to_part_are_said_aloud(mixed):
    mixed.loc[7, "label"] = "perhaps"
    evaluation = evaluate_table(mixed, "label", pool=SMALL, response="correct")
    assert any("too small to be in both parts" in note for note in evaluation.notes)


def test_files_are_read_by_their_ending(mixed, tmp_path):
    mixed.to_csv(tmp_path / "a.csv", index=False)
    mixed.to_csv(tmp_path / "a.tsv.gz", index=False, sep="\t")
    for name in ("a.csv", "a.tsv.gz"):
        assert read_table(tmp_path / name).shape == mixed.shape


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"target": "lable"}, "The table has: customer, number"),
        ({"drop": ["colr"]}, "'colr' is none of them"),
        ({"pool": "best"}, "'standard', 'families', or 'random:N'"),
        ({"pool": "random:0"}, "at least one classifier"),
        ({"task": "regression"}, "must hold numbers"),
        ({"task": "regression", "pool": "random:5"}, "Members are Linear regression"),
        ({"test_share": 1.5}, "between 0 and 1"),
        ({"drop": ["size", "colour", "city", "since"]}, "at least one feature"),
    ],
)
def test_what_to_change_is_said(mixed, settings, said):
    given = {"target": "label", "pool": "standard", **settings}
    with pytest.raises(EvaluationError, match=said):
        evaluate_table(mixed, **given)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("missing.csv", None, "there is no file"),
        ("table.xlsx", b"x", "Export it as CSV"),
        ("uneven.csv", b"a,b\n1,2\n1,2,3\n", "equally long rows"),
        ("empty.csv", b"", "cannot be read"),
    ],
)
def test_files_that_are_no_tables_are_refused(tmp_path, name, content, said):
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(EvaluationError, match=said):
        read_table(tmp_path / name)


def _table(**columns):
    rng = np.random.default_rng(0)
    return pandas.DataFrame({"x": rng.normal(size=60), **columns})


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (_table(target=[f"name {n}" for n in range(60)]), "names rows rather than classes"),
        (
            _table(target=[*(str(n / 7) for n in range(59)), "n/a?"]),
            "All but 'n/a[?]' are numbers",
        ),
        (_table(target=["yes"] * 60), "all labels are 'yes'"),
        (_table(target=[None] * 60), "all 60 rows have no 'target'"),
        (_table(target=["a", "b"] * 30).iloc[:0], "the table has no rows"),
        (_table(target=["a", "b"] * 30).iloc[:2], "1 of 2 rows are to train on, all of class"),
        (_table(y=[np.inf, *range(59)], target=["a", "b"] * 30), "'y' has 1 infinite values"),
        (
            pandas.DataFrame(np.ones((4, 3)), columns=["x", "target", "target"]),
            "'target' occurs more than once",
        ),
    ],
)
def test_tables_that_cannot_be_used_say_what_to_change(table, words):
    with pytest.raises(EvaluationError, match=words):
        evaluate_table(table, pool="random:2")


def test_text_among_numbers_is_named():
    table = _table(target=[*(str(n / 7) for n in range(59)), "n/a?"])
    with pytest.raises(EvaluationError, match=r"1 of \d+ values are none, as 'n/a\?'"):
        evaluate_table(table, task="regression", test_share=0.9)


def test_many_absent_classes_are_counted():
    classes = [f"c{n % 24:02d}" for n in range(60)]
    notes = evaluate_table(_table(target=classes), pool="random:2", test_share=0.8).notes
    assert any("more classes" in note for note in notes)
    assert sum("training sets" in note for note in notes) == 3

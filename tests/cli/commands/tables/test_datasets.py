"""`itemcurve datasets`: several tables in, data sets as items out."""

import json
from dataclasses import replace

import numpy as np
import pandas
import pytest
from sklearn.datasets import make_classification

import itemcurve as ic
from itemcurve.cli.layout.table_summaries.dataset_words import (
    _find_contradiction,
    _say_flat,
    say_datasets,
)
from itemcurve.cli.layout.table_summaries.datasets import _difficulties
from itemcurve.datasets.dataset_table import load_dataset_table
from itemcurve.estimation.saving.saved_fit import load

POOL = "Naive Bayes; Decision tree; Nearest neighbours; Logistic regression"


@pytest.fixture
def tables(tmp_path):
    paths = []
    for seed in range(3):
        X, y = make_classification(60, 4, flip_y=0.1 * seed, random_state=seed)
        path = tmp_path / f"set{seed}.csv"
        frame = pandas.DataFrame(X, columns=list("abcd")).assign(label=np.where(y, "up", "down"))
        frame.to_csv(path, index=False)
        paths.append(path)
    return paths


def test_a_run_holds_the_fit_and_all_six_measures(command, tables, tmp_path):
    out = tmp_path / "run, one"
    options = ("--target", "label", "--pool", POOL, "--splits", 2, "--jobs", 1)
    done = command("datasets", *tables, *options, "--out", out)
    assert done.code == 0, done.err
    assert "Data sets, hardest first (by mean accuracy)" in done.out
    assert f"itemcurve adapt run --bank '{out}'" in done.out
    assert "itemcurve choose" not in done.out
    assert "3 data sets tell little" in done.out
    assert f"itemcurve adapt plan '{out}' --rules" in done.out
    # Of classifiers the command says what the page says.
    found = json.loads(command("findings", out, "--json").out)["findings"]
    few = next(one for one in found if one["code"] == "IRT003")
    assert f"IRT003: {few['message']} {few['advice']}" in done.out
    assert " is best (ability " in done.out
    assert "measure_one.py is for you to write" in done.out
    table = load_dataset_table(out / "dataset_table.npz")
    assert table.values.shape == (6, 4, 3, 2)
    assert load(out).responses.shape == (4, 3)
    np.testing.assert_allclose(table.commonest, 0.5, atol=0.1)
    measured = pandas.read_csv(out / "measurements.csv")
    assert len(measured) == 4 * 3 * 2
    printed = json.loads(command("datasets", *tables, *options, "--measure", "auc", "--json").out)
    assert printed["measure"] == "auc"


def test_data_sets_on_which_a_constant_does_as_well_are_named(command, tables, tmp_path):
    rng = np.random.default_rng(0)
    frame = pandas.DataFrame(rng.normal(size=(80, 3)), columns=list("abc"))
    frame["label"] = np.where(np.arange(80) % 5 == 0, "rare", "usual")
    frame.to_csv(tmp_path / "chance.csv", index=False)
    options = ("--target", "label", "--pool", POOL, "--splits", 2, "--jobs", 1)
    done = command("datasets", *tables, tmp_path / "chance.csv", *options)
    assert done.code == 0, done.err
    told = next(line for line in done.out.splitlines() if line.startswith("To name the commonest"))
    assert "chance (mean accuracy 0." in told
    assert "commonest class 0.800 of the rows" in told
    assert "set0 (" not in told


def test_the_difficulty_of_a_flat_data_set_is_not_determined():
    rng = np.random.default_rng(1)
    ability = np.linspace(-2, 2, 12)
    values = np.column_stack(
        [1 / (1 + np.exp(-ability - shift)) for shift in (0, 1, 0.5)]
        + [0.73 + 0.004 * ability + 0.003 * rng.normal(size=12)]
    )
    responses = ic.Responses.from_array(values, items=["a", "b", "c", "flat"])
    found = ic.fit(responses, "logit-normal", discrimination="positive", on_failure="ignore")
    place = list(found.items["item"]).index("flat")
    assert _difficulties(found.items)[place] == "< -6"
    assert _difficulties(found.items).count("< -6") == 1
    assert _say_flat(found) == (
        "Difficulty is not determined, but below -6, because all classifiers are expected above "
        "0.5: flat."
    )


def test_a_difficulty_that_contradicts_the_mean_is_explained():
    items = pandas.DataFrame(
        {
            "item": ["tae", "penguins", "cloud"],
            "difficulty": [-4.96, -3.85, 8.4],
            "mean_response": [0.635, 0.990, 0.3],
        }
    )
    easy, hard = _find_contradiction(items)
    assert (easy["item"], hard["item"]) == ("tae", "penguins")
    assert _find_contradiction(items.assign(mean_response=[0.99, 0.6, 0.3])) is None


def test_what_is_modelled_is_not_advised_again(shipped):
    table, found = shipped
    told = " ".join(say_datasets(table, found, "auc"))
    assert "--measure auc" not in told
    assert "hardly better than chance" in told
    assert "Most of who is able is told by" in told
    told = " ".join(say_datasets(table, found, "accuracy"))
    assert "To name the commonest class always" in told
    # What may mislead is not praised in the line above.
    named = told.split("To name the commonest")[1].split(": there")[0]
    praised = told.split("told by ")[1].split(":")[0]
    assert not {word.split(" (")[0] for word in praised.split(", ")} & set(named.split())


@pytest.fixture
def shipped():
    """Fourteen data sets of the shipped table, five of them at chance, and their fit."""
    table = load_dataset_table()
    auc = np.nanmean(table.values[table.measures.index("auc")].astype(float), axis=(0, 2))
    places = np.argsort(auc)[:5].tolist() + np.argsort(auc)[80:89].tolist()
    few = replace(
        table,
        datasets=tuple(table.datasets[place] for place in places),
        shapes=table.shapes[places],
        values=table.values[:, :, places],
        seconds=table.seconds[:, places],
        commonest=np.full(14, 0.3) + 0.6 * (np.arange(14) < 5),
    )
    responses = few.responses("accuracy", "pool")
    return few, ic.fit(responses, "logit-normal", discrimination="positive", on_failure="ignore")


def test_only_options_that_exist_are_advised(command, tables):
    frame = pandas.read_csv(tables[0])
    frame.insert(0, "patient_id", [place // 2 for place in range(len(frame))])
    frame.to_csv(tables[0], index=False)
    options = ("--target", "label", "--pool", POOL, "--splits", 1, "--jobs", 1)
    done = command("datasets", *tables, *options)
    assert "'patient_id' looks like an identifier" in done.out
    assert "--drop patient_id" in done.out
    assert "--groups" not in done.out


def test_one_table_is_refused_with_the_command_for_it(command, tables):
    done = command("datasets", tables[0], "--target", "label")
    assert done.code == 2
    assert "itemcurve evaluate" in done.err


def test_numbers_to_predict_are_refused_before_training(command, tables, tmp_path):
    frame = pandas.read_csv(tables[0]).assign(label=np.linspace(0, 1, 60))
    frame.to_csv(tmp_path / "numbers.csv", index=False)
    done = command("datasets", tables[1], tmp_path / "numbers.csv", "--target", "label")
    assert done.code == 2
    assert "'numbers' holds numbers" in done.err
    other = pandas.read_csv(tables[0]).rename(columns={"label": "outcome"})
    other.to_csv(tmp_path / "other.csv", index=False)
    for name in ("datasets", "taxonomy"):
        done = command(name, tables[1], tmp_path / "other.csv", "--target", "label")
        assert done.code == 2
        assert f"Error: {tmp_path / 'other.csv'}: " in done.err

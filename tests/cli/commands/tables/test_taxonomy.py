"""`itemcurve taxonomy`: several runs of robustness in, groups of models out."""

import json
import shutil

import pandas
import pytest
from sklearn.datasets import make_circles, make_moons

import itemcurve as ic
from itemcurve.analysis.robustness.change_profiles import change_profiles
from itemcurve.analysis.robustness.kappa_losses import kappa_losses
from itemcurve.analysis.robustness.saved_curves import read_saved_curves, read_saved_verdicts
from itemcurve.evaluation.difficulty.table_robustness import measure_table_robustness

SMALL = {"models": "random:4", "pool": "random:10", "cv": 2, "bins": 2}


@pytest.mark.slow
def test_groups_over_several_tables_are_those_of_the_library(command, tmp_path):
    runs, curves = [], []
    for name, make in (("moons", make_moons), ("circles", make_circles)):
        X, y = make(80, noise=0.3, random_state=0)
        table = tmp_path / f"{name}.csv"
        pandas.DataFrame(X, columns=["x", "y"]).assign(target=y).to_csv(table, index=False)
        options = [text for key, value in SMALL.items() for text in (f"--{key}", value)]
        runs.append(tmp_path / name)
        done = command("robustness", table, *options, "--jobs", 1, "--out", runs[-1])
        assert done.code == 0, done.err
        curves.append(measure_table_robustness(table, **SMALL)[1])
    expected = kappa_losses(curves)
    found = kappa_losses([read_saved_curves(run) for run in runs])
    pandas.testing.assert_frame_equal(found, expected)
    out = tmp_path / "out"
    done = command("taxonomy", *runs, "--clusters", 2, "--out", out)
    assert done.code == 0, done.err
    assert "predictions that noise changes, over moons, circles" in done.out
    assert "Group 2, " in done.out
    assert "…" not in done.out
    assert max(map(len, done.out.split("★ is")[0].splitlines())) <= 80
    by_kappa = command("taxonomy", *runs, "--clusters", 2, "--measure", "kappa", "--kind", "dan")
    assert "κ lost, over moons, circles" in by_kappa.out
    assert " by κ (" in by_kappa.out
    assert "on the easiest rows and by" in by_kappa.out
    assert "One model for all 2 tables: " in by_kappa.out
    assert "One model for all 2 tables: " in done.out
    assert {"loss_easy", "loss_hard"} <= set(pandas.read_csv(out / "kappa_losses.csv"))
    # Nothing was measured: the runs stay where they are.
    assert f"Saved to {out}: tables, pictures\n" in done.out
    assert f"itemcurve taxonomy {runs[0]} {runs[1]} new.csv" in done.out
    assert not (out / "runs").exists()
    assert " of 2 " in by_kappa.out
    # What a run says of itself is what is measured.
    changes = change_profiles([read_saved_verdicts(run) for run in runs])
    own = change_profiles([one.verdicts() for one in curves])
    pandas.testing.assert_frame_equal(changes.frame(), own.frame())
    twice = command("taxonomy", runs[0], runs[0])
    assert (twice.code, "is the same as" in twice.err) == (2, True)
    copy = shutil.copytree(runs[0], tmp_path / "copy")
    assert "is the same as" in command("taxonomy", runs[0], copy).err
    alone = command("taxonomy", runs[0])
    assert (alone.code, "two tables or more" in alone.err) == (2, True)
    assert {"taxonomy.csv", "profiles.csv", "kappa_losses.csv", "taxonomy.png"} <= {
        path.name for path in out.iterdir()
    }
    printed = json.loads(command("taxonomy", *runs, "--json").out)
    assert printed["runs"] == ["moons", "circles"]
    assert printed["measure"] == "share"
    assert any(line.startswith("Group 1, ") for line in printed["says"])


@pytest.mark.slow
def test_tables_and_runs_of_them_give_the_same_groups(command, tmp_path):
    tables = []
    for name, make in (("moons", make_moons), ("circles", make_circles)):
        X, y = make(60, noise=0.3, random_state=0)
        tables.append(tmp_path / f"{name}.csv")
        pandas.DataFrame(X, columns=["x", "y"]).assign(label=y).to_csv(tables[-1], index=False)
    options = [text for key, value in SMALL.items() for text in (f"--{key}", value)]
    more = ("--share", 0.5, "--attribute", "x", "--target", "label", "--jobs", 1)
    out = tmp_path / "out, one"
    done = command("taxonomy", *tables, *options, *more, "--out", out)
    assert done.code == 0, done.err
    assert f"itemcurve taxonomy '{out}/runs'/* new.csv" in done.out
    assert "runs of single tables" in done.out
    curves = read_saved_curves(out / "runs" / "moons")
    assert curves.shares == (0.0, 0.5)
    runs = [out / "runs" / name for name in ("moons", "circles")]
    printed = json.loads(command("taxonomy", *runs, "--json").out)
    losses = pandas.read_csv(out / "kappa_losses.csv")
    cells = {column["name"]: column["cells"] for column in printed["kappa_losses"]["columns"]}
    assert cells["loss_by_noise"] == pytest.approx(losses["loss_by_noise"].tolist())


def test_a_table_that_is_not_there_is_said_before_others_are_measured(command, tmp_path):
    done = command("taxonomy", "iris", tmp_path / "nothing.csv")
    assert done.code == 2
    assert "there is no file" in done.err
    done = command("taxonomy", "iris", "iris")
    assert "occurs more than once" in done.err


def test_a_table_of_numbers_is_said_before_others_are_measured(command, tmp_path):
    table = tmp_path / "prices.csv"
    values = [n % 7 + n / 60 for n in range(60)]
    pandas.DataFrame({"x": values, "target": [n + 0.5 for n in range(60)]}).to_csv(
        table, index=False
    )
    done = command("taxonomy", "iris", table)
    assert done.code == 2
    assert f"{table}: Robustness by difficulty is measured on classes" in done.err.replace(
        "\n", " "
    )
    assert "Trained" not in done.err
    assert "Leave this table out" in done.err


def test_profiles_of_kappa_are_not_asked_of_changed_predictions(command):
    done = command("taxonomy", "iris", "wine", "--kind", "dan")
    assert (done.code, "--measure kappa" in done.err) == (2, True)


def test_other_runs_are_refused_with_how_to_make_one(command, tmp_path):
    done = command("taxonomy", tmp_path)
    assert done.code == 2
    assert "itemcurve robustness data.csv --out" in done.err


def test_what_is_neither_table_nor_run_is_said_with_what_makes_one(command, tmp_path):
    done = command("taxonomy", "iris", f"{tmp_path}/nowhere/*")
    assert done.code == 2
    assert "the pattern matches nothing" in done.err
    assert "scikit-learn" not in done.err
    run = tmp_path / "other"
    ic.fit(ic.simulate("2pl", respondents=20, items=10, seed=1).responses).save(run)
    refused = command("taxonomy", run, "iris")
    assert "is a run of another command" in refused.err
    # A run is never to be written over.
    assert f"--out {run}" not in refused.err
    (tmp_path / "groups" / "runs").mkdir(parents=True)
    assert f"{tmp_path / 'groups' / 'runs'}/*" in command("taxonomy", tmp_path / "groups").err


def test_a_target_of_one_value_is_said_in_words(command, tmp_path):
    table = tmp_path / "same.csv"
    pandas.DataFrame({"x": [n / 7 for n in range(30)], "kind": 1}).to_csv(table, index=False)
    done = command("taxonomy", table, "iris", "--target", "kind")
    assert "'kind' holds the one value 1 in all rows" in done.err

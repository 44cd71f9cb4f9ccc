"""`itemcurve show`: tables that stay readable whatever the ids and the terminal."""

import json
import re

import pytest
from rich.cells import cell_len

from itemcurve.datasets.simulation import simulate
from itemcurve.estimation.fit import fit
from itemcurve.estimation.marginal.settings import Marginal
from itemcurve.responses.matrix import Responses


@pytest.fixture(scope="module")
def odd_run(tmp_path_factory):
    """A run whose ids are long, wide, and full of signs that terminals act on."""
    values = simulate("3pl", respondents=90, items=40, seed=4).responses.array()
    values[:, 0] = 1
    respondents = [f"some-organisation/Model-{k}-70B-Instruct-of-a-long-line" for k in range(90)]
    items = [f"[red]suite/task/question-{k:05d}\x1b[31m\n" for k in range(20)]
    items += [f"数学题目编号非常长的名字没有尽头{k}" for k in range(20)]
    path = tmp_path_factory.mktemp("odd") / "run"
    fit(Responses.from_array(values, respondents, items), "3pl").save(path)
    return path


def test_show_prints_what_fit_printed(command, files, tmp_path):
    printed = command("fit", files / "responses.csv", "--out", tmp_path / "run").out
    shown = command("show", tmp_path / "run")
    assert (shown.code, shown.err) == (0, "")
    assert shown.out == printed.removesuffix(f"Saved to {tmp_path / 'run'}\n")


@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_tables_fit_the_terminal_and_ids_can_be_told_apart(width, command, odd_run, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(width))
    out = command("show", odd_run).out
    tables = out.split("\n\n", 1)[1].splitlines()
    assert all(cell_len(line) <= width for line in tables)
    assert "\x1b" not in out
    # Cut at the end, never in the middle; where that would make two alike, they go on below.
    joined = "".join(line.split("  ")[0].strip() for line in tables)
    names = re.findall(r"some-organisation/Model-(\d+)", joined)
    assert len(names) == len(set(names)) == 10
    assert not [line for line in tables if re.search(r"\w…\w", line)]


def test_estimates_are_never_cut(command, odd_run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    lines = command("show", odd_run).out.split("\n\n", 1)[1].splitlines()
    assert len([line for line in lines if "±" in line]) > 10
    assert not [line for line in lines if line.endswith("…")]


def test_no_color_and_pipes_give_plain_text(command, files, monkeypatch):
    plain = command("show", files / "run").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in command("show", files / "run").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[3" not in command("show", files / "run").out
    assert "\x1b" not in plain


def test_the_number_of_rows_can_be_chosen(command, files):
    out = command("show", files / "run", "--items", "2", "--respondents", "3").out
    assert "Top respondents (3 of 120)" in out
    assert out.count("hardest") == 2
    assert out.count("easiest") == 2
    bare = command("show", files / "run", "--items", "0", "--respondents", "0").out
    assert "Top respondents" not in bare
    assert "Notable items" not in bare
    everything = command("show", files / "run", "--items", "1000", "--respondents", "1000").out
    assert everything.count("\nrespondent_") == 120
    assert everything.count("\nitem_") == 15


def test_json_holds_all_rows_or_the_first_ones(command, files):
    document = json.loads(command("show", files / "run", "--json").out)
    assert (len(document["respondents"]), len(document["items"])) == (120, 15)
    assert [row["item"] for row in document["items"]][:2] == ["item_01", "item_02"]
    short = json.loads(command("show", files / "run", "--json", "--items", "2").out)
    assert (len(short["respondents"]), len(short["items"])) == (120, 2)
    assert set(document) == {
        *("itemcurve", "command", "run", "model", "method", "engine", "over", "shape", "status"),
        *("log_likelihood", "aic", "bic", "n_parameters", "seconds", "objective"),
        *("standard_errors", "population", "diagnostics", "respondents", "items"),
    }


def test_flags_are_lists_in_json(command, odd_run):
    items = json.loads(command("show", odd_run, "--json").out)["items"]
    assert "constant" in items[0]["flags"]
    assert all(isinstance(item["flags"], list) for item in items)


def damage(run):
    (run / "fit.npz").write_bytes(b"PK")


def remove(run):
    (run / "fit.json").unlink()


def truncate(run):
    (run / "run.json").write_text("{")


@pytest.mark.parametrize("spoil", [damage, remove, truncate])
def test_a_damaged_run_is_refused_in_one_line(spoil, command, files, tmp_path):
    command("fit", files / "responses.csv", "--out", tmp_path / "run", "-q")
    spoil(tmp_path / "run")
    outcome = command("show", tmp_path / "run")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("Error: ")
    assert outcome.err.count("\n") == 1


def test_what_is_not_a_run_is_refused(command, files, tmp_path):
    assert "there is no folder" in command("show", tmp_path / "nowhere").err
    assert "is a file" in command("show", files / "responses.csv").err
    assert "has no run.json" in command("show", tmp_path).err


def test_difficulties_between_0_and_1_are_not_called_logits(command, tmp_path):
    drawn = simulate("beta3", respondents=40, items=12, seed=2)
    fit(drawn.responses, "beta3").save(tmp_path / "run")
    out = command("show", tmp_path / "run").out
    assert "± se (0 to 1)" in out
    assert "± se (logits)" in out.split("Notable items")[0]
    assert "± se (logits)" not in out.split("Notable items")[1]


def test_how_well_the_model_fits_is_shown_when_asked_for(command, odd_run):
    out = command("show", odd_run, "--fit").out
    assert "M2 = " in out
    assert "of 90 respondents answer in a way" in out
    assert "LD-X²" in out
    assert "\x1b" not in out
    document = json.loads(command("show", odd_run, "--fit", "--json").out)
    assert document["model_fit"][0]["test"] == "M2"
    assert len(document["person_fit"]) == 90


def test_what_cannot_be_tested_says_why(command, tmp_path):
    drawn = simulate("2pl", respondents=20, items=30, seed=1).responses
    fit(drawn, method=Marginal(over="items")).save(tmp_path / "few")
    out = command("show", tmp_path / "few", "--fit").out
    assert "Not tested: A test of the whole model needs a fit that integrates respondents" in out
    document = json.loads(command("show", tmp_path / "few", "--fit", "--json").out)
    assert document["model_fit"] is None
    assert "integrates" in document["model_fit_refused"]


def test_features_say_what_makes_items_hard(command, tmp_path):
    drawn = simulate("2pl", respondents=300, items=30, seed=3)
    fit(drawn.responses, "2pl").save(tmp_path / "run")
    lines = ["item,length,topic"] + [
        f"{name},{place:.3f},{'law' if k % 2 else 'maths'}"
        for k, (name, place) in enumerate(
            zip(drawn.responses.items, drawn.items["difficulty"], strict=True)
        )
    ]
    (tmp_path / "features.csv").write_text("\n".join(lines) + "\n")
    asked = ("show", tmp_path / "run", "--features", tmp_path / "features.csv")
    said = command(*asked).out
    assert "Features explain" in said
    assert "What makes items hard" in said
    found = json.loads(command(*asked, "--json").out)
    assert [row["term"] for row in found["coefficients"]] == ["constant", "length", "topic[law]"]
    assert found["coefficients"][1]["estimate"] == pytest.approx(1.0, abs=0.2)
    assert found["explained"] > 0.8
    (tmp_path / "features.csv").write_text("a,b\n1,2\n")
    outcome = command(*asked)
    assert outcome.code == 2
    assert "a column item" in outcome.err

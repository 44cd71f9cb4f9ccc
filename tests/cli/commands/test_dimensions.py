"""`itemcurve dimensions`: from a file of responses to abilities, and back from the run."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import itemcurve as ic
from itemcurve.cli.main import app
from itemcurve.errors import ModelError


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    rng = np.random.default_rng(4)
    slopes = np.kron(np.eye(2), np.ones((10, 1))) * 2.0
    chance = 1 / (1 + np.exp(-rng.normal(size=(80, 2)) @ slopes.T))
    names = [f"alg_{k}" for k in range(10)] + [f"log_{k}" for k in range(10)]
    answers = (rng.random(chance.shape) < chance).astype(float)
    path = tmp_path_factory.mktemp("dimensions") / "responses.csv"
    ic.Responses.from_array(answers, items=names).save(path)
    return path


def call(*words):
    return CliRunner().invoke(app, ["dimensions", *map(str, words)])


def test_named_abilities_are_shown_and_read_back(table, tmp_path):
    run = tmp_path / "run"
    abilities = ["--ability", "algebra=alg_*", "--ability", "logic=log_*"]
    found = call(table, *abilities, "--out", run)
    assert found.exit_code == 0, found.output
    assert "algebra: the items that load most on it" in found.output
    assert ic.load(run).names == ("algebra", "logic")
    shown = CliRunner().invoke(app, ["show", str(run), "--json"])
    assert json.loads(shown.output)["kind"] == "confirmatory"


def test_json_holds_loadings_and_how_the_number_was_chosen(table):
    found = call(table, "--json")
    assert found.exit_code == 0, found.output
    told = json.loads(found.output)
    assert [row["dimensions"] for row in told["choice"] if row["is_best"]] == [2]
    assert len(told["loadings"]) == 20


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--number", "two"], "whole number, or auto"),
        (["--ability", "algebra"], "its name, =, and patterns"),
        (["--ability", "algebra=x_*"], "matches none"),
        (["--rotation", "promax"], "one of oblimin"),
        (["--number", "2", "--general"], "beside others"),
    ],
)
def test_wrong_words_are_refused(table, words, said):
    found = call(table, *words)
    assert isinstance(found.exception, ModelError)
    assert said in str(found.exception)


def test_runs_of_several_abilities_have_findings_pictures_and_pages(command, tmp_path):
    import itemcurve as ic

    drawn = ic.simulate("2pl", respondents=300, items=18, seed=1).responses
    groups = {name: list(drawn.items[k::3]) for k, name in enumerate("abc")}
    ic.fit(drawn, "2pl", dimensions=groups, general="above").save(tmp_path / "run")
    found = command("findings", tmp_path / "run")
    assert found.code == 0
    assert "IRT050 abilities that are one (warning)" in found.out
    for kind in ("loadings", "ability-paths"):
        drawn_file = tmp_path / f"{kind}.png"
        assert command("plot", tmp_path / "run", "--kind", kind, "--out", drawn_file).code == 0
        assert drawn_file.stat().st_size > 10_000
    refused = command("plot", tmp_path / "run", "--kind", "abilities", "--out", tmp_path / "a.png")
    assert refused.code == 2
    assert "ability-paths, loadings" in refused.err
    assert command("report", tmp_path / "run").code == 0
    tables = [tmp_path / name for name in ("loadings.csv", "correlations.md", "respondents.csv")]
    assert command("export", tmp_path / "run", *tables).code == 0
    assert tables[0].read_text().count("\n") == 19
    refused = command("export", tmp_path / "run", tmp_path / "judges.csv")
    assert "A run of abilities is exported as loadings" in refused.err
    shown = command("show", tmp_path / "run").out
    assert "The general ability above them" in shown

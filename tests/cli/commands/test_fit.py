"""`itemcurve fit`: from a file to a run folder, with a summary that people can read."""

import json

import numpy as np
import pytest

from itemcurve.datasets.simulation import simulate
from itemcurve.estimation.fit import fit
from itemcurve.estimation.gamma_link import fit_gamma_by_beta3
from itemcurve.estimation.marginal.settings import Marginal
from itemcurve.estimation.saving.saved_fit import load
from itemcurve.estimation.variational.settings import Variational
from itemcurve.responses.matrix import Responses


def no_constants(name):
    raise AssertionError(f"{name} is not JSON")


def strictly(text):
    return json.loads(text, parse_constant=no_constants)


def test_a_fit_from_the_command_line_is_the_fit_of_the_library(command, files, tmp_path):
    outcome = command("fit", files / "responses.csv", "--model", "rasch", "--out", tmp_path / "run")
    assert (outcome.code, outcome.err) == (0, "")
    expected = fit(Responses.read(files / "responses.csv"), "rasch")
    loaded = load(tmp_path / "run")
    assert loaded.items.equals(expected.items)
    assert loaded.settings == expected.settings


def test_the_summary_says_how_the_fit_ended_and_where_it_is(command, files, tmp_path):
    lines = command("fit", files / "responses.csv", "--out", tmp_path / "run").out.splitlines()
    result = load(tmp_path / "run")
    facts = {line[:16].strip(): line[17:] for line in lines[:9]}
    assert facts["Model"] == "2pl, 30 parameters"
    assert facts["Responses"].startswith("120 respondents × 15 items, ")
    assert facts["Status"].startswith("converged, ")
    assert facts["Log-likelihood"] == f"{result.log_likelihood:,.3f}"
    assert facts["AIC, BIC"] == f"{result.aic:,.1f}, {result.bic:,.1f}"
    assert facts["Integrated over"] == "respondents"
    assert facts["Time"].endswith(" s")
    assert lines[-1] == f"Saved to {tmp_path / 'run'}"


def test_tables_name_units_and_lead_with_the_ablest(command, files):
    out = command("fit", files / "responses.csv").out
    result = fit(Responses.read(files / "responses.csv"), "2pl")
    first = result.respondents.sort_values("ability", ascending=False).iloc[0]
    line = next(line for line in out.splitlines() if line.startswith(first["respondent"]))
    assert f"{first['ability']:.2f} ± {first['ability_se']:.2f}" in line
    assert "± se (sd)" in out
    assert "± se (per sd)" in out
    assert "Not saved" in out


def test_a_rasch_fit_is_in_logits(command, files):
    out = command("fit", files / "responses.csv", "--model", "rasch").out
    assert "± se (logits)" in out
    assert "± se (per logit)" in out


def test_items_that_better_respondents_fail_come_first_among_the_flagged(command, tmp_path):
    y = simulate("2pl", respondents=300, items=12, seed=2).responses.array()
    y[:, 0] = np.arange(300) % 2
    y[:, 5] = 1 - y[:, 5]
    Responses.from_array(y).save(tmp_path / "y.csv")
    out = command("fit", tmp_path / "y.csv").out
    why = {line.split()[0]: line for line in out.splitlines() if line.startswith("item_")}
    assert "negative" in why["item_06"]
    assert "flat" in why["item_01"]
    assert list(why).index("item_06") < list(why).index("item_01")


def test_json_is_the_only_thing_on_stdout(command, files, tmp_path):
    outcome = command("fit", files / "responses.csv", "--json", "--out", tmp_path / "run")
    document = strictly(outcome.out)
    assert outcome.err == ""
    assert document["command"] == "fit"
    assert document["run"] == str(tmp_path / "run")
    assert document["shape"]["respondents"] == 120
    assert document["shape"]["items"] == 15
    assert document["status"]["is_converged"] is True
    assert len(document["respondents"]) == 120
    assert len(document["items"]) == 15
    abilities = [row["ability"] for row in document["respondents"]]
    assert abilities == sorted(abilities, reverse=True)
    assert document["items"][0].keys() >= {"item", "difficulty", "difficulty_se", "flags"}
    assert document["log_likelihood"] == load(tmp_path / "run").log_likelihood


def test_json_has_null_where_a_number_is_not_known(command, files, monkeypatch, tmp_path):
    result = load(files / "run")
    errors = result.estimates.item_errors
    errors["difficulty"][0] = np.nan
    errors["difficulty"][1] = np.inf
    monkeypatch.setattr("itemcurve.estimation.fit.fit", lambda *given, **settings: result)
    items = strictly(command("fit", files / "responses.csv", "--json").out)["items"]
    assert [items[0]["difficulty_se"], items[1]["difficulty_se"]] == [None, None]
    assert items[2]["difficulty_se"] > 0


def test_quiet_prints_nothing(command, files, tmp_path):
    outcome = command("fit", files / "responses.csv", "--quiet", "--out", tmp_path / "run")
    assert (outcome.code, outcome.out, outcome.err) == (0, "", "")
    assert load(tmp_path / "run").model == "2pl"


def test_a_fit_that_does_not_converge_warns_and_is_kept(command, files, tmp_path):
    wanted = ("fit", files / "responses.csv", "--max-iterations", "1", "--out", tmp_path / "run")
    outcome = command(*wanted)
    assert outcome.code == 0
    assert outcome.err.startswith("Warning: the fit stopped at the iteration limit")
    assert outcome.err.count("\n") == 1
    assert not load(tmp_path / "run").status.is_converged
    assert command(*wanted, "--strict").code == 3
    strict = command(*wanted, "--strict", "--json")
    assert strict.code == 3
    assert strictly(strict.out)["status"]["is_converged"] is False


def test_strict_is_silent_about_a_fit_that_converged(command, files):
    assert command("fit", files / "responses.csv", "--strict", "-q").code == 0


def test_options_reach_the_fit(command, files, tmp_path):
    run = tmp_path / "run"
    common = ("fit", files / "responses.csv", "--out", run, "-q")
    assert command(*common, "--prior", "none", "--guessing", "0.2").code == 0
    assert set(load(run).items["guessing"]) == {0.2}
    assert load(run).settings["prior"]["discrimination"] == "None"
    assert command(*common, "--discrimination", "positive").code == 0
    assert load(run).settings["parameters"] == {"discrimination": "positive"}
    assert command(*common, "--discrimination", "1.5").code == 0
    assert set(load(run).items["discrimination"].round(12)) == {1.5}
    assert command(*common, "--over", "items").code == 0
    assert load(run).estimates.over == "items"


@pytest.mark.parametrize(("method", "over"), [("joint", "nothing"), ("variational", "everything")])
def test_other_methods_are_fitted_saved_and_shown(command, files, tmp_path, method, over):
    target = tmp_path / "run"
    outcome = command("fit", files / "responses.csv", "--method", method, "--out", target)
    assert (outcome.code, outcome.err) == (0, "")
    assert load(target).settings["method"] == method
    document = strictly(command("show", target, "--json").out)
    assert (document["method"], document["over"]) == (method, over)


def test_options_of_a_method_reach_it(command, files, tmp_path):
    responses = Responses.read(files / "responses.csv")
    for options, method in (
        (("--ability-errors", "total"), Marginal(ability_errors="total")),
        (("--item-priors", "fixed"), Marginal(item_priors="fixed")),
        (
            ("--method", "variational", "--posterior", "mean-field"),
            Variational(posterior="mean-field"),
        ),
    ):
        assert (
            command("fit", files / "responses.csv", *options, "--out", tmp_path / "run").code == 0
        )
        found, asked = load(tmp_path / "run").respondents, fit(responses, "2pl", method=method)
        plain = fit(responses, "2pl", method=asked.settings["method"])
        assert found["ability_se"].to_numpy() == pytest.approx(asked.respondents["ability_se"])
        assert found["ability_se"].to_numpy() != pytest.approx(plain.respondents["ability_se"])


def test_options_of_another_method_are_refused(command, files):
    for options, owner in (
        (("--method", "joint", "--over", "items"), "--over belongs to --method marginal"),
        (("--objective", "ml"), "--objective belongs to --method joint"),
        (("--posterior", "full-rank"), "--posterior belongs to --method variational"),
        (
            ("--method", "joint", "--ability-errors", "total"),
            "--ability-errors belongs to --method marginal",
        ),
        (
            ("--method", "joint", "--item-priors", "fixed"),
            "--item-priors belongs to --method marginal",
        ),
    ):
        outcome = command("fit", files / "responses.csv", *options)
        assert outcome.code != 0
        assert owner in outcome.err


def test_long_and_wide_files_give_the_same_fit(command, files, tmp_path):
    frame = Responses.read(files / "responses.csv").frame("long")
    frame.to_csv(tmp_path / "long.csv", index=False)
    documents = [
        strictly(command("fit", path, "--layout", layout, "--json").out)
        for path, layout in ((files / "responses.csv", "wide"), (tmp_path / "long.csv", "long"))
    ]
    assert documents[0]["log_likelihood"] == pytest.approx(documents[1]["log_likelihood"])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere.csv"], "there is no file 'nowhere.csv'"),
        (["."], "must end in .npz, .csv"),
        (["folder.csv"], "there is no file 'folder.csv'"),
        (["empty.csv"], "Error: "),
        (["header.csv"], "Error: "),
        (["binary.csv"], "Error: "),
        (["words.csv"], "Error: "),
        (["scores.csv"], "0 or 1"),
        (["one.csv"], "at least 2 respondents"),
        (["good.csv", "--model", "9pl"], "one of rasch, 1pl, 2pl, 3pl, 4pl"),
        (["good.csv", "--discrimination", "steep"], "'free' or 'positive'"),
        (["good.csv", "--discrimination", "nan"], "must be finite"),
        (["good.csv", "--guessing", "2"], "in [0, 1)"),
        (["good.csv", "--layout", "long"], "respondent, item and response"),
        (["good.csv", "--model", "4pl", "--over", "items"], "up to three free"),
        (["good.csv", "--out", "good.csv"], "holds something else"),
        (["good.csv", "--out", "folder.csv"], "holds something else"),
    ],
)
def test_what_cannot_be_fitted_is_refused_in_one_line(
    arguments, words, command, files, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "folder.csv" / "precious.txt").write_text("do not lose")
    (tmp_path / "empty.csv").write_text("")
    (tmp_path / "header.csv").write_text("respondent,a,b\n")
    (tmp_path / "binary.csv").write_bytes(bytes(range(256)))
    (tmp_path / "words.csv").write_text("respondent,a,b\nx,yes,no\ny,maybe,1\n")
    (tmp_path / "scores.csv").write_text("respondent,a,b\nx,0.5,1\ny,0,1\n")
    (tmp_path / "one.csv").write_text("respondent,a,b\nx,0,1\n")
    (tmp_path / "good.csv").write_bytes((files / "responses.csv").read_bytes())
    outcome = command("fit", *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("Error: ")
    assert outcome.err.count("\n") == 1
    assert words in outcome.err
    assert (tmp_path / "folder.csv" / "precious.txt").exists()


def test_the_responses_of_a_run_are_fitted_again(command, files, tmp_path):
    run = tmp_path / "first"
    assert command("fit", files / "responses.csv", "--out", run).code == 0
    done = command("fit", run, "--model", "rasch", "--json")
    assert done.code == 0, done.err
    assert strictly(done.out)["model"] == "rasch"


def test_errors_are_fitted_through_beta3(command, tmp_path):
    errors = simulate("gamma-normalised", respondents=30, items=8, seed=1).responses
    errors.save(tmp_path / "errors.npz")
    done = command(
        "fit", tmp_path / "errors.npz", "--model", "gamma", "--by-beta3", 1, "--method", "joint",
        "--out", tmp_path / "run",
    )  # fmt: skip
    assert done.code == 0, done.err
    expected = fit_gamma_by_beta3(errors, method="joint").fit
    np.testing.assert_allclose(
        load(tmp_path / "run").items["difficulty"], expected.items["difficulty"]
    )
    refused = command("fit", tmp_path / "errors.npz", "--by-beta3", 1)
    assert refused.code == 2
    assert "--model gamma" in refused.err


@pytest.mark.slow
def test_a_stochastic_fit_says_that_it_wanders(command, tmp_path):
    scores = simulate("beta3", respondents=5, items=8, seed=1).responses
    scores.save(tmp_path / "scores.npz")
    done = command(
        "fit", tmp_path / "scores.npz", "--model", "beta3", "--method", "stochastic", "--seed", 2,
        "--json",
    )  # fmt: skip
    assert done.code == 0
    assert strictly(done.out)["status"]["name"] == "wandering"
    assert "--method variational" in done.err

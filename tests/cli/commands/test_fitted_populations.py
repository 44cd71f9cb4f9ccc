"""`itemcurve fit` with groups, covariates, anchors or a density, and what becomes of such runs."""

import json

import numpy as np
import pandas
import pytest
from tests.running.report_page import read_words

import itemcurve as ic


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("populations")
    rng = np.random.default_rng(1)
    late, size = np.repeat([0, 1], 150), rng.normal(size=300)
    logits = (rng.normal(size=300) + 0.8 * late + 0.5 * size)[:, None] - rng.normal(size=8)
    observed = (rng.random(logits.shape) < 1 / (1 + np.exp(-logits))).astype(int)
    names = [f"m{k}" for k in range(300)]
    table = pandas.DataFrame(observed, columns=[f"q{k}" for k in range(8)])
    table.insert(0, "respondent", names)
    table.to_csv(place / "responses.csv", index=False)
    about = pandas.DataFrame({"respondent": names, "group": np.where(late, "late", "early")})
    about.to_csv(place / "groups.csv", index=False)
    pandas.DataFrame({"respondent": names, "size": size}).to_csv(place / "size.csv", index=False)
    return place


def test_groups_and_covariates_are_fitted_kept_and_shown(command, folder):
    run = folder / "run"
    outcome = command(
        *("fit", folder / "responses.csv", "--groups", folder / "groups.csv", "--reference"),
        *("early", "--covariates", folder / "size.csv", "--out", run),
    )
    assert outcome.code == 0, outcome.err
    for words in ("Groups, on the scale of the first", "late", "What ability depends on", "size"):
        assert words in outcome.out
    shown = command("show", run)
    assert "What ability depends on" in shown.out
    found = json.loads(command("show", run, "--json").out)
    assert [row["group"] for row in found["groups"]] == ["early", "late"]
    assert found["coefficients"][0]["term"] == "size"
    exported = command("export", run, folder / "groups.md", folder / "coefficients.csv")
    assert exported.code == 0, exported.err
    assert "late" in (folder / "groups.md").read_text()
    assert command("report", run).code == 0
    assert "Covariates: what ability gains" in read_words(run / "report.html")
    assert command("findings", run).code == 0
    assert ic.load(run).group_codes.names == ("early", "late")


def test_a_density_and_anchors(command, folder):
    first = folder / "first"
    assert (
        command("fit", folder / "responses.csv", "--out", first, "--density", "davidian").code == 0
    )
    assert ic.load(first).density.kind.startswith("davidian")
    bank = command("fit", folder / "responses.csv", "--anchors", first)
    assert bank.code != 0
    assert "still to be estimated" in bank.err


def test_what_does_not_go_together_is_refused(command, folder):
    outcome = command("fit", folder / "responses.csv", "--reference", "early")
    assert outcome.code != 0
    assert "--reference and --equal go with --groups" in outcome.err
    (folder / "wrong.csv").write_text("name,group\nm1,a\n")
    outcome = command("fit", folder / "responses.csv", "--groups", folder / "wrong.csv")
    assert "columns respondent and group" in outcome.err

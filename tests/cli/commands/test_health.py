"""`itemcurve health`: from responses, a run, or what was imported from logs."""

import json

import numpy as np
import pandas
import pytest
from tests.logs.examples import lm_eval_results, lm_eval_run, lm_eval_sample
from tests.running.report_page import read_words

import itemcurve as ic
from itemcurve.datasets.simulation import simulate


@pytest.fixture(scope="module")
def benchmark(tmp_path_factory):
    """Responses with two dead items, a copy, and the run fitted to them."""
    folder = tmp_path_factory.mktemp("benchmark")
    values = simulate("2pl", respondents=60, items=60, seed=2).responses.array()
    values[:, 0], values[:, 1], values[:, 2] = 1, 0, values[:, 3]
    responses = ic.Responses.from_array(values)
    responses.save(folder / "responses.npz")
    ic.fit(responses, "rasch").save(folder / "run")
    return folder


def test_text_names_what_is_dead_and_what_is_left(command, benchmark):
    outcome = command("health", benchmark / "responses.npz")
    assert (outcome.code, outcome.err) == (0, "")
    lines = [line.split() for line in outcome.out.splitlines()]
    assert ["all", "right", "1", "2%", "0.0"] in lines
    assert ["all", "wrong", "1", "2%", "0.0"] in lines
    assert ["redundant", "2", "3%", "0.0"] in lines
    assert "best 25" in outcome.out
    assert "One ability is enough" in outcome.out
    assert "Keys to read first, by right and wrong answers alone" in outcome.out


def test_json_and_csv_say_the_same_as_the_library(command, benchmark, tmp_path):
    out = tmp_path / "items.csv"
    arguments = ("health", benchmark / "responses.npz", "--json", "--out", out, "--items", 3)
    found = json.loads(command(*arguments).out)
    expected = ic.health(ic.Responses.read(benchmark / "responses.npz"))
    assert found["shape"] == {"respondents": 60, "items": 60}
    assert [row["items"] for row in found["checks"]] == expected.checks()["items"].tolist()
    assert found["dimensions"]["best"] == 1
    assert len(found["suspect_keys"]) == 3
    assert found["redundant_pairs"][0]["first"] == "item_03"
    written = pandas.read_csv(out, keep_default_na=False)
    assert written["condition"].tolist() == expected.frame()["condition"].tolist()


def test_a_run_keeps_the_tables_and_its_report_has_a_section_of_them(command, benchmark, tmp_path):
    run = benchmark / "run"
    assert command("health", run, "--keep").code == 0
    assert command("report", run, "--out", tmp_path / "report.html").code == 0
    page = read_words(tmp_path / "report.html")
    for title in ("Benchmark health", "Headroom", "Keys to read first", "Items answered alike"):
        assert title in page
    assert "All wrong: 1 items" in page
    assert ic.load(run).responses.shape == (60, 60)
    refused = command("health", benchmark / "responses.npz", "--keep")
    assert (refused.code, "--keep stores tables in a run folder" in refused.err) == (2, True)


def test_options_are_taken_from_the_logs(command, tmp_path):
    random = np.random.default_rng(0)
    values = simulate("2pl", respondents=12, items=100, seed=3).responses.array()
    easy = np.argsort(-values.mean(axis=0))[:8]
    for model in range(12):
        samples = []
        for k in range(100):
            true, stated = k % 5, (k % 5 + (k in easy)) % 5
            said = true if values[model, k] else (true + random.integers(1, 5)) % 5
            scores = [["0.0" if option == said else "-9.0", "False"] for option in range(5)]
            sample = lm_eval_sample(k, question=f"Who wrote letter {k}?", acc=float(said == stated))
            samples.append(sample | {"target": stated, "filtered_resps": scores})
        lm_eval_run(tmp_path / "logs" / str(model), samples, lm_eval_results(f"org/{model}"))
    responses = tmp_path / "responses.npz"
    assert command("import", tmp_path / "logs", "--out", responses, "--no-cache").code == 0
    out = command("health", responses, "--items", 8).out
    assert "Keys to read first, by options chosen" in out
    # The eight wrong keys come first, each with its question and the option that is right.
    for k in easy:
        line = next(line for line in out.splitlines() if f"toy {k}: Who wrote letter" in line)
        assert line.split()[-2] == str(k % 5)


def test_options_of_other_responses_are_left_out_and_refused_when_named(
    command, benchmark, tmp_path
):
    responses = ic.Responses.read(benchmark / "responses.npz")
    responses.save(tmp_path / "r.npz")
    chosen = np.random.default_rng(0).integers(0, 4, responses.shape).astype(np.int32)
    path = tmp_path / "r.options.npz"
    ic.ChosenOptions(responses.respondents, responses.items, tuple("ABCD"), chosen).save(path)
    found = command("health", tmp_path / "r.npz")
    assert (found.code, "holds no answers to these" in found.err.replace("\n", " ")) == (0, True)
    assert "by right and wrong answers alone" in found.out
    refused = command("health", tmp_path / "r.npz", "--options", path)
    assert (refused.code, "must be what was scored" in refused.err) == (2, True)


def test_groups_come_from_a_file_and_a_wrong_one_is_refused(command, benchmark, tmp_path):
    items = ic.Responses.read(benchmark / "responses.npz").items
    rows = "".join(f"{item},{'even' if k % 2 else 'odd'}\n" for k, item in enumerate(items))
    (tmp_path / "groups.csv").write_text(f"item,group\n{rows}")
    out = tmp_path / "items.csv"
    options = ("--groups", tmp_path / "groups.csv", "--n-options", 4, "--out", out)
    assert command("health", benchmark / "responses.npz", *options).code == 0
    assert pandas.read_csv(out)["group"].value_counts().to_dict() == {"even": 30, "odd": 30}
    (tmp_path / "groups.csv").write_text("question,subject\n1,2\n")
    refused = command("health", benchmark / "responses.npz", *options)
    assert (refused.code, "columns item and group" in refused.err) == (2, True)

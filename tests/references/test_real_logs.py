"""Real logs: read with the counts and means that the harness itself reports."""

import json
import math
import struct
import zipfile
from pathlib import Path

import pytest
import zstandard

from itemcurve.logs.formats.columns import LogColumns
from itemcurve.logs.log_folder import read_logs

THIRD = "third_party_every_eval_ever"


@pytest.fixture(scope="module")
def folder(shared_data) -> Path:
    found = shared_data / "fixtures" / "logs"
    if not found.is_dir():
        pytest.skip("ITEMCURVE_DATA has no fixtures/logs")
    return found


@pytest.fixture(scope="module")
def frame(folder):
    return read_logs(folder, cache=False).frame()


def rows_of(frame, path, metric, filter_="", group=""):
    found = frame[frame["source"].astype(str).str.startswith(str(path))]
    is_here = (found["metric"] == metric) & (found["filter"] == filter_) & (found["group"] == group)
    return found[is_here]


def item_mean(rows):
    return rows.groupby("item", observed=True)["value"].mean().mean()


@pytest.mark.parametrize("model", ["dummy", "toy-strong", "toy-weak"])
def test_every_lm_eval_mean_is_reproduced(folder, frame, model):
    results = json.loads(next((folder / "lm_eval" / model).rglob("results*.json")).read_text())
    checked = 0
    for task, reported in results["results"].items():
        for key, value in reported.items():
            metric, _, filter_ = key.partition(",")
            if not filter_ or metric.endswith("_stderr"):
                continue
            rows = rows_of(frame, f"lm_eval/{model}", metric, filter_)
            rows = rows[rows["task"] == task]
            assert len(rows) == results["n-samples"][task]["effective"]
            assert rows["value"].mean() == pytest.approx(value, abs=1e-9)
            checked += 1
    assert checked == 4


def test_three_lm_eval_models_of_one_name_are_three(frame):
    rows = frame[frame["source"].astype(str).str.startswith("lm_eval/")]
    assert rows["respondent"].nunique() == 3


def read_header(path: Path) -> dict:
    """Read an archive's header without the code under test."""
    with zipfile.ZipFile(path) as archive:
        entry = archive.getinfo("header.json")
    with path.open("rb") as file:
        file.seek(entry.header_offset + 26)
        lengths = struct.unpack("<HH", file.read(4))
        file.seek(sum(lengths), 1)
        packed = file.read(entry.compress_size)
    return json.loads(zstandard.ZstdDecompressor().decompressobj().decompress(packed))


def test_every_inspect_mean_is_reproduced(folder):
    checked = 0
    for path in sorted(folder.rglob("*.eval")) + sorted((folder / "inspect_ai/json").glob("*")):
        header = read_header(path) if path.suffix == ".eval" else json.loads(path.read_text())
        # Read alone: in the whole folder newer runs of the same model take its place.
        logs = read_logs(path, cache=False)
        found = logs.frame()
        for score in header["results"]["scores"]:
            metric = score["name"]
            if score["scorer"] != metric:
                metric = f"{score['scorer']}.{metric}"
            reported = next(
                score["metrics"][key]["value"]
                for key in ("accuracy", "mean")
                if key in score["metrics"]
            )
            rows = found[found["metric"] == metric]
            assert len(rows) == header["results"]["total_samples"]
            assert item_mean(rows) == pytest.approx(reported, abs=1e-9)
            checked += 1
    assert checked == 2 * (2 + 1 + 3) + 4


@pytest.mark.parametrize("name", ["arc_qwen", "arc_sonnet", "pubmedqa_gpt4o_mini"])
def test_every_complete_third_party_inspect_mean_is_reproduced(folder, frame, name):
    path = f"{THIRD}/inspect/data_{name}.json"
    results = json.loads((folder / path).read_text())["results"]
    rows = rows_of(frame, path, "choice")
    assert len(rows) == results["total_samples"]
    reported = results["scores"][0]["metrics"]["accuracy"]["value"]
    assert rows["value"].mean() == pytest.approx(reported, abs=1e-9)


def test_every_helm_mean_is_reproduced(folder, frame):
    checked = 0
    for run in sorted((folder / THIRD / "helm").iterdir()):
        for total in json.loads((run / "stats.json").read_text()):
            name = total["name"]
            rows = rows_of(
                frame, run.relative_to(folder).as_posix() + "/", name["name"], "", name["split"]
            )
            if "perturbation" in name or rows.empty:
                continue
            assert rows["value"].mean() == pytest.approx(total["mean"], abs=1e-9)
            checked += 1
    # Eight scores in one split, eight and six in two each.
    assert checked == 8 + 2 * 8 + 2 * 6


def test_counts_of_helm_instances_agree(folder, frame):
    for run in sorted((folder / THIRD / "helm").iterdir()):
        totals = json.loads((run / "stats.json").read_text())
        counts = {
            total["name"]["split"]: total["sum"]
            for total in totals
            if total["name"]["name"] == "num_instances"
        }
        for split, count in counts.items():
            path = run.relative_to(folder).as_posix() + "/"
            assert len(rows_of(frame, path, "exact_match", "", split)) == count


def test_a_failed_inspect_run_is_all_missing(folder):
    logs = read_logs(folder / "inspect_ai" / "errored", cache=False)
    assert logs.frame()["status"].unique().tolist() == ["error"]
    assert logs.summary().errors == {"arith": 12}


def test_shortened_logs_say_how_much_is_there(folder):
    notes = {Path(n.path).name: n for n in read_logs(folder / THIRD, cache=False).files}
    math_file = "samples_math_perturbed_full_2026-01-21T03-44-18.458309.jsonl"
    assert notes[math_file].reason == "holds 10 of 5000 samples"
    assert notes["data_with_llm_scoring.json"].status == "empty"
    assert notes["data_cvebench_empty_choices.json"].reason.startswith("holds 0 of 80 samples")


def test_the_other_formats_are_read_in_full(folder):
    counts = {
        "py_irt": (4, 4, 16),
        "composed_to_spec/opencompass": (1, 2, 2),
        "composed_to_spec/openml": (1, 3, 9),
        "mlflow": (2, 8, 16),
        f"{THIRD}/skill_reference_conversion": (1, 1, 1),
    }
    for name, expected in counts.items():
        logs = read_logs(folder / name, cache=False)
        assert (len(logs.respondents), len(logs.items), logs.rows.value.size) == expected, name
    mlflow = read_logs(folder / "mlflow", cache=False).select().means(axis=1)
    assert mlflow.tolist() == [7 / 8, 3 / 8]
    openml = read_logs(folder / "composed_to_spec/openml", cache=False)
    assert openml.select(announce=False).means(axis=1)[0] == pytest.approx(2 / 3)


def test_the_wandb_table_is_read_by_its_columns(folder):
    columns = LogColumns(respondent="@folder", item="item_id", value="correct", content="prompt")
    logs = read_logs(folder / "wandb", columns=columns, cache=False)
    assert logs.select().means(axis=1).tolist() == [0.5]


def test_nothing_real_is_called_damaged(folder):
    notes = read_logs(folder, cache=False).files
    assert {note.status for note in notes} == {"read", "companion", "foreign", "empty", "unmapped"}
    assert {Path(n.path).name for n in notes if n.status == "foreign"} == {
        "README.md",
        "LICENSE",
        "model",
    }


def test_values_are_finite_wherever_something_was_scored(frame):
    scored = frame[frame["status"] == "scored"]["value"]
    assert all(math.isfinite(value) for value in scored)

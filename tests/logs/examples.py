"""Small logs of every format, written as their harnesses write them."""

import hashlib
import json
import zipfile
import zlib
from pathlib import Path

import zstandard

TIME = "2026-01-02T03-04-05.000001"


def write(path: Path, content: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        text = content if isinstance(content, str) else json.dumps(content)
        path.write_text(text, encoding="utf-8")
    return path


def write_lines(path: Path, records: list) -> Path:
    return write(path, "".join(json.dumps(record) + "\n" for record in records))


def lm_eval_sample(number: int, filter_: str = "none", question: str = "", **metrics) -> dict:
    document = {"question": question or f"What is {number}?", "answer": str(number)}
    text = json.dumps(document, indent=2, ensure_ascii=False)
    return {
        "doc_id": number,
        "doc": document,
        "target": str(number),
        "arguments": {"gen_args_0": {"arg_0": "Q", "arg_1": " 1"}},
        "resps": [[["-2.9", "False"]]],
        "filtered_resps": [["-2.9", "False"]],
        "filter": filter_,
        "metrics": list(metrics),
        "doc_hash": hashlib.sha256(text.encode()).hexdigest(),
        "prompt_hash": "0" * 64,
        "target_hash": "1" * 64,
        **metrics,
    }


def lm_eval_results(model: str = "org/model", **changes) -> dict:
    return {
        "results": {},
        "configs": {},
        "n-shot": {},
        "higher_is_better": {},
        "config": {"model": "hf", "model_args": f"pretrained={model}"},
        "date": 1_000_000.0,
        "model_name": model,
        **changes,
    } | {"results": changes.get("results", {"toy": {"alias": "toy"}})}


def lm_eval_run(
    folder: Path, samples: list, results: dict | None, task: str = "toy", time: str = TIME
) -> Path:
    if results is not None:
        write(folder / f"results_{time}.json", results)
    return write_lines(folder / f"samples_{task}_{time}.jsonl", samples)


def inspect_sample(name: object, scores: object, epoch: int = 1, **changes) -> dict:
    return {
        "id": name,
        "epoch": epoch,
        "input": f"question {name}",
        "target": "x",
        "scores": scores,
        "model_usage": {"m": {"total_tokens": 15}},
        "total_time": 0.3,
        **changes,
    }


def inspect_log(samples: list, task: str = "arith", model: str = "org/model", **changes) -> dict:
    return {
        "version": 2,
        "status": "success",
        "eval": {
            "task": task,
            "model": model,
            "created": "2026-01-02T03:04:05+00:00",
            "dataset": {"samples": len(samples)},
            "config": {"epochs": 1},
        },
        "results": {"total_samples": len(samples), "scores": []},
        "samples": samples,
        **changes,
    }


def inspect_archive(path: Path, log: dict, method: int = 93, journal: bool = False) -> Path:
    """Write a log as an archive; zipfile cannot write method 93, so the headers are patched."""
    header = {key: value for key, value in log.items() if key != "samples"}
    if journal:
        halves = (log["samples"][:1], log["samples"][1:])
        entries = {"_journal/start.json": header}
        entries |= {f"_journal/summaries/{n}.json": half for n, half in enumerate(halves, 1)}
    else:
        entries = {"header.json": header, "summaries.json": log["samples"]}
    return zip_entries(path, {k: json.dumps(v).encode() for k, v in entries.items()}, method)


def zip_entries(path: Path, entries: dict[str, bytes], method: int) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    if method != 93:
        with zipfile.ZipFile(path, "w", method) as archive:
            for name, content in entries.items():
                archive.writestr(name, content)
        return path
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for name, content in entries.items():
            archive.writestr(name, zstandard.ZstdCompressor().compress(content))
    raw = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as archive:
        infos = archive.infolist()
        place = archive.start_dir
    for info in infos:
        content = entries[info.filename]
        patch_entry(raw, info.header_offset + 8, 6, content)
        patch_entry(raw, place + 10, 6, content)
        place += 46 + len(info.filename.encode()) + len(info.extra) + len(info.comment)
    path.write_bytes(raw)
    return path


def patch_entry(raw: bytearray, method_place: int, to_crc: int, content: bytes) -> None:
    """Set method, checksum and size of the unpacked content in one header of a ZIP archive."""
    raw[method_place : method_place + 2] = (93).to_bytes(2, "little")
    crc = method_place + to_crc
    raw[crc : crc + 4] = zlib.crc32(content).to_bytes(4, "little")
    raw[crc + 8 : crc + 12] = len(content).to_bytes(4, "little")


def helm_stat(name: str, value: float | None, split: str = "test", **name_changes) -> dict:
    stat = {"name": {"name": name, "split": split, **name_changes}, "count": 0, "sum": 0}
    if value is not None:
        stat |= {"count": 1, "sum": value, "mean": value}
    return stat


def helm_run(
    folder: Path,
    instances: list,
    name: str = "mmlu:subject=law,model=org_gpt",
    groups: tuple = ("mmlu",),
    totals: list = (),
    model: str = "org/gpt",
) -> Path:
    spec = {"name": name, "adapter_spec": {"model": model}, "groups": list(groups)}
    spec["metric_specs"] = [{"args": {"names": ["exact_match", "f1_score"]}}]
    states = [
        {"instance": {"id": entry["instance_id"], "input": {"text": entry["instance_id"]}}}
        for entry in instances
    ]
    write(folder / "run_spec.json", spec)
    write(folder / "scenario_state.json", {"adapter_spec": {}, "request_states": states})
    write(folder / "stats.json", list(totals))
    return write(folder / "per_instance_stats.json", instances)


def opencompass_detail(name: str, **correct) -> dict:
    prompt = [{"role": "HUMAN", "prompt": f"question {name}"}]
    return {"prompt": prompt, "predictions": "A", "references": "A", **correct}


def all_examples(folder: Path) -> dict[str, Path]:
    """One sound log of each harness, each in a folder of its own."""
    return {
        "lm-evaluation-harness": lm_eval_run(
            folder / "lm" / "org__model",
            [lm_eval_sample(number, acc=float(number % 2)) for number in range(4)],
            lm_eval_results(),
        ),
        "Inspect AI": inspect_archive(
            folder / "inspect" / "a.eval",
            inspect_log([inspect_sample(k, {"match": {"value": "C"}}) for k in range(3)]),
        ),
        "HELM": helm_run(
            folder / "helm" / "run",
            [{"instance_id": f"id{k}", "stats": [helm_stat("exact_match", 1.0)]} for k in range(3)],
        ),
        "OpenCompass": write(
            folder / "oc" / "results" / "model" / "toy.json",
            {
                "accuracy": 50.0,
                "details": {
                    "type": "GEN",
                    "0": opencompass_detail("0", correct=True),
                    "1": opencompass_detail("1", correct=False),
                },
            },
        ),
        "OpenML": write(
            folder / "openml" / "predictions.arff",
            "@RELATION openml_task_59_predictions\n@ATTRIBUTE repeat NUMERIC\n"
            "@ATTRIBUTE fold NUMERIC\n@ATTRIBUTE row_id NUMERIC\n@ATTRIBUTE prediction {a,b}\n"
            "@ATTRIBUTE correct {a,b}\n@DATA\n0,0,10,a,a\n0,0,11,a,b\n",
        ),
        "Every Eval Ever": write_lines(
            folder / "eee" / "u_samples.jsonl",
            [
                {
                    "evaluation_id": "e",
                    "model_id": "org/model",
                    "evaluation_name": "bench",
                    "sample_id": f"s{k}",
                    "input": {"raw": f"q{k}"},
                    "evaluation": {"score": k / 2, "is_correct": True},
                }
                for k in range(3)
            ],
        ),
        "py-irt": write_lines(
            folder / "py" / "toy.jsonlines",
            [
                {"subject_id": "a", "responses": {"q1": 1, "q2": 0}},
                {"subject_id": "b", "responses": {"q1": 0}},
            ],
        ),
        "MLflow or W&B table": write(
            folder / "mlflow" / "run" / "table.json",
            {"columns": ["inputs", "exact_match/v1/score"], "data": [["q0", 1], ["q1", 0]]},
        ),
        "table": write(folder / "own" / "long.csv", "respondent,item,value\na,q1,1\na,q2,0\n"),
    }

"""Reading a folder of evaluation logs: lines of lm-evaluation-harness, first and second time."""

import json
import os
import resource
import subprocess
import sys
import tempfile
from hashlib import sha256
from pathlib import Path
from time import perf_counter, time

import numpy as np

from benchmarks.section import Column, Options, Row, Section, show_progress

_FILES, _LINES = 200, 5_000
_CHOICES = ("the first of four answers", "the second one", "a third", "none of the above")


def write_logs(folder: Path, files: int, lines: int, seed: int = 1) -> None:
    """Write samples of multiple-choice questions as the harness does, one model per file."""
    rng = np.random.default_rng(seed)
    ability, difficulty = rng.normal(size=files), rng.normal(size=lines)
    heads = [_question(number, rng) for number in range(lines)]
    for model in range(files):
        chance = 1 / (1 + np.exp(difficulty - ability[model]))
        right = (rng.random(lines) < chance).astype(float)
        normed = (rng.random(lines) < chance).astype(float)
        home = folder / f"model-{model:03d}" / f"org__model-{model:03d}"
        home.mkdir(parents=True)
        stem = "2026-01-01T00-00-00.000000"
        with (home / f"samples_bench_{stem}.jsonl").open("w") as file:
            for head, acc, norm in zip(heads, right, normed, strict=True):
                file.write(f'{head}, "acc": {acc}, "acc_norm": {norm}}}\n')
        (home / f"results_{stem}.json").write_text(_results(model, right, normed))
    # As if written a minute ago: a file that changes while it is read is not kept.
    for path in folder.rglob("*.json*"):
        os.utime(path, (time() - 60, time() - 60))


def _question(number: int, rng: np.random.Generator) -> str:
    text = " ".join(rng.choice(["alpha", "beta", "gamma", "delta", "epsilon"], size=40))
    document = {"id": f"q{number}", "question": text, "choices": _CHOICES, "answer": number % 4}
    prompt = f"Question {number}: {text}\nAnswer:"
    arguments = {
        f"gen_args_{k}": {"arg_0": prompt, "arg_1": f" {choice}"}
        for k, choice in enumerate(_CHOICES)
    }
    scores = [[f"{value:.6f}", "False"] for value in rng.normal(-3, 1, size=4)]
    record = {
        "doc_id": number,
        "doc": document,
        "target": str(number % 4),
        "arguments": arguments,
        "resps": [[score] for score in scores],
        "filtered_resps": scores,
        "filter": "none",
        "metrics": ["acc", "acc_norm"],
        "doc_hash": sha256(json.dumps(document, indent=2).encode()).hexdigest(),
        "prompt_hash": sha256(prompt.encode()).hexdigest(),
        "target_hash": sha256(str(number % 4).encode()).hexdigest(),
    }
    return json.dumps(record)[:-1]


def _results(model: int, right: np.ndarray, normed: np.ndarray) -> str:
    means = {"acc,none": float(right.mean()), "acc_norm,none": float(normed.mean())}
    return json.dumps(
        {
            "results": {"bench": {"alias": "bench", **means}},
            "configs": {"bench": {"task": "bench"}},
            "n-shot": {"bench": 0},
            "n-samples": {"bench": {"original": right.size, "effective": right.size}},
            "higher_is_better": {"bench": {"acc": True, "acc_norm": True}},
            "config": {"model": "hf", "model_args": f"pretrained=org/model-{model:03d}"},
            "date": 1_767_225_600.0 + model,
            "model_name": f"org/model-{model:03d}",
        }
    )


_JOB = """
import sys, time
from pathlib import Path
import itemcurve as ic
start = time.perf_counter()
logs = ic.read_logs(sys.argv[1], cache=sys.argv[2])
table = time.perf_counter() - start
responses = logs.select(announce=False)
print(table, time.perf_counter() - start, logs.rows.value.size, *responses.shape)
"""


def measure(options: Options, cached: list[Row]) -> list[Row]:
    """Read one folder twice, each time in a fresh process."""
    files, lines = (8, 500) if options.small else (_FILES, _LINES)
    with tempfile.TemporaryDirectory() as folder:
        logs = Path(folder, "logs")
        write_logs(logs, files, lines)
        size = sum(path.stat().st_size for path in logs.rglob("*.jsonl"))
        rows = [
            {"what": what, "files": files, "lines": files * lines, "megabytes": size / 1e6}
            | _read(logs, Path(folder, "cache"))
            for what in ("first time", "second time")
        ]
    for row in rows:
        show_progress(f"  {row}")
    return rows


def _read(logs: Path, cache: Path) -> Row:
    """Time one reading from outside, and find the memory of it and of its helpers."""
    before, started = _processor_seconds(), perf_counter()
    command = [sys.executable, "-c", _JOB, str(logs), str(cache)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    peak = 0
    while process.poll() is None:
        peak = max(peak, _memory(process.pid))
        try:
            process.wait(0.2)
        except subprocess.TimeoutExpired:
            continue
    seconds = perf_counter() - started
    words = process.stdout.read().split() if process.stdout else []
    if process.returncode or len(words) != 5:
        return {"note": f"failed: exit status {process.returncode}"}
    own = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    return {
        "seconds": seconds,
        "processor": _processor_seconds() - before,
        "rows": int(words[2]),
        "respondents": int(words[3]),
        "items": int(words[4]),
        "gigabytes": max(peak, own) / 1e9,
    }


def _processor_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _memory(parent: int) -> int:
    """Sum the resident memory of a process and all below it; 0 where the system does not tell."""
    below, total = {parent}, 0
    for entry in sorted(Path("/proc").glob("[0-9]*"), key=lambda path: int(path.name)):
        try:
            stat = (entry / "stat").read_text().rpartition(")")[2].split()
            pages = int((entry / "statm").read_text().split()[1])
        except (OSError, IndexError, ValueError):
            continue
        if int(entry.name) in below or int(stat[1]) in below:
            below.add(int(entry.name))
            total += pages * os.sysconf("SC_PAGE_SIZE")
    return total


SECTION = Section(
    name="logs",
    title="Reading evaluation logs",
    notes=(
        "Samples in the format of lm-evaluation-harness, one model per file, two metrics each; a "
        "fresh process with its start-up, memory of all its processes together. The second time "
        "nothing changed."
    ),
    columns=(
        Column("what", "what"),
        Column("files", "files"),
        Column("lines", "lines", ","),
        Column("megabytes", "megabytes", ".0f"),
        Column("seconds", "seconds", ".1f"),
        Column("processor", "processor seconds", ".1f"),
        Column("gigabytes", "peak gigabytes", ".2f"),
        Column("rows", "rows", ","),
        Column("respondents", "respondents"),
        Column("items", "items"),
        Column("note", "note"),
    ),
    measure=measure,
)

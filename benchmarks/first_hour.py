"""The first hour beside skore's `evaluate` and cleanlab's Datalab: steps, lines, seconds, answers.

The rivals live in an environment of their own: `ITEMCURVE_RIVALS_PYTHON` names its interpreter,
which must have skore, cleanlab and scikit-learn.
"""

import ast
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.section import Column, Options, Row, Section, show_progress

_SCRIPTS = Path(__file__).with_name("first_hour_scripts")
_BEST, _LABELS = "Who is best of four?", "Which labels are wrong?"
_ASKED = {
    "best_itemcurve": (_BEST, "itemcurve", "order, intervals, who ties, tiers, constants to beat"),
    "best_skore": (_BEST, "skore", "eleven metrics, mean and sd over folds; no verdict"),
    "labels_itemcurve": (_LABELS, "itemcurve, one model", "ranked list with rows, share of wrong"),
    "labels_cleanlab": (_LABELS, "cleanlab, one model", "ranked list; imbalance"),
    "labels_itemcurve_pool": (_LABELS, "itemcurve, its pool", "ranked list with rows"),
}
_WRONG = 20


def measure(options: Options, cached: list[Row]) -> list[Row]:
    """Run every script on the same table with planted errors."""
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        wrong = _write_table(Path(folder))
        for name, (question, tool, learnt) in _ASKED.items():
            row: Row = {"question": question, "tool": tool, **_count(_SCRIPTS / f"{name}.py")}
            row |= _run(_SCRIPTS / f"{name}.py", Path(folder), wrong, options)
            row["learnt"] = learnt
            rows.append(row)
            show_progress(f"  {row}")
    return rows


def _write_table(folder: Path) -> set[int]:
    """Write the table of the guide: tumours, of which twenty have the other diagnosis."""
    from sklearn.datasets import load_breast_cancer

    data = load_breast_cancer(as_frame=True)
    table = data.frame.drop(columns="target")
    names = np.asarray(data.target_names)
    given = data.target.to_numpy().copy()
    wrong = np.random.default_rng(0).choice(len(table), _WRONG, replace=False)
    given[wrong] = 1 - given[wrong]
    table.assign(diagnosis=names[given]).to_csv(folder / "tumours.csv", index=False)
    return {int(row) for row in wrong}


def _count(script: Path) -> Row:
    """Statements that are no imports, and those from the first step on."""
    text = script.read_text("utf-8")
    first = text[: text.index("# First step.")].count("\n") + 1
    body = ast.parse(text).body[1:]
    own = [node for node in body if not isinstance(node, ast.Import | ast.ImportFrom)]
    lines = sum((node.end_lineno or node.lineno) - node.lineno + 1 for node in own)
    return {"steps": sum(node.lineno > first for node in own), "lines": lines}


def _run(script: Path, folder: Path, wrong: set[int], options: Options) -> Row:
    is_rival = "itemcurve" not in script.stem
    python = os.environ.get("ITEMCURVE_RIVALS_PYTHON") if is_rival else sys.executable
    if python is None:
        return {"note": "left out: ITEMCURVE_RIVALS_PYTHON is not set"}
    worker = Path(__file__).with_name("first_hour_worker.py")
    done = subprocess.run(
        [python, "-W", "ignore", str(worker), str(script)],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=options.limit,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        check=False,
    )
    if done.returncode:
        return {"note": f"failed: {(done.stderr.strip().splitlines() or ['?'])[-1][:100]}"}
    found = json.loads(done.stdout.strip().splitlines()[-1])
    row: Row = {"seconds": found["seconds"], "printed": found["printed"]}
    if found["flagged"] is not None:
        row["found"] = len(wrong & set(found["flagged"]))
        row["blamed"] = len(set(found["flagged"]) - wrong)
    return row


SECTION = Section(
    name="first_hour",
    title="The first hour beside skore and cleanlab",
    notes="569 tumours, 20 of the labels wrong, a CSV file; scripts in "
    "`benchmarks/first_hour_scripts`, as short as the tools' own guides have it. Steps: statements "
    "once data and models are there; lines: all but imports; seconds of a processor, imports "
    "included; lines printed; wrong labels found, and right ones blamed.",
    columns=(
        Column("tool", "tool"),
        *(Column("steps", "steps"), Column("lines", "lines"), Column("seconds", "seconds", ".1f")),
        *(Column("printed", "printed"), Column("found", "found of 20"), Column("blamed", "blamed")),
        *(Column("learnt", "what one learns"), Column("note", "note")),
    ),
    measure=measure,
    group_by="question",
)

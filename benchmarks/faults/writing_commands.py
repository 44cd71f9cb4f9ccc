"""Every command that writes files, on data so small that it can be killed at each of its steps."""

import contextlib
import csv
import io
import json
import os
import shlex
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import sklearn.datasets

import itemcurve as ic
from itemcurve.cli import main

_POOL = ("--pool", "random:3", "--jobs", "1")


@dataclass(frozen=True)
class WritingCommand:
    """A command line, run in a folder of its own; `prepare` are those that come before it."""

    name: str
    line: str
    before: tuple[str, ...] = ()

    def prepare(self, base: Path, folder: Path) -> None:
        """Make the folder that the command finds."""
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(base, folder)
        for line in self.before:
            code, said = run_command(line, folder)
            assert code == 0, f"{line}: {said}"


COMMANDS = (
    WritingCommand("fit", "fit a.csv --out run --quiet"),
    WritingCommand("fit over a run", "fit b.csv --out run --quiet", ("fit a.csv --out run",)),
    WritingCommand("dimensions", "dimensions a.csv --ability x=item_[1-4] --ability y=item_[5-8] --out run"),
    WritingCommand("pairs", "pairs votes.csv --out run"),
    WritingCommand("judges", "judges ratings.csv --out run"),
    WritingCommand("simulate", "simulate --respondents 9 --items 5 --seed 1 --out y.csv --truth truth"),
    WritingCommand("simulate npz", "simulate --respondents 9 --items 5 --seed 1 --out y.npz"),
    WritingCommand("simulate parquet", "simulate --respondents 9 --items 5 --seed 1 --out y.parquet"),
    WritingCommand("import", "import logs --out y.csv --no-cache"),
    WritingCommand("import over a file", "import logs --out a.csv --no-cache"),
    WritingCommand("score", "score run b.csv --out scores.csv", ("fit a.csv --out run",)),
    WritingCommand("report", "report run --out page.html", ("fit a.csv --out run",)),
    WritingCommand("report in the run", "report run", ("fit a.csv --out run",)),
    WritingCommand("plot", "plot run --kind item-curves --out q.png", ("fit a.csv --out run",)),
    WritingCommand("export", "export run out/respondents.csv out/items.md", ("fit a.csv --out run",)),
    WritingCommand("health", "health run --keep --out items.csv", ("fit a.csv --out run",)),
    WritingCommand("dif", "dif a.csv --groups groups.csv --out dif.csv"),
    WritingCommand("choose", "choose a.csv 3 --out short.json"),
    WritingCommand("predict", "predict a.csv b.csv --out scores.csv"),
    WritingCommand("diff", "diff a.csv b.csv --a respondent_01 --b respondent_02 --out changed.csv"),
    WritingCommand("gate", "gate c.csv d.csv --margin 0.1 --markdown gate.md --junit gate.xml"),
    WritingCommand("adapt start", "adapt start s.json --bank run --max-items 4", ("fit a.csv --out run",)),
    WritingCommand("adapt next", "adapt next s.json --batch 2", ("fit a.csv --out run", "adapt start s.json --bank run --max-items 4")),
    WritingCommand("adapt record", "adapt record s.json --answers answers.csv", ("fit a.csv --out run", "adapt start s.json --bank run --max-items 8", "adapt next s.json --batch 8")),
    WritingCommand("evaluate", f"evaluate table.csv --target label --out run {' '.join(_POOL)}"),
    WritingCommand("evaluate over a run", f"evaluate table.csv --target label --seed 5 --out run {' '.join(_POOL)}", (f"evaluate table.csv --target label --out run {' '.join(_POOL)}",)),
    WritingCommand("audit", f"audit table.csv --target label --out audit.csv --corrected clean.csv {' '.join(_POOL)}"),
    WritingCommand("confusion", f"confusion table.csv --target label --models 'Naive Bayes' --out confusion {' '.join(_POOL)}"),
    WritingCommand("robustness", f"robustness table.csv --target label --models random:2 --cv 2 --share 0.2 --noise 1 --out run {' '.join(_POOL)}"),
    WritingCommand("difficulty", f"difficulty table.csv --target label --cv 2 --out run {' '.join(_POOL)}"),
    WritingCommand("datasets", f"datasets table.csv table2.csv table3.csv table4.csv --target label --splits 1 --measure brier --out run {' '.join(_POOL)}"),
    WritingCommand("noise", "noise prices.csv --target price --repeats 1 --level 0.5 --pool 'Linear regression' --pool 'Decision tree' --jobs 1 --out noise"),
    WritingCommand("taxonomy", f"taxonomy table.csv table2.csv --target label --models random:3 --cv 2 --share 0.2 --share 0.4 --noise 1 --out taxonomy {' '.join(_POOL)}"),
)  # fmt: skip


def make_base(folder: Path) -> None:
    """Write what commands read."""
    folder.mkdir(parents=True)
    drawn = [ic.simulate("2pl", respondents=12, items=8, seed=seed).responses for seed in (1, 2)]
    for name, responses in zip("ab", drawn, strict=True):
        responses.save(folder / f"{name}.csv")
    for row, name in enumerate("cd"):
        drawn[0].take(rows=[row]).save(folder / f"{name}.csv")
    ids = drawn[0].respondents
    _write(
        folder / "groups.csv",
        [["respondent", "group"], *([w, "xy"[k % 2]] for k, w in enumerate(ids))],
    )
    _write(
        folder / "answers.csv",
        [["item", "response"], *([item, k % 2] for k, item in enumerate(drawn[0].items))],
    )
    rng = np.random.default_rng(3)
    names = ["m1", "m2", "m3", "m4"]
    votes = [
        [*rng.choice(names, 2, replace=False), rng.choice(["a", "b", "tie"])] for _ in range(60)
    ]
    _write(folder / "votes.csv", [["model_a", "model_b", "winner"], *votes])
    ratings = [
        [m, f"q{q}", j, int(rng.integers(1, 5))] for m in names for q in range(6) for j in "AB"
    ]
    _write(folder / "ratings.csv", [["respondent", "item", "rater", "rating"], *ratings])
    (folder / "logs").mkdir()
    for model in names:
        answers = {f"q{k}": int(rng.integers(2)) for k in range(5)}
        line = json.dumps({"subject_id": model, "responses": answers})
        (folder / "logs" / f"{model}.jsonlines").write_text(line + "\n")
    for name, seed in (("table", 0), ("table2", 1), ("table3", 2), ("table4", 3)):
        X, y = sklearn.datasets.make_classification(40, 4, random_state=seed)
        _write(
            folder / f"{name}.csv",
            [["f1", "f2", "f3", "f4", "label"], *np.c_[X.round(3), y].tolist()],
        )
    X, y = sklearn.datasets.make_regression(40, 3, noise=5, random_state=0)
    _write(folder / "prices.csv", [["f1", "f2", "f3", "price"], *np.c_[X, y].round(3).tolist()])


def run_command(line: str, folder: Path) -> tuple[int, str]:
    """Run a command line in a folder, in this process; give its exit code and what it said."""
    text = io.StringIO()
    with _inside(folder), contextlib.redirect_stdout(text), contextlib.redirect_stderr(text):
        try:
            code = main.run(shlex.split(line))
        except SystemExit as end:
            code = int(end.code or 0)
    return int(code or 0), text.getvalue()


@contextlib.contextmanager
def _inside(folder: Path) -> Iterator[None]:
    former = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(former)


def _write(path: Path, rows: list[list[Any]]) -> None:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows(rows)

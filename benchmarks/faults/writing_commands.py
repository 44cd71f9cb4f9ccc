"""Every command that writes files, on data so small that it can be killed at each of its steps."""

import contextlib
import csv
import io
import itertools
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
from itemcurve.storage import atomic_files


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


_DRAWN = "--respondents 9 --items 5 --seed 1"
_FIT = ("fit a.csv --out run",)
_SHORT_TEST = (*_FIT, "adapt start s.json --bank run --max-items 4")
_WHOLE_TEST = (*_FIT, "adapt start s.json --bank run --max-items 8", "adapt next s.json --batch 8")
_TABLE = "table.csv --target label --pool random:3 --jobs 1"
_NOISY = "--cv 2 --share 0.2 --noise 1"
_EVALUATED = (f"evaluate {_TABLE} --out run",)
COMMANDS = (
    WritingCommand("fit", "fit a.csv --out run"),
    WritingCommand("fit over a run", "fit b.csv --out run", _FIT),
    WritingCommand(
        "dimensions", "dimensions a.csv --ability x=item_[1-4] --ability y=item_[5-8] --out run"
    ),
    WritingCommand("pairs", "pairs votes.csv --out run"),
    WritingCommand("judges", "judges ratings.csv --out run"),
    WritingCommand("simulate", f"simulate {_DRAWN} --out y.csv --truth truth"),
    WritingCommand("simulate npz", f"simulate {_DRAWN} --out y.npz"),
    WritingCommand("simulate parquet", f"simulate {_DRAWN} --out y.parquet"),
    WritingCommand("import", "import logs --out y.csv --no-cache"),
    WritingCommand("import over a file", "import logs --out a.csv --no-cache"),
    WritingCommand("score", "score run b.csv --out scores.csv", _FIT),
    WritingCommand("report", "report run --out page.html", _FIT),
    WritingCommand("report in the run", "report run", _FIT),
    WritingCommand("plot", "plot run --kind item-curves --out q.png", _FIT),
    WritingCommand("export", "export run out/respondents.csv out/items.md", _FIT),
    WritingCommand("health", "health run --keep --out items.csv", _FIT),
    WritingCommand("dif", "dif a.csv --groups groups.csv --out dif.csv"),
    WritingCommand("choose", "choose a.csv 3 --out short.json"),
    WritingCommand("predict", "predict a.csv b.csv --out scores.csv"),
    WritingCommand(
        "diff", "diff a.csv b.csv --a respondent_01 --b respondent_02 --out changed.csv"
    ),
    WritingCommand("gate", "gate c.csv d.csv --margin 0.1 --markdown gate.md --junit gate.xml"),
    WritingCommand("adapt start", "adapt start s.json --bank run --max-items 4", _FIT),
    WritingCommand("adapt next", "adapt next s.json --batch 2", _SHORT_TEST),
    WritingCommand("adapt record", "adapt record s.json --answers answers.csv", _WHOLE_TEST),
    WritingCommand("evaluate", f"evaluate {_TABLE} --out run"),
    WritingCommand("evaluate over a run", f"evaluate {_TABLE} --seed 5 --out run", _EVALUATED),
    WritingCommand("audit", f"audit {_TABLE} --out audit.csv --corrected clean.csv"),
    WritingCommand("confusion", f"confusion {_TABLE} --models 'Naive Bayes' --out confusion"),
    WritingCommand("robustness", f"robustness {_TABLE} --models random:2 {_NOISY} --out run"),
    WritingCommand("difficulty", f"difficulty {_TABLE} --cv 2 --out run"),
    WritingCommand(
        "datasets",
        f"datasets table2.csv table3.csv table4.csv {_TABLE} --splits 1 --measure brier --out run",
    ),
    WritingCommand(
        "noise",
        "noise prices.csv --target price --repeats 1 --level 0.5 --pool 'Linear regression'"
        " --pool 'Decision tree' --jobs 1 --out noise",
    ),
    WritingCommand(
        "taxonomy",
        f"taxonomy table2.csv {_TABLE} --models random:3 {_NOISY} --share 0.4 --out taxonomy",
    ),
)


def make_base(folder: Path) -> None:
    """Write what commands read."""
    folder.mkdir(parents=True)
    drawn = [ic.simulate("2pl", respondents=12, items=8, seed=seed).responses for seed in (1, 2)]
    for name, responses in zip("ab", drawn, strict=True):
        responses.save(folder / f"{name}.csv")
    for row, name in enumerate("cd"):
        drawn[0].take(rows=[row]).save(folder / f"{name}.csv")
    groups = [[name, "xy"[k % 2]] for k, name in enumerate(drawn[0].respondents)]
    _write(folder / "groups.csv", [["respondent", "group"], *groups])
    answers = [[item, k % 2] for k, item in enumerate(drawn[0].items)]
    _write(folder / "answers.csv", [["item", "response"], *answers])
    _write_judged(folder)
    _write_tables(folder)


def _write_judged(folder: Path) -> None:
    """Write votes, ratings and logs of four models."""
    rng, names = np.random.default_rng(3), ["m1", "m2", "m3", "m4"]
    pairs = [rng.choice(names, 2, replace=False) for _ in range(60)]
    votes = [[*pair, rng.choice(["a", "b", "tie"])] for pair in pairs]
    _write(folder / "votes.csv", [["model_a", "model_b", "winner"], *votes])
    cells = itertools.product(names, range(6), "AB")
    ratings = [[name, f"q{item}", judge, int(rng.integers(1, 5))] for name, item, judge in cells]
    _write(folder / "ratings.csv", [["respondent", "item", "rater", "rating"], *ratings])
    (folder / "logs").mkdir()
    for name in names:
        given = {f"q{k}": int(rng.integers(2)) for k in range(5)}
        line = json.dumps({"subject_id": name, "responses": given})
        (folder / "logs" / f"{name}.jsonlines").write_text(line + "\n")


def _write_tables(folder: Path) -> None:
    """Write tables to train on."""
    for seed, name in enumerate(("table", "table2", "table3", "table4")):
        X, y = sklearn.datasets.make_classification(40, 4, random_state=seed)
        rows = np.c_[X.round(3), y].tolist()
        _write(folder / f"{name}.csv", [["f1", "f2", "f3", "f4", "label"], *rows])
    X, y = sklearn.datasets.make_regression(40, 3, noise=5, random_state=0)
    _write(folder / "prices.csv", [["f1", "f2", "f3", "price"], *np.c_[X, y].round(3).tolist()])


def run_command(line: str, folder: Path) -> tuple[int, str]:
    """Run a command line in a folder, in this process; give its exit code and what it said."""
    text = io.StringIO()
    # Every command line is a process of its own, begun when leftovers have lain for a while.
    atomic_files.forget_folders()
    _make_older(folder)
    with _inside(folder), contextlib.redirect_stdout(text), contextlib.redirect_stderr(text):
        try:
            code = main.run(shlex.split(line))
        except SystemExit as end:
            code = int(end.code or 0)
    return int(code or 0), text.getvalue()


def _make_older(folder: Path) -> None:
    for path in folder.rglob(".*.tmp"):
        os.utime(path, (0, 0))


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

"""Odd tables of votes: each must give a fit without unflagged NaN, or an error of our own.

python -m benchmarks.odd_votes --tables 2000 --first 0
"""

import argparse
import sys
import tempfile
import traceback
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pandas

import itemcurve as ic
from itemcurve.errors import ItemcurveError

_WINNERS: tuple[Any, ...] = (
    *("a", "b", "tie", "both_bad", "model_a", "model_b", "tie (bothbad)", "A", " b ", "TIE"),
    *("", None, np.nan, "c", 1, 2, 0, 1.5, -1, "1", "2", True, "neither", "invalid"),
)
_IDS: tuple[Any, ...] = (
    "m1",
    "m2",
    "m3",
    "m4",
    "m5",
    "",
    None,
    7,
    1.0,
    "m1 ",
    "ü",
    "a",
    "b",
    "tie",
)
_NUMBERS: tuple[Any, ...] = (1, 2, 0, -1, 0.5, np.nan, np.inf, "x", None, 1e300, 10, 100, 1e-300)


def odd_votes(rng: np.random.Generator) -> tuple[pandas.DataFrame, dict[str, Any]]:
    """Draw a table and settings; most cells are usual, so that many tables can be fitted."""
    rows = int(rng.choice([0, 1, 2, 3, 5, 10, 40, 200, 400]))
    respondents = int(rng.choice([1, 2, 3, 5, 8, 30]))
    names = np.array([f"m{k}" for k in range(respondents)], dtype=object)
    first, second = (names[rng.integers(0, respondents, rows)] for _ in range(2))
    if respondents > 1 and rng.random() < 0.9:
        same = first == second
        second[same] = np.where(first[same] == "m0", "m1", "m0")
    winners = np.array(["a", "b", "tie", "both_bad"], dtype=object)
    winner = winners[rng.choice(4, rows, p=rng.dirichlet([2, 2, 1, 0.3]))]
    table: dict[str, Any] = {"respondent_a": first, "respondent_b": second, "winner": winner}
    _add_columns(rng, table, rows)
    if rng.random() < 0.3:
        _spoil(rng, table, rows)
    frame = pandas.DataFrame(table)
    if rng.random() < 0.05 and len(frame.columns):
        frame = frame.drop(columns=str(rng.choice(frame.columns)))
    if rng.random() < 0.1:
        frame = pandas.concat([frame, frame.head(3)])
    return frame, _settings(rng, table)


def _add_columns(rng: np.random.Generator, table: dict[str, Any], rows: int) -> None:
    if rng.random() < 0.4:
        table["judge"] = rng.choice(["j1", "j2", "j3"][: int(rng.integers(1, 4))], rows)
    if rng.random() < 0.4:
        table["item"] = rng.integers(0, int(rng.choice([1, 3, 30])), rows)
    if rng.random() < 0.2:
        table["weight"] = rng.choice([0.0, 0.5, 1.0, 3.0, 1e6], rows)
    if rng.random() < 0.3:
        table["length_a"], table["length_b"] = rng.integers(0, 100, rows), rng.integers(0, 9, rows)
    if rng.random() < 0.1:
        del table["winner"]
        table["probability_a"] = rng.random(rows)


def _spoil(rng: np.random.Generator, table: dict[str, Any], rows: int) -> None:
    """Put what does not belong there into some cells."""
    for name in list(table):
        if rng.random() < 0.5 or not rows:
            continue
        odd = _WINNERS if name == "winner" else _IDS if name[0] in "rji" else _NUMBERS
        column = np.array(table[name], dtype=object)
        for _ in range(int(rng.integers(1, 4))):
            column[rng.integers(0, rows)] = odd[int(rng.integers(0, len(odd)))]
        table[name] = column


def _settings(rng: np.random.Generator, table: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {"on_failure": "ignore"}
    for name, options in {
        "ties": ("half", "drop"),
        "order": (False, False, False, True),
        "judges": ("own",) if "judge" in table else ("same",) * 9 + ("own",),
        "items": ("own",) if "item" in table else ("same",) * 9 + ("own",),
        "prior": (0.5, 2.0, 1e-6, 1e6) * 4 + (0.0, -1.0),
        "errors": ("independent", "votes") * 4 + ("item", "judge"),
    }.items():
        if rng.random() < 0.3:
            found[name] = options[int(rng.integers(0, len(options)))]
    if rng.random() < 0.8:
        found |= {"repeats": "keep" if rng.random() < 0.5 else "first", "pieces": "largest"}
    if rng.random() < 0.03:
        found["reference"] = "m0" if rng.random() < 0.5 else "nobody"
    if "length_a" in table and rng.random() < 0.8:
        found["style"] = "length"
    return found


def try_votes(frame: pandas.DataFrame, settings: dict[str, Any]) -> str:
    """Fit and use everything of the fit; `fitted`, `refused`, or what went wrong."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            fit = ic.fit_pairs(frame, **settings)
            board = fit.frame()
            votes = fit.setup.votes
            used = [fit.effects(), fit.summary(), repr(fit), str(fit.findings())]
            used += [fit.judges()] if votes.judge is not None else []
            used += [fit.items()] if votes.item is not None else []
            with suppress(ItemcurveError):
                fit.predict(frame)
    except ItemcurveError:
        return "refused"
    unknown = board["strength"].isna() | board["lower"].isna() | board["upper"].isna()
    if unknown.any() and fit.status.name == "CONVERGED":
        return "NaN without a status"
    return "fitted"


def try_command(frame: pandas.DataFrame, folder: Path) -> str:
    """Run the command on the table in a file, and what reads its run."""
    from typer.testing import CliRunner

    from itemcurve.cli.main import app

    frame.to_csv(folder / "votes.csv", index=False)
    run = folder / "run"
    runner = CliRunner()
    result = runner.invoke(app, ["pairs", str(folder / "votes.csv"), "--out", str(run)])
    if result.exception is not None and not isinstance(
        result.exception, (SystemExit, ItemcurveError)
    ):
        raise result.exception
    if result.exit_code == 0:
        shown = runner.invoke(app, ["show", str(run), "--json"])
        if shown.exit_code:
            raise shown.exception or RuntimeError(shown.output)
    return "fitted" if result.exit_code == 0 else "refused"


def main() -> int:
    """Try many tables; what breaks is printed with its seed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.odd_votes", description=__doc__)
    parser.add_argument("--tables", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--commands", type=int, default=100, help="tables also given as files")
    given = parser.parse_args()
    counts: dict[str, int] = {}
    for seed in range(given.first, given.first + given.tables):
        frame, settings = odd_votes(np.random.default_rng(seed))
        try:
            found = try_votes(frame, settings)
            if seed - given.first < given.commands:
                with tempfile.TemporaryDirectory() as folder:
                    try_command(frame, Path(folder))
        except Exception:
            found = "broken"
            print(f"seed {seed}, {settings}\n{traceback.format_exc(limit=-3)}", flush=True)
        if found.startswith("NaN"):
            print(f"seed {seed}, {settings}: {found}", flush=True)
        counts[found] = counts.get(found, 0) + 1
    print(counts)
    return int(bool(set(counts) - {"fitted", "refused"}))


if __name__ == "__main__":
    sys.exit(main())

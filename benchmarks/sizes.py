"""What fits cost at every size, and a check that none has become slower.

Seconds of a processor differ from machine to machine; their ratio to a fixed piece of NumPy work,
the yardstick, hardly does. `make slowdown` measures the quick cases again and fails where one takes
1.5 times as many yardsticks as are kept in `results/sizes.json`.
"""

import sys
from collections.abc import Callable
from time import process_time

import numpy as np

import itemcurve as ic
from benchmarks.report import load_rows
from benchmarks.section import Column, Options, Row, Section, show_progress

# Respondents × items of complete 2PL responses, a thousand to a hundred million cells.
_COMPLETE = ((50, 20), (200, 50), (200, 81), (1_000, 100), (2_000, 500), (2_000, 1_000))
_LARGE = ((5_000, 2_000), (10_000, 10_000))
_QUICK_SECONDS = 1.0
_ALLOWED = 1.5
_REPEATS = 5


def measure(options: Options, cached: list[Row]) -> list[Row]:
    """Every case, once for the default and once for maximum likelihood."""
    sizes = _COMPLETE[:2] if options.small else _COMPLETE + _LARGE
    rows = [_row(*case) for case in _cases(sizes, with_others=not options.small)]
    for row in rows:
        show_progress(f"  {row}")
    return rows


def yardstick() -> float:
    """Seconds of a processor for a fixed mixture of products, exponentials and small calls."""
    rng = np.random.default_rng(0)
    matrix, columns = rng.normal(size=(600, 600)), rng.normal(size=(600, 48))

    def work() -> None:
        for _ in range(20):
            found = np.exp(-np.abs(matrix @ columns))
            (matrix.T @ found).sum(axis=0)
        for _ in range(2_000):
            np.add(columns[0], columns[1])

    return _best(work)


def _cases(
    sizes: tuple[tuple[int, int], ...], *, with_others: bool
) -> list[tuple[str, Callable[[], object], float]]:
    found = []
    for n_respondents, n_items in sizes:
        responses = _simulated(n_respondents, n_items)
        cells = float(n_respondents * n_items)
        size = f"{n_respondents:,} × {n_items:,}"
        for name, prior in (("2PL", "default"), ("2PL, maximum likelihood", None)):
            found.append((f"{name}, {size}", lambda r=responses, p=prior: _fit(r, prior=p), cells))
    if with_others:
        sparse = _sparse(20_000, 500, 200_000)
        found.append(("2PL, 200,000 answers of 10⁷ cells", lambda: _fit(sparse), 200_000.0))
        beta = ic.simulate("beta3", respondents=12, items=400, seed=1).responses
        found.append(("β³, 12 × 400", lambda: _fit(beta, "beta3"), 4_800.0))
    return found


def _fit(responses: ic.Responses, model: str = "2pl", **settings: object) -> object:
    return ic.fit(responses, model, on_failure="ignore", **settings)  # type: ignore[arg-type]


def _simulated(n_respondents: int, n_items: int) -> ic.Responses:
    """Responses of one byte each, drawn some rows at a time."""
    rng = np.random.default_rng(1)
    ability, difficulty = rng.normal(size=n_respondents), rng.normal(size=n_items)
    slope = np.exp(0.4 * rng.normal(size=n_items))
    found = np.empty((n_respondents, n_items), dtype=np.int8)
    for start in range(0, n_respondents, 500):
        rows = slice(start, start + 500)
        chance = 1 / (1 + np.exp(-slope * (ability[rows, None] - difficulty)))
        found[rows] = rng.random(chance.shape) < chance
    found.flags.writeable = False
    return ic.Responses.from_array(found)


def _sparse(n_respondents: int, n_items: int, answers: int) -> ic.Responses:
    from scipy.sparse import csr_array

    rng = np.random.default_rng(2)
    cells = rng.choice(n_respondents * n_items, answers, replace=False)
    rows, columns = np.divmod(cells, n_items)
    ability, difficulty = rng.normal(size=n_respondents), rng.normal(size=n_items)
    right = rng.random(answers) < 1 / (1 + np.exp(difficulty[columns] - ability[rows]))
    shape = n_respondents, n_items
    # Stored zeros are wrong answers, what is not stored was not asked.
    known = csr_array((right.astype(float), (rows, columns)), shape=shape)
    return ic.Responses.from_array(known).drop_empty()


def _best(work: Callable[[], object]) -> float:
    times = []
    for _ in range(_REPEATS):
        began = process_time()
        work()
        times.append(process_time() - began)
        if times[-1] > _QUICK_SECONDS:
            break
    return min(times)


def _row(name: str, work: Callable[[], object], cells: float) -> Row:
    unit, seconds = yardstick(), _best(work)
    return {"case": name, "cells": cells, "seconds": seconds, "yardsticks": seconds / unit}


def main() -> None:
    """Measure the quick cases again; exit with 1 where one has become slower."""
    kept = {row["case"]: row for row in load_rows(SECTION)}
    slower = []
    for name, work, cells in _cases(_COMPLETE, with_others=True):
        before = kept.get(name)
        if before is None:
            continue
        ratio = _row(name, work, cells)["yardsticks"] / before["yardsticks"]  # type: ignore[operator]
        show_progress(f"  {name}: {ratio:.2f} of what is kept")
        slower += [name] if ratio > _ALLOWED else []
    if slower:
        sys.exit(f"Slower than {_ALLOWED} times what is kept: {'; '.join(slower)}")


SECTION = Section(
    name="sizes",
    title="Cost against size",
    notes="Seconds of a processor, one BLAS thread, best of up to five; a yardstick is a fixed "
    f"piece of NumPy work. `make slowdown` fails where a quick case takes {_ALLOWED} times as many "
    "yardsticks as here.",
    columns=(
        Column("case", "case"),
        Column("cells", "responses", ",.0f"),
        Column("seconds", "seconds", ".4f"),
        Column("yardsticks", "yardsticks", ".2f"),
    ),
    measure=measure,
)

if __name__ == "__main__":
    main()

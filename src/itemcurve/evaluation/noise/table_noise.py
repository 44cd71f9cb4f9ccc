"""A sweep of noise over a table with a target column, without further ado."""

from collections.abc import Sequence
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal

from itemcurve.errors import EvaluationError
from itemcurve.evaluation.noise.noise_sweep import LEVELS, Kind, NoiseSweep, Place, noise_sweep
from itemcurve.evaluation.pools.named_pools import choose_pool
from itemcurve.evaluation.pools.pool import Pool
from itemcurve.evaluation.tables.labelled_table import choose_task, note_task
from itemcurve.evaluation.tables.row_parts import part_rows
from itemcurve.evaluation.tables.table_files import read_table
from itemcurve.evaluation.tables.table_parts import part_table

if TYPE_CHECKING:
    import pandas

_MEANINGS = {"labels": "labels flipped", "targets": "targets blurred"}


def sweep_table(
    table: "pandas.DataFrame | str | PathLike[str]",
    target: str | None = None,
    *,
    task: Literal["auto", "classification", "regression"] = "auto",
    kind: Literal["auto", "labels", "targets", "features"] = "auto",
    levels: Sequence[float] = LEVELS,
    repeats: int = 1,
    place: Place = "test",
    pool: str | Pool = "standard",
    model: str = "auto",
    test_share: float = 0.3,
    drop: Sequence[str] = (),
    seed: int = 0,
    **settings: Any,
) -> NoiseSweep:
    """Evaluate a pool on a table under more and more noise.

    Parameters
    ----------
    table, target, task, pool, test_share, drop, seed : as for `evaluate_table`.
    kind : of noise, as for `noise_sweep`; `"auto"` is labels of classes and targets of numbers.
    levels, repeats, place : as for `noise_sweep`.
    model : `"auto"` grades what models get right, as `evaluate_table` does. One that is named, as
        `"fractional-beta3"`, is fitted to all responses that it is made for (the probability of the
        right class, 1 / (1 + error)), with abilities in (0, 1), whose changes Moraes et al. tell in
        per cent.
    settings : as for `noise_sweep`.
    """
    frame = read_table(table) if isinstance(table, str | PathLike) else table
    source = part_table(frame, target, drop, can_group=False)
    found = choose_task(source.target, task)
    own: Kind = "labels" if found == "classification" else "targets"
    if kind in ("labels", "targets") and kind != own:
        raise EvaluationError(
            "Labels of classes can be flipped, and targets that are numbers blurred;",
            f"the target holds {'classes' if own == 'labels' else 'numbers'}, kind is {kind!r}.",
            f"Use kind {own!r} ({_MEANINGS[own]}; what it is when left out) or 'features' "
            "(features blurred).",
        )
    parts, said = part_rows(source, found, None, test_share, seed)
    if model != "auto":
        # As the paper fits it; a model that is not named is left its own method.
        settings = {"model": model, "method": "joint", **settings}
    sweep = noise_sweep(
        choose_pool(pool, found, seed),
        *(parts[name] for name in ("X_train", "y_train", "X_test", "y_test")),
        kind=own if kind == "auto" else kind,
        levels=levels,
        repeats=repeats,
        place=place,
        seed=seed,
        prepare="always",
        on_failure="ignore",
        **settings,
    )
    return replace(sweep, notes=(*source.notes, *note_task(source.target, task), *said))

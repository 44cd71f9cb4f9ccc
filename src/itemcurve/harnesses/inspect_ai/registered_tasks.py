"""What `inspect eval itemcurve/adaptive` runs: Inspect loads this by its entry point."""

from functools import cache
from pathlib import Path
from typing import Any

from itemcurve.adaptive.ability.stopping import StopRule, ability_se, any_of, max_items
from itemcurve.errors import ModelError
from itemcurve.estimation.saving.saved_fit import load
from itemcurve.harnesses.inspect_ai.adaptive_task import adaptive
from itemcurve.logs.harness.item_index import ItemIndex


def __getattr__(name: str) -> Any:
    """Register the task when Inspect asks for it; without Inspect nothing does."""
    if name != "adaptive_run":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _register()


@cache
def _register() -> Any:
    from inspect_ai import task

    return task(name="adaptive")(_make_adaptive)


def _make_adaptive(
    name: str,
    bank: str,
    most: int | None = None,
    se: float | None = None,
    batch: int = 32,
    metric: str | None = None,
    items: str | None = None,
    session: str | None = None,
    seed: int = 0,
    arguments: dict[str, Any] | None = None,
) -> Any:
    """Make a registered task adaptive.

    Parameters
    ----------
    name : of the task, with its package, as `inspect_evals/gsm8k`.
    bank : run folder that `itemcurve fit` wrote.
    most, se : stop after this many answers, or at this standard error of ability; one or both.
    items : list of items that `itemcurve import` wrote.
    batch, metric, session, seed : as in `itemcurve.inspect.adaptive`.
    arguments : of the task.
    """
    from inspect_ai.util import registry_create

    found = registry_create("task", name, **(arguments or {}))
    rules: list[StopRule] = [] if most is None else [max_items(most)]
    rules += [] if se is None else [ability_se(se)]
    if not rules:
        raise ModelError(
            "A run needs to know when it is over;", "neither most nor se was given.", "Add se=0.2."
        )
    return adaptive(
        found,
        load(Path(bank)).bank,
        any_of(*rules),
        batch=batch,
        metric=metric,
        index=None if items is None else ItemIndex.load(items),
        session=session,
        seed=seed,
    )

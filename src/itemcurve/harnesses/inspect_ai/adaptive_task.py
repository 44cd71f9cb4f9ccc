"""Any task of Inspect as an adaptive test."""

import os
from copy import copy
from typing import Any

from itemcurve.adaptive.ability.ability_test import AdaptiveTest
from itemcurve.adaptive.ability.stopping import StopRule
from itemcurve.adaptive.score.score_test import ScoreTest
from itemcurve.adaptive.selection.catalogue import get_rule
from itemcurve.adaptive.selection.contract import SelectionRule
from itemcurve.adaptive.selection.cost import CostAware
from itemcurve.bank.item_bank import Bank
from itemcurve.errors import MissingExtraError, ModelError
from itemcurve.harnesses.inspect_ai.early_end import EarlyEnd
from itemcurve.harnesses.inspect_ai.matched_samples import match_samples
from itemcurve.harnesses.inspect_ai.sample_answers import EpochAnswers, Repeats, check_repeats
from itemcurve.harnesses.inspect_ai.sample_feed import SampleFeed
from itemcurve.harnesses.kept_test import AnyTest, go_on, items_of
from itemcurve.logs.harness.item_index import ItemIndex


def adaptive(
    task: Any,
    bank: Bank | AnyTest,
    stop: StopRule | None = None,
    *,
    select: str | SelectionRule = "fisher",
    costs: dict[str, float] | None = None,
    batch: int = 32,
    rolling: bool = False,
    metric: str | None = None,
    repeats: Repeats = "first",
    index: ItemIndex | None = None,
    session: str | os.PathLike[str] | None = None,
    seed: int = 0,
) -> Any:
    """Make a task of Inspect ask only the samples that a test wants, until its rule ends it.

    The task runs as before, with its solver, scorer and sandboxes; its samples come from the test,
    in batches. Give the test itself to look at it when the run is over. One task is for one model.

    Parameters
    ----------
    task : an `inspect_ai.Task` over a fixed data set.
    bank : calibrated items, or a test (`AdaptiveTest`, `ScoreTest`) with settings of its own.
    stop, select, seed : as in `AdaptiveTest`; for a bank.
    costs : of every item: items are then chosen by what they tell per unit of cost.
    batch : how many samples are in flight at most; fewer at the beginning and near the end.
    rolling : ask a new sample whenever one is done, instead of waiting for its batch; faster where
        some samples take long, but what is asked then depends on which are done first.
    metric : the scorer that counts, or `"scorer.part"`; the first when left out.
    repeats : with several epochs the `"first"` counts, as when logs are read, or their `"mean"`.
    index : which sample is which item, from `LogResponses.index()`; else items are known by the ids
        of samples, or by the content in their names.
    session : file that keeps every answer; a run that was killed goes on from there, with the same
        call.

    Returns
    -------
    A task with the samples of the test.
    """
    inspect = _import_inspect()
    _check_task(task, batch)
    check_repeats(repeats)
    test = go_on(begin(bank, stop, select, costs, seed), session)
    epochs = int(getattr(task, "epochs", None) or 1)
    feed = SampleFeed(
        test=test,
        samples=match_samples(items_of(test), task.dataset, index),
        answers=EpochAnswers(epochs, repeats),
        batch=batch,
        is_rolling=rolling,
        metric=metric,
        session=session,
        model_now=_model_now,
    )
    source = inspect.SampleSource.from_samples(
        feed.initial_samples(),
        next_samples=feed.next_samples,
        sample_complete=feed.sample_complete,
        sample_abandoned=feed.sample_abandoned,
    )
    # Logs tell items apart by their task too: it keeps the name under which all samples were run.
    return inspect.task_with(copy(task), dataset=source, name=task.name)


def stop_early(
    bank: Bank | AnyTest,
    stop: StopRule | None = None,
    *,
    metric: str | None = None,
    repeats: Repeats = "first",
    index: ItemIndex | None = None,
) -> EarlyEnd:
    """Give what `Task(early_stopping=...)` takes: the run ends once the rule says so.

    Samples run in the order of the task, which this does not choose; where that may be chosen,
    `adaptive` needs fewer.

    Parameters
    ----------
    bank, stop, metric, repeats, index : as in `adaptive`.
    """
    _import_inspect()
    check_repeats(repeats)
    return EarlyEnd(begin(bank, stop, "fisher", None, 0), repeats, metric, index)


def begin(
    bank: Bank | AnyTest,
    stop: StopRule | None,
    select: str | SelectionRule,
    costs: dict[str, float] | None,
    seed: int,
) -> AnyTest:
    """Give the test of a bank, or the one that was given."""
    if not isinstance(bank, AdaptiveTest | ScoreTest):
        rule = get_rule(select)
        return AdaptiveTest(bank, CostAware(rule, costs) if costs else rule, stop, seed=seed)
    if stop is not None or costs is not None:
        raise ModelError(
            "A test has its rules already;",
            "a test and rules were given.",
            "Give the rules to the test, or the bank instead of it.",
        )
    return bank


def _check_task(task: Any, batch: int) -> None:
    if not isinstance(batch, int) or batch < 1:
        raise ModelError("A batch has 1 sample or more.", f"Got {batch!r}.", "Use batch=32.")
    if not hasattr(task, "dataset") or getattr(task, "sample_source", None) is not None:
        raise ModelError(
            "An adaptive test needs a task over a fixed data set.",
            f"Got {type(task).__name__}"
            f"{' with a source of samples' if hasattr(task, 'dataset') else ''}.",
            "Call the function of the task, as adaptive(arithmetic(), bank).",
        )
    if getattr(task, "early_stopping", None) is not None:
        raise ModelError(
            "Inspect combines no early stopping with samples that come as they go;",
            "the task has early_stopping.",
            "Leave it out: the rule to stop ends the run.",
        )


def _model_now() -> str:
    from inspect_ai.model import get_model

    return str(get_model())


def _import_inspect() -> Any:
    try:
        import inspect_ai
    except ImportError:
        raise MissingExtraError(
            "Tests inside Inspect need inspect_ai;",
            "it is not installed.",
            "Run: pip install 'itemcurve[inspect]'.",
        ) from None
    if not hasattr(inspect_ai, "SampleSource"):
        raise MissingExtraError(
            "Tests inside Inspect need a version with SampleSource;",
            f"installed is {getattr(inspect_ai, '__version__', 'an older one')}.",
            "Run: pip install -U inspect_ai.",
        )
    return inspect_ai

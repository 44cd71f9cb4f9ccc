"""All estimators on all folds: in parallel, resumable, with what failed and what warned."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import EvaluationError, StorageError
from itemcurve.evaluation.collecting.answer_cache import AnswerCache, answer_key, fold_key
from itemcurve.evaluation.collecting.features import are_texts
from itemcurve.evaluation.collecting.seeds import draw_anew
from itemcurve.evaluation.collecting.splits import Fold, Split
from itemcurve.evaluation.collecting.targets import Classes
from itemcurve.evaluation.collecting.training import FoldAnswer, ask
from itemcurve.evaluation.pools.pool import Pool
from itemcurve.showing.event_log import event_log
from itemcurve.workers import own_memory, run_tasks, undivided

_LOG = event_log(__name__)
# What estimators say of features that they cannot take.
_SIGNS_OF_FEATURES = ("NaN", "could not convert", "dtype", "must be numeric", "missing values")

Progress = Callable[[int, int, str], None]
"""Called after each training with how many are done, how many there are, and whose it was."""


@dataclass(frozen=True)
class Failure:
    """A respondent that was left out, and why."""

    respondent: str
    reason: str


@dataclass(frozen=True)
class Caution:
    """What an estimator warned of while it was trained or asked."""

    respondent: str
    text: str


@dataclass(frozen=True, eq=False)
class Collected:
    """The answers of all estimators that gave one.

    Attributes
    ----------
    names : of those that answered every item, in the order of the pool.
    values : respondents × items × classes, or respondents × items.
    hard : which of the names gave classes only, without probabilities.
    seconds : training and prediction of each, all folds together.
    resumed : how many answers came from the cache.
    others : values of further repetitions of a cross-validation.
    """

    names: tuple[str, ...]
    values: NDArray[np.float64]
    hard: tuple[str, ...]
    seconds: dict[str, float]
    failures: tuple[Failure, ...]
    cautions: tuple[Caution, ...]
    resumed: int
    others: tuple[NDArray[np.float64], ...] = ()


@dataclass(frozen=True, eq=False)
class _Job:
    position: int
    fold: int
    key: str | None


def collect(
    pool: Pool,
    split: Split,
    classes: Classes | None,
    *,
    n_jobs: int | None = None,
    cache: str | PathLike[str] | None = None,
    progress: Progress | None = None,
    fewest: int = 2,
) -> Collected:
    """Train every estimator on every fold and gather what they predict.

    Parameters
    ----------
    classes : all classes; None for regression.
    n_jobs : as joblib takes it; None leaves it to `joblib.parallel_config`, which also chooses
        the backend (processes, threads, Dask, Ray).
    cache : folder in which finished answers are kept at once.
    progress : called after each training.
    fewest : how many must answer.
    """
    store = None if cache is None else AnswerCache.at(cache)
    answers: dict[tuple[int, int], FoldAnswer | str] = {}
    total = len(pool) * len(split.folds)

    def keep(job: _Job, answer: FoldAnswer | str) -> None:
        answers[job.position, job.fold] = answer
        _tell(pool.names[job.position], job.fold, len(split.folds), answer)
        if progress is not None:
            progress(len(answers), total, pool.names[job.position])

    waiting = []
    for job in _jobs(pool, split, classes, with_keys=store is not None):
        known = store.read(job.key) if store is not None and job.key is not None else None
        if known is not None and len(known.values) == len(split.folds[job.fold].rows):
            keep(job, known)
        else:
            waiting.append(job)
    resumed = len(answers)
    for job, answer in _run(waiting, pool, split, classes, store, n_jobs):
        if store is not None and _is_lost(store, job, answer):
            _write(store, job, answer)
        keep(job, answer)
    found = _gather(pool, split, classes, answers, resumed)
    _refuse_too_few(found, fewest, are_texts(split.folds[0].X_test))
    return found


def _tell(name: str, fold: int, folds: int, answer: FoldAnswer | str) -> None:
    """Say in the log what came of a training."""
    if isinstance(answer, str):
        _LOG.warning("%s failed in fold %d of %d: %s", name, fold + 1, folds, answer)
    else:
        _LOG.info("%s, fold %d of %d, took %.2f s", name, fold + 1, folds, answer.seconds)


def _jobs(pool: Pool, split: Split, classes: Classes | None, with_keys: bool) -> Iterator[_Job]:
    folds = [fold_key(fold, classes) if with_keys else "" for fold in split.folds]
    for position in range(len(pool)):
        for fold, data in enumerate(folds):
            estimator = _asked(pool, split, position, fold)
            yield _Job(position, fold, answer_key(estimator, data) if with_keys else None)


def _asked(pool: Pool, split: Split, position: int, fold: int) -> Any:
    """Give an estimator as it is trained in this fold."""
    return draw_anew(pool.estimators[position], split.folds[fold].repeat)


def _run(
    jobs: list[_Job],
    pool: Pool,
    split: Split,
    classes: Classes | None,
    store: AnswerCache | None,
    n_jobs: int | None,
) -> Iterable[tuple[_Job, FoldAnswer | str]]:
    from joblib import delayed

    return run_tasks(
        (
            # Tables one by one: within another object, Dask would send them with every task.
            delayed(_work)(
                *(job, _asked(pool, split, job.position, job.fold)),
                *_tables(split.folds[job.fold]),
                *(classes, store),
            )
            for job in jobs
        ),
        n_jobs,
    )


def _tables(fold: Fold) -> tuple[Any, Any, Any, NDArray[np.intp], Any]:
    return fold.X_train, fold.y_train, fold.X_test, fold.rows, fold.weights


def _work(
    job: _Job,
    estimator: Any,
    X_train: Any,
    y_train: Any,
    X_test: Any,
    rows: NDArray[np.intp],
    weights: Any,
    classes: Classes | None,
    store: AnswerCache | None,
) -> tuple[_Job, FoldAnswer | str]:
    """Ask one estimator; keep its answer from within the worker, before anything can end it."""
    fold = Fold(own_memory(X_train), own_memory(y_train), own_memory(X_test), rows, weights)
    with undivided():
        answer = ask(estimator, fold, classes)
    if store is not None:
        # A worker on another machine may not reach the folder; then the caller writes.
        with suppress(StorageError):
            _write(store, job, answer)
    return job, answer


def _write(store: AnswerCache, job: _Job, answer: FoldAnswer | str) -> None:
    if job.key is not None and isinstance(answer, FoldAnswer):
        store.write(job.key, answer)


def _is_lost(store: AnswerCache, job: _Job, answer: FoldAnswer | str) -> bool:
    return isinstance(answer, FoldAnswer) and job.key is not None and not store.holds(job.key)


def _gather(
    pool: Pool,
    split: Split,
    classes: Classes | None,
    answers: dict[tuple[int, int], FoldAnswer | str],
    resumed: int,
) -> Collected:
    shape = (len(split.answers),) if classes is None else (len(split.answers), len(classes.names))
    repeats = max(fold.repeat for fold in split.folds) + 1
    names, failures, hard = [], [], []
    values: list[list[NDArray[np.float64]]] = [[] for _ in range(repeats)]
    cautions: list[Caution] = []
    seconds: dict[str, float] = {}
    for position, name in enumerate(pool.names):
        own = [answers[position, fold] for fold in range(len(split.folds))]
        cautions += _cautions(name, own)
        reason = _reason(own)
        if reason:
            failures.append(Failure(name, reason))
            continue
        names.append(name)
        for repeat, part in enumerate(values):
            part.append(_average(split, own, shape, repeat))
        seconds[name] = sum(a.seconds for a in own if isinstance(a, FoldAnswer))
        if any(isinstance(a, FoldAnswer) and a.is_hard for a in own):
            hard.append(name)
    stacked = tuple(np.stack(part) if part else np.empty((0, *shape)) for part in values)
    return Collected(
        tuple(names),
        stacked[0],
        tuple(hard),
        seconds,
        tuple(failures),
        tuple(cautions),
        resumed,
        stacked[1:],
    )


def _average(
    split: Split, answers: list[FoldAnswer | str], shape: tuple[int, ...], repeat: int
) -> NDArray[np.float64]:
    """Give the mean prediction of each item in one repetition; of most there is one."""
    total, counts = np.zeros(shape), np.zeros(len(split.answers))
    for fold, answer in zip(split.folds, answers, strict=True):
        if fold.repeat != repeat:
            continue
        assert isinstance(answer, FoldAnswer)
        total[fold.rows] += answer.values
        counts[fold.rows] += 1
    return total / counts.reshape(-1, *(1 for _ in shape[1:]))


def _reason(answers: list[FoldAnswer | str]) -> str:
    failed = [(fold, answer) for fold, answer in enumerate(answers, 1) if isinstance(answer, str)]
    if not failed:
        return ""
    fold, reason = failed[0]
    return f"{reason} (fold {fold} of {len(answers)})" if len(answers) > 1 else reason


def _cautions(name: str, answers: list[FoldAnswer | str]) -> list[Caution]:
    texts = {
        text for answer in answers if isinstance(answer, FoldAnswer) for text in answer.warnings
    }
    return [Caution(name, text) for text in sorted(texts)]


def _refuse_too_few(found: Collected, fewest: int, have_texts: bool) -> None:
    if len(found.names) >= fewest:
        return
    failures = found.failures
    told = "; ".join(f"{f.respondent}: {f.reason}" for f in failures[:3])
    raise EvaluationError(
        "At least two respondents must answer to be compared;"
        if fewest > 1
        else "At least one respondent must answer;",
        f"{len(found.names)} did" + (f", {len(failures)} failed ({told})." if failures else "."),
        say_remedy(failures, have_texts) or "Add estimators, or mend what they say is wrong.",
    )


def say_remedy(failures: Iterable[Failure], have_texts: bool) -> str:
    """Say what may help estimators that failed; nothing where their own words must do."""
    if have_texts:
        return "Texts need pipelines that begin with a vectoriser, as TfidfVectorizer()."
    reasons = " ".join(failure.reason for failure in failures)
    if any(sign in reasons for sign in _SIGNS_OF_FEATURES):
        return "prepare='always' fills gaps and encodes text."
    return ""

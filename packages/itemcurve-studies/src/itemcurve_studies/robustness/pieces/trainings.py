"""The trainings of a data set, classifier by classifier: small pieces of a long run, on disk.

Of the pool that difficulty comes from it is kept which instances each classifier answers right, of
the families which classes they name, with and without noise. A piece is trained by the same calls
as `estimate_difficulty` and `system_curves` make; put together, all of them give the same numbers.
Two things are done once that those do again and again: the table of a data set is prepared once for
all its pieces, and of classifiers that only a seed without use tells apart one is trained.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from itemcurve.estimation.fit import fit
from itemcurve.estimation.marginal.settings import Marginal
from itemcurve.evaluation.collecting.answer_collection import Failure
from itemcurve.evaluation.collecting.splits import Split, cross_validate
from itemcurve.evaluation.collecting.targets import Classes, check_labels, find_classes
from itemcurve.evaluation.collecting.training_plan import TrainingPlan
from itemcurve.evaluation.difficulty.instance_difficulty import Difficulty
from itemcurve.evaluation.difficulty.robustness import NamedClasses
from itemcurve.evaluation.noise.noisy_split import add_noisy_rows
from itemcurve.evaluation.pools.pool import Pool
from itemcurve.evaluation.tables.gap_filling import as_tables
from itemcurve.evaluation.tables.table_preparation import prepare_tables
from itemcurve.responses.matrix import Responses
from itemcurve.workers import run_tasks
from itemcurve_studies.robustness.calibration_pool import calibration_pool, find_twins
from itemcurve_studies.robustness.data import LoadedSet
from itemcurve_studies.robustness.families import robust_families
from itemcurve_studies.robustness.size import Size
from itemcurve_studies.study.finished_parts import FinishedParts

Kind = Literal["pool", "families"]
Arrays = dict[str, NDArray[Any]]

# Of the paper, and of `system_curves`.
_NOISE = 0.2
_SEED = 0


@dataclass(frozen=True)
class Piece:
    """One classifier on all folds of one data set."""

    kind: Kind
    name: str


def list_pieces(size: Size) -> tuple[Piece, ...]:
    """Give the pieces that each data set has: classifiers that answer the same are one piece."""
    kinds: tuple[Kind, ...] = ("families", "pool")
    return tuple(
        Piece(kind, name)
        for kind in kinds
        for name in dict.fromkeys(find_twins(_pool(kind, size, 2)).values())
    )


def name_piece(data_set: str, size: Size, piece: Piece) -> str:
    """Name a piece among the finished parts."""
    rows = "all" if size.rows is None else size.rows
    return f"trained-{data_set}-{rows}-{size.folds}/{piece.kind}-{piece.name.replace(' ', '-')}"


def train_piece(one: LoadedSet, size: Size, piece: Piece, parts: FinishedParts) -> Arrays:
    """Train a classifier on every fold, or read what came of it."""
    name = name_piece(one.source.name, size, piece)
    return parts.arrays(name, lambda: _train(one, size, piece))


def estimate_from_pieces(one: LoadedSet, size: Size, parts: FinishedParts) -> Difficulty:
    """Do as `estimate_difficulty` does, with the pool in pieces."""
    names, found, failures = _gather(one, size, "pool", parts)
    right = np.array([piece["right"] for piece in found], dtype=np.float64)
    fitted = fit(
        Responses.from_array(right, names),
        "rasch",
        method=Marginal(over="respondents"),
        on_failure="ignore",
    )
    return Difficulty(fitted, one.X, one.y, failures)


def name_classes(one: LoadedSet, size: Size, parts: FinishedParts) -> NamedClasses:
    """Give the classes that the families name, with their trainings in pieces."""
    names, found, failures = _gather(one, size, "families", parts)
    labels, classes = _read_labels(one)
    return NamedClasses(
        names,
        np.array([piece["chosen"] for piece in found], dtype=np.intp),
        classes.positions(labels),
        classes.names,
        failures,
        tuple(map(str, found[0]["notes"])),
    )


def _gather(
    one: LoadedSet, size: Size, kind: Kind, parts: FinishedParts
) -> tuple[tuple[str, ...], list[Arrays], tuple[Failure, ...]]:
    """Train what is missing, side by side, and read all pieces of a kind."""
    from joblib import delayed

    pieces = [piece for piece in list_pieces(size) if piece.kind == kind]
    missing = [
        piece for piece in pieces if not parts.has_arrays(name_piece(one.source.name, size, piece))
    ]
    for _ in run_tasks((delayed(train_piece)(one, size, piece, parts) for piece in missing), -1):
        pass
    trained = {piece.name: train_piece(one, size, piece, parts) for piece in pieces}
    twins = find_twins(_pool(kind, size, one.X.shape[1]))
    known = {name: trained[twin] for name, twin in twins.items()}
    failures = [
        Failure(name, str(found["failure"])) for name, found in known.items() if "failure" in found
    ]
    for failure in failures:
        del known[failure.respondent]
    return tuple(known), list(known.values()), tuple(failures)


def _train(one: LoadedSet, size: Size, piece: Piece) -> Arrays:
    labels, classes = _read_labels(one)
    pool = _pool(piece.kind, size, one.X.shape[1])
    member = pool.estimators[pool.names.index(piece.name)]
    plan = TrainingPlan(_SEED, "never", n_jobs=1, cache=None, progress=False)
    split = _prepare(one, size.folds, piece.kind)
    found, notes = plan.collect(Pool((piece.name,), (member,)), split, classes, fewest=0)
    if found.failures:
        return {"failure": np.array(found.failures[0].reason, dtype=np.str_)}
    chosen = found.values[0].argmax(axis=1)
    if piece.kind == "pool":
        return {"right": chosen == classes.positions(labels)}
    return {"chosen": chosen.astype(np.int16), "notes": np.array(notes, dtype=np.str_)}


def _read_labels(one: LoadedSet) -> tuple[NDArray[Any], Classes]:
    labels = check_labels(one.y, "y")
    return labels, find_classes(labels)


# On wide tables a preparation takes longer than most trainings.
@lru_cache(maxsize=1)
def _prepare(one: LoadedSet, folds: int, kind: Kind) -> Split:
    """Give the folds with tables prepared as by `prepare="always"`."""
    labels, _ = _read_labels(one)
    split = as_tables(_split(one, labels, folds, kind))
    # The folds are the same for any classifiers that do not prepare tables themselves.
    _, ready, notes = prepare_tables(robust_families(), split)
    return replace(ready, notes=(*ready.notes, *notes))


def _split(one: LoadedSet, labels: NDArray[Any], folds: int, kind: Kind) -> Split:
    split = cross_validate(one.X, labels, folds, is_stratified=True, seed=_SEED)
    return split if kind == "pool" else add_noisy_rows(split, _NOISE, None, _SEED)


def _pool(kind: Kind, size: Size, attributes: int) -> Pool:
    if kind == "families":
        return robust_families(attributes, quick=size.is_quick)
    return calibration_pool(size.seeds, attributes, is_quick=size.is_quick)

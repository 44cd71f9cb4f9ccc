"""Classifiers as respondents: train, predict, grade, fit."""

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, Literal

import numpy as np

from itemcurve.analysis.predictions import Predictions
from itemcurve.errors import EvaluationError
from itemcurve.estimation.method import Method
from itemcurve.evaluation.collecting.answer_collection import Collected, Progress
from itemcurve.evaluation.collecting.data_parts import DataParts
from itemcurve.evaluation.collecting.splits import Split, check_repeats
from itemcurve.evaluation.collecting.targets import Classes, check_labels, find_classes
from itemcurve.evaluation.collecting.training_plan import Prepare, TrainingPlan
from itemcurve.evaluation.evaluation_result import Evaluation
from itemcurve.evaluation.grading.assembly import assemble, name_items
from itemcurve.evaluation.grading.grades import ClassResponse, check_plan
from itemcurve.evaluation.pools.constant_names import name_constants
from itemcurve.evaluation.pools.pool import Pool, as_pool, check_kind
from itemcurve.models.contract import ItemModel

# Classes named one by one in the notes.
_MOST_NAMED = 3

WithoutProbabilities = Literal["labels", "calibrate"]


def evaluate_classifiers(
    estimators: Pool | Mapping[str, Any] | Sequence[Any],
    X_train: Any = None,
    y_train: Any = None,
    X_test: Any = None,
    y_test: Any = None,
    *,
    cv: Any = None,
    repeats: int = 1,
    groups: Any = None,
    sample_weight: Any = None,
    response: ClassResponse | None = None,
    model: str | ItemModel | None = None,
    method: str | Method | None = None,
    items: Iterable[object] | None = None,
    prepare: Prepare = "auto",
    without_probabilities: WithoutProbabilities = "labels",
    seed: int | None = 0,
    n_jobs: int | None = None,
    cache: str | PathLike[str] | None = None,
    progress: bool | Progress | None = None,
    **fit_settings: Any,
) -> Evaluation:
    """Measure the abilities of classifiers and the difficulties of test instances.

    Parameters
    ----------
    estimators : scikit-learn classifiers: a dict from name to estimator, a list, a pool such as
        `pools.standard_classifiers()`, or one alone. One that fails is warned of, told in
        `failures` and left out.
    X_train, y_train : to train on; with `cv` all there is. Tables, arrays, sparse matrices, lists
        of texts or images. Left out, estimators are asked as they are, trained before.
    X_test, y_test : instances to predict, which become the items; none with `cv`.
    cv : number of folds, a scikit-learn splitter, or a list of pairs (rows to train on, rows to
        predict): rows are predicted by classifiers that were trained without them. Rows that are
        never predicted, as the first of a time series, are no items; of rows that are predicted
        several times the mean prediction counts.
    repeats : with a number of folds, how often rows are parted anew. Whether a label is suspect
        moves with the folds; all repetitions judge it together, and say how firm that is. All else
        is of the first.
    groups : one per row: with `cv`, rows of a group are never on both sides; with a test part, one
        per row of it. They are kept, for `evaluation.strengths()`.
    sample_weight : one per row to train on, for the estimators whose `fit` takes it.
    response : `"skill"` (default), the probability that the chosen class is the true one, given
        what all classifiers and the label say; `"probability"` given to the label, as Chen et al.
        (2019) fit it; or `"correct"`, 1 or 0.
    model, method : as for `fit`. `"auto"` (default) takes a logistic model with equal, shrunk or
        free slopes, whichever the data bear, and leaves classifiers that always answer the same
        out of the fit; for probabilities `fractional-beta3` (`fractional-2pl` from 150 respondents
        on). A model that is named is fitted as it is, to all, and the leaderboard is then ranked by
        its ability; `response` follows from it when left out.
    items : ids; taken from the table's index or numbered when left out.
    prepare : whether to fill gaps and encode text (`build_preparation`) before estimators that are
        not pipelines: `"auto"` does it for tables with columns that are not numbers.
    without_probabilities : classifiers without `predict_proba`: `"labels"` counts the class they
        name as probability 1, `"calibrate"` adds a logistic calibration by 3-fold
        cross-validation to those with a `decision_function`.
    seed : for every `random_state` left open, and for `cv`; None leaves them open.
    n_jobs : as joblib takes it; None obeys `joblib.parallel_config`.
    cache : folder that keeps finished predictions, so that an interrupted run resumes.
    progress : whether to show a bar; None (default) shows one where somebody watches, a terminal
        or a notebook. Or a function that is called after each training with the number done, the
        total, and whose it was.
    fit_settings : further arguments of `itemcurve.fit`.

    Returns
    -------
    An evaluation with `.responses`, `.fit`, `.leaderboard()`, `.audit()`, `.failures`.

    Examples
    --------
    >>> import itemcurve as ic
    >>> from sklearn.datasets import make_moons
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> X, y = make_moons(200, noise=0.3, random_state=0)
    >>> pool = [LogisticRegression(), GaussianNB(), KNeighborsClassifier()]
    >>> ic.evaluate_classifiers(pool, X[:100], y[:100], X[100:], y[100:]).responses.shape
    (3, 100)
    """
    plan = TrainingPlan(seed, prepare, n_jobs, cache, progress)
    pool = as_pool(estimators)
    check_kind(pool, "classification")
    check_plan(response, model, method, fit_settings, "classification", evaluate_classifiers)
    parts = DataParts(X_train, y_train, X_test, y_test, cv, groups, sample_weight)
    check_repeats(repeats, cv, groups)
    split, classes = _split(parts, pool, plan.split_seed, repeats)
    if not parts.is_trained:
        pool = name_constants(_with_probabilities(pool, without_probabilities), classes.names)
    names = name_items(items, split.index, len(split.answers), split.items)
    found, notes = plan.collect(pool, split, classes)
    predictions = Predictions(
        found.names,
        names,
        classes.names,
        found.values,
        classes.positions(split.answers),
        found.others,
    )
    return assemble(
        predictions,
        response=response,
        model=model,
        method=method,
        fit_settings=fit_settings,
        failures=found.failures,
        cautions=found.cautions,
        notes=(*notes, *_notes(found, split, classes)),
        settings={
            **plan.describe(split, found),
            "without_probabilities": without_probabilities,
        },
        rows=parts.describe_items(split),
        groups=parts.groups_of_items(split),
    )


def _split(parts: DataParts, pool: Pool, seed: int, repeats: int) -> tuple[Split, Classes]:
    if parts.cv is not None:
        labels = check_labels(parts.y_train, "y")
        split = parts.cross_validate(labels, is_stratified=True, seed=seed, repeats=repeats)
        return split, find_classes(labels)
    asked = check_labels(parts.y_test, "y_test")
    if parts.is_trained:
        known = [np.asarray(e.classes_) for e in pool.estimators if hasattr(e, "classes_")]
        # Classes that were not trained on numbers come by name; those that were, fail by name.
        alike = [own for own in known if (own.dtype.kind in "OSU") == (asked.dtype.kind in "OSU")]
        every = [check_labels(own, "classes_") for own in alike]
        return parts.ask_only(pool, asked), find_classes(asked, *every, may_be_rare=True)
    known_labels = check_labels(parts.y_train, "y_train")
    classes = find_classes(known_labels, asked)
    find_classes(known_labels)
    return parts.hold_out(known_labels, asked), classes


def _with_probabilities(pool: Pool, rule: str) -> Pool:
    if rule == "labels":
        return pool
    if rule != "calibrate":
        raise EvaluationError(
            "without_probabilities must be 'labels' or 'calibrate';",
            f"given is {rule!r}.",
            "Leave it out to count named classes as probability 1.",
        )
    return Pool(pool.names, tuple(_calibrated(e) for e in pool.estimators), pool.references)


def _calibrated(estimator: Any) -> Any:
    from sklearn.calibration import CalibratedClassifierCV

    if hasattr(estimator, "predict_proba") or not hasattr(estimator, "decision_function"):
        return estimator
    return CalibratedClassifierCV(estimator, method="sigmoid", cv=3, ensemble=False)


def _notes(found: Collected, split: Split, classes: Classes) -> list[str]:
    notes = []
    if found.hard:
        named = ", ".join(found.hard[:5]) + (", …" if len(found.hard) > 5 else "")
        notes.append(f"Without probabilities, the named class counts as 1: {named}.")
    known = [set(fold.y_train.tolist()) for fold in split.folds if fold.y_train is not None]
    pairs = zip(classes.values.tolist(), classes.names, strict=True)
    lacking = {name: sum(value not in labels for labels in known) for value, name in pairs}
    absent = [name for name, count in lacking.items() if count]
    notes += [
        f"Class {name!r} is not in {lacking[name]} of {len(known)} training sets; classifiers "
        "trained there give it probability 0."
        for name in absent[:_MOST_NAMED]
    ]
    if len(absent) > _MOST_NAMED:
        notes.append(f"So it is with {len(absent) - _MOST_NAMED} more classes.")
    return notes

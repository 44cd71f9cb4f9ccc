"""Folds that predict every instance twice: as it is, and with noise."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from itemcurve.errors import EvaluationError
from itemcurve.evaluation.collecting.splits import Fold, Split
from itemcurve.evaluation.noise.perturbation import Perturbation, perturb_features


def add_noisy_rows(
    split: Split, noise: float | Perturbation, attributes: int | Sequence[Any] | None, seed: int
) -> Split:
    """Add a noisy copy of every predicted row; the copies come after all clean rows.

    Standard deviations, frequencies and the choice of attributes come from the training part of
    each fold alone.
    """
    count = len(split.answers)
    folds = []
    for place, fold in enumerate(split.folds):
        rng = np.random.default_rng([seed, 3, place])
        noisy = _perturb(fold, noise, attributes, rng)
        rows = np.concatenate([fold.rows, fold.rows + count])
        folds.append(Fold(fold.X_train, fold.y_train, _stack(fold.X_test, noisy), rows))
    answers = np.concatenate([split.answers, split.answers])
    return Split(tuple(folds), answers, None, f"{split.description}, each clean and noisy")


def rank_attributes(fold: Fold) -> list[Any]:
    """Order the columns of a fold by mutual information with the class, in the training part."""
    from sklearn.feature_selection import mutual_info_classif

    table, is_category = _encode(fold.X_train)
    found = mutual_info_classif(table, fold.y_train, discrete_features=is_category, random_state=0)
    columns = list(fold.X_train.columns) if hasattr(fold.X_train, "iloc") else range(len(found))
    return [columns[place] for place in np.argsort(-found, kind="stable")]


def _perturb(
    fold: Fold,
    noise: float | Perturbation,
    attributes: int | Sequence[Any] | None,
    rng: np.random.Generator,
) -> Any:
    if callable(noise):
        if attributes is not None:
            raise EvaluationError(
                "attributes choose columns for the noise that comes with itemcurve;",
                "given is also a function of one's own.",
                "Choose columns inside of that function.",
            )
        noisy = noise(fold.X_test, fold.X_train, rng)
        if getattr(noisy, "shape", None) != fold.X_test.shape:
            raise EvaluationError(
                "A perturbation gives as many rows and columns as it takes;",
                f"from {fold.X_test.shape} it gave {getattr(noisy, 'shape', type(noisy))}.",
                "Return noisy rows of the same shape.",
            )
        return noisy
    columns = rank_attributes(fold)[:attributes] if isinstance(attributes, int) else attributes
    return perturb_features(fold.X_test, fold.X_train, noise, rng, columns=columns)


def _stack(clean: Any, noisy: Any) -> Any:
    if hasattr(clean, "iloc"):
        import pandas

        return pandas.concat([clean, noisy], ignore_index=True)
    if hasattr(clean, "toarray"):
        clean = clean.toarray()
    return np.concatenate([clean, noisy])


def _encode(X: Any) -> tuple[Any, Any]:
    """Give numbers for all columns, gaps as the median, and which columns are categories."""
    import pandas

    table = pandas.DataFrame(X.toarray() if hasattr(X, "toarray") else X).infer_objects()
    found = np.empty(table.shape)
    is_category = np.zeros(table.shape[1], dtype=bool)
    for place in range(table.shape[1]):
        column = table.iloc[:, place]
        is_number = pandas.api.types.is_numeric_dtype(column)
        is_category[place] = not is_number or pandas.api.types.is_bool_dtype(column)
        if is_category[place]:
            found[:, place] = pandas.factorize(column)[0]
        else:
            numbers = column.to_numpy(np.float64, na_value=np.nan)
            gap = np.nanmedian(numbers) if np.isfinite(numbers).any() else 0.0
            found[:, place] = np.where(np.isfinite(numbers), numbers, gap)
    return found, is_category

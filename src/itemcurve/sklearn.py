"""The scikit-learn face: an item response model as an estimator, and a search that tests."""

from typing import Any, Self, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from itemcurve.bank.ability_estimation import ScoringMethod, score
from itemcurve.errors import ModelError
from itemcurve.estimation.fit import fit
from itemcurve.evaluation.search.adaptive_search import AdaptiveSearchCV
from itemcurve.responses.matrix import Responses

__all__ = ["AdaptiveSearchCV", "ItemResponseModel"]


class ItemResponseModel(TransformerMixin, BaseEstimator):
    """Fit items on one set of respondents, measure the ability of others.

    Rows of `X` are respondents, columns are items; NaN marks what was not answered.

    Parameters
    ----------
    model : name of an item response model, as for `itemcurve.fit`.
    method : name of a method or its settings, as for `itemcurve.fit`.
    scoring : how `transform` measures abilities: `"eap"`, `"map"`, `"ml"` or `"wle"`.
    binarize : responses above this count as right (1), others as wrong (0); None takes them as
        they are.
    with_errors : whether `transform` gives a second column with standard errors.

    Attributes
    ----------
    result_ : the `FitResult`.
    bank_ : the calibrated items.
    abilities_ : of the respondents fitted (respondents).
    n_features_in_ : number of items.

    Examples
    --------
    >>> import itemcurve as ic
    >>> from itemcurve.sklearn import ItemResponseModel
    >>> X = ic.simulate("2pl", respondents=300, items=20, seed=1).responses.array()
    >>> ItemResponseModel("2pl").fit(X).transform(X[:3]).shape
    (3, 1)
    """

    def __init__(
        self,
        model: str = "2pl",
        *,
        method: Any = "marginal",
        scoring: ScoringMethod = "eap",
        binarize: float | None = None,
        with_errors: bool = False,
    ) -> None:
        self.model = model
        self.method = method
        self.scoring = scoring
        self.binarize = binarize
        self.with_errors = with_errors

    def fit(self, X: ArrayLike, y: object = None) -> Self:
        """Estimate items and abilities.

        Parameters
        ----------
        X : responses (respondents × items).
        y : not used.
        """
        values = self._checked(X, is_first=True)
        self.result_ = fit(self._responses(values), self.model, method=self.method)
        self.bank_ = self.result_.bank
        self.abilities_ = np.asarray(self.result_.estimates.abilities)
        return self

    def transform(self, X: ArrayLike) -> NDArray[np.float64]:
        """Give the ability of each respondent (respondents × 1, or × 2 with errors)."""
        check_is_fitted(self)
        responses = self._responses(self._checked(X, is_first=False))
        scores = score(self.bank_, responses, method=self.scoring)
        columns = [scores.ability, scores.ability_se] if self.with_errors else [scores.ability]
        return np.stack(columns, axis=1)

    def score(self, X: ArrayLike, y: object = None) -> float:
        """Give the mean log-likelihood of a response at the estimated abilities; higher is better.

        Parameters
        ----------
        X : responses (respondents × items).
        y : not used.
        """
        from itemcurve.models.likelihood import Likelihood
        from itemcurve.numerics.engine import NUMPY

        check_is_fitted(self)
        responses = self._responses(self._checked(X, is_first=False))
        abilities = score(self.bank_, responses, method="eap").ability
        estimates = self.result_.estimates
        likelihood = Likelihood(estimates.model)
        curves = likelihood.curves(NUMPY, abilities, estimates.values)
        total = likelihood.log_base(responses)
        for channel, curve in zip(likelihood.channels(responses), curves, strict=True):
            product = curve.T if channel is None else channel * curve.T
            total += float(product.sum())
        return total / max(responses.n_observed, 1)

    def get_feature_names_out(self, input_features: object = None) -> NDArray[np.object_]:
        """Give the names of the columns that `transform` gives."""
        check_is_fitted(self)
        names = ["ability", "ability_se"] if self.with_errors else ["ability"]
        return np.array(names, dtype=object)

    def _checked(self, X: ArrayLike, *, is_first: bool) -> NDArray[np.float64]:
        values = validate_data(
            self,
            X,
            reset=is_first,
            dtype=np.float64,
            ensure_all_finite="allow-nan",
            ensure_min_samples=2 if is_first else 1,
            # A wrong number of items is better told as such than as too few.
            ensure_min_features=2 if is_first else 1,
        )
        return cast(NDArray[np.float64], values)

    def _responses(self, values: NDArray[np.float64]) -> Responses:
        if self.binarize is not None:
            right = (values > self.binarize).astype(float)
            values = np.where(np.isnan(values), np.nan, right)
        if not np.isfinite(values).any():
            raise ModelError(
                "At least one response must be observed.", "All are NaN.", "Check the array."
            )
        names = getattr(self, "feature_names_in_", None)
        return Responses.from_array(values, items=None if names is None else list(names))

    def __sklearn_tags__(self) -> Tags:
        """Say what input this estimator takes."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

"""How hard every instance of a data set is, from the answers of many classifiers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import EvaluationError
from itemcurve.estimation.marginal.settings import Marginal
from itemcurve.estimation.result import FitResult
from itemcurve.evaluation.classifiers import evaluate_classifiers
from itemcurve.evaluation.collecting.answer_collection import Failure, Progress
from itemcurve.evaluation.collecting.training_plan import Prepare
from itemcurve.evaluation.pools.pool import Pool
from itemcurve.evaluation.pools.random_pools import random_pool
from itemcurve.numerics.engine import Array

if TYPE_CHECKING:
    import pandas

    from itemcurve.analysis.model_fit.item_fit import ItemFit

DifficultyModel = Literal["1pl", "2pl", "3pl", "beta3"]
_MODELS = ("1pl", "2pl", "3pl", "beta3")
# Of the paper: difficulties beyond are no longer told apart by the pool.
USUAL_RANGE = (-6.0, 6.0)


@dataclass(frozen=True, eq=False)
class Difficulty:
    """Difficulties of all instances on one scale.

    Attributes
    ----------
    fit : the model of the pool's answers; its items are the instances.
    X, y : the data, in the same order.
    failures : classifiers of the pool that were left out.
    """

    fit: FitResult
    X: Any
    y: NDArray[Any]
    failures: tuple[Failure, ...] = ()

    @cached_property
    def values(self) -> Array:
        """Difficulty of each instance; of β³ its logit, so that all models share a line."""
        given = self.fit.locations.values
        return np.log(given) - np.log1p(-given) if self._is_unit else given

    @cached_property
    def errors(self) -> Array:
        """Standard errors of the values."""
        _, given, errors = self.fit.locations
        return errors / (given * (1 - given)) if self._is_unit else errors

    @property
    def is_usable(self) -> NDArray[np.bool_]:
        """Whether an instance has its place in the order from easy to hard.

        Not with negative discrimination. Of models in which instances have slopes of their own,
        nor outside [−6, 6]: there flat instances lie. With one slope for all, those outside are
        the ones that nearly all answer alike, the easiest and the hardest there are; they stay.
        """
        slopes = self.fit.slopes.values
        has_one_slope = bool(np.ptp(slopes) < 1e-9)
        return np.asarray(~self._is_negative & (self._is_inside | has_one_slope))

    @property
    def flags(self) -> list[str]:
        """What is unusual about each instance, in words."""
        found = []
        for inside, negative in zip(self._is_inside, self._is_negative, strict=True):
            words = ("" if inside else "outside [-6, 6]", "negative" if negative else "")
            found.append(", ".join(word for word in words if word))
        return found

    @cached_property
    def item_fit(self) -> "ItemFit":
        """Goodness of fit of every instance: infit, outfit, a χ² test."""
        from itemcurve.analysis.model_fit.item_fit import item_fit

        return item_fit(self.fit)

    def frame(self) -> "pandas.DataFrame":
        """One row per instance: difficulty, its error, share of right answers, fit, flags."""
        import pandas

        return pandas.DataFrame(
            {
                "item": self.fit.responses.items,
                "label": self.y,
                "difficulty": self.values,
                "difficulty_se": self.errors,
                "mean_response": self.fit.responses.means(axis=0),
                "infit": self.item_fit.infit,
                "outfit": self.item_fit.outfit,
                "p_adjusted": self.item_fit.p_adjusted,
                "flags": self.flags,
            }
        )

    def summary(self) -> dict[str, float]:
        """Mean, standard deviation and shape of the difficulties, and how well the model fits."""
        from scipy.stats import kurtosis, skew

        usual = self.values[self._is_inside & ~self._is_negative]
        p_values = self.item_fit.p_adjusted
        known = np.isfinite(p_values)
        return {
            "instances": float(len(self.values)),
            "outside": float((~self._is_inside).mean()),
            "negative": float(self._is_negative.mean()),
            "mean": float(usual.mean()),
            "sd": float(usual.std(ddof=1)),
            "skewness": float(skew(usual)),
            "excess_kurtosis": float(kurtosis(usual)),
            "infit": float(np.nanmean(self.item_fit.infit)),
            "outfit": float(np.nanmean(self.item_fit.outfit)),
            "misfitting": float((p_values[known] < 0.05).mean()) if known.any() else np.nan,
        }

    @property
    def _is_inside(self) -> NDArray[np.bool_]:
        return np.asarray((self.values >= USUAL_RANGE[0]) & (self.values <= USUAL_RANGE[1]))

    @property
    def _is_negative(self) -> NDArray[np.bool_]:
        return np.asarray(self.fit.slopes.values < 0)

    @property
    def _is_unit(self) -> bool:
        return bool(self.fit.estimates.model.latent.is_logit)

    def __repr__(self) -> str:
        return f"Difficulty({len(self.values):,} instances, {self.fit.model}, {self.fit.status})"


def estimate_difficulty(
    X: Any,
    y: Any,
    pool: Pool | Mapping[str, Any] | Sequence[Any] | None = None,
    *,
    cv: Any = 5,
    model: DifficultyModel = "1pl",
    seed: int | None = 0,
    prepare: Prepare = "auto",
    n_jobs: int | None = None,
    cache: str | PathLike[str] | None = None,
    progress: bool | Progress | None = None,
    **fit_settings: Any,
) -> Difficulty:
    """Estimate how hard each instance is, from classifiers that were trained without it.

    Parameters
    ----------
    X, y : the data set.
    pool : respondents; 200 random classifiers (`pools.random_pool`) when left out.
    cv : number of folds, or a scikit-learn splitter: only out-of-fold answers count, and one model
        is fitted to the answers of all folds, so that all difficulties lie on one scale.
    model : `"1pl"`, `"2pl"` or `"3pl"` of right and wrong answers, `"beta3"` of the probability
        given to the right class (its fractional form; difficulties as logits). The 1PL has slope 1,
        so that its difficulties are logits too, and integrates over the classifiers: then a fixed
        prior decides how easy an instance is that all answer, not the spread of the others.
    seed, prepare, n_jobs, cache, progress, fit_settings : as for `evaluate_classifiers`.

    Examples
    --------
    >>> import itemcurve as ic
    >>> from sklearn.datasets import make_moons
    >>> X, y = make_moons(100, noise=0.3, random_state=0)
    >>> ic.robustness.estimate_difficulty(X, y, pool=ic.pools.random_pool(20)).values.shape
    (100,)
    """
    if model not in _MODELS:
        raise EvaluationError(
            f"Difficulties come from one of the models {', '.join(_MODELS)};",
            f"given is {model!r}.",
            "Leave it out for 1pl.",
        )
    is_shared = model == "beta3"
    if model == "1pl":
        fit_settings.setdefault("method", Marginal(over="respondents"))
    evaluation = evaluate_classifiers(
        random_pool() if pool is None else pool,
        X,
        y,
        cv=cv,
        response="probability" if is_shared else "correct",
        model={"1pl": "rasch", "beta3": "fractional-beta3"}.get(model, model),
        prepare=prepare,
        seed=seed,
        n_jobs=n_jobs,
        cache=cache,
        progress=progress,
        **fit_settings,
    )
    if evaluation.responses.shape[1] != len(y):
        raise EvaluationError(
            "Every row must be predicted to have a difficulty;",
            f"this split predicts {evaluation.responses.shape[1]} of {len(y)}.",
            "Use a number of folds, or KFold.",
        )
    return Difficulty(evaluation.fit, X, np.asarray(y), evaluation.failures)

"""Estimators of scores by name."""

from collections.abc import Mapping

from itemcurve.adaptive.prediction.blended import predict_blended
from itemcurve.adaptive.prediction.contract import ScoreEstimator
from itemcurve.adaptive.prediction.guarded import predict_guarded
from itemcurve.adaptive.prediction.irt_difference import predict_by_difference
from itemcurve.adaptive.prediction.irt_prediction import predict_by_irt
from itemcurve.adaptive.prediction.ridge import predict_by_ridge
from itemcurve.adaptive.prediction.ridge_aipw import predict_by_ridge_aipw
from itemcurve.adaptive.prediction.sample_mean import predict_by_sample_mean
from itemcurve.adaptive.prediction.stacked import predict_stacked
from itemcurve.errors import ModelError

ESTIMATORS: Mapping[str, ScoreEstimator] = {
    "sample-mean": predict_by_sample_mean,
    "irt": predict_by_irt,
    "irt-difference": predict_by_difference,
    "blended": predict_blended,
    "ridge": predict_by_ridge,
    "ridge-aipw": predict_by_ridge_aipw,
    "guarded": predict_guarded,
    "stacked": predict_stacked,
}
NEEDS_RESPONSES = frozenset({"ridge", "ridge-aipw", "guarded", "stacked"})


def get_estimator(name: str, has_responses: bool) -> ScoreEstimator:
    """Give an estimator by name; `"default"` is the best that the calibration allows."""
    if name == "default":
        name = "stacked" if has_responses else "blended"
    if name not in ESTIMATORS:
        raise ModelError(
            f"A score estimator is one of default, {', '.join(ESTIMATORS)}.",
            f"Got {name!r}.",
            "Leave it out if unsure.",
        )
    if name in NEEDS_RESPONSES and not has_responses:
        raise ModelError(
            f"The estimator {name!r} needs calibration responses of at least 5 respondents.",
            "Only a bank, or a smaller fit, was given.",
            "Pass the fit itself or calibration responses, or use 'blended'.",
        )
    return ESTIMATORS[name]

"""The default: a stack of linear predictions, with a guard for newcomers."""

import numpy as np

from itemcurve.adaptive.prediction.contract import Calibration, Prediction, Sample
from itemcurve.adaptive.prediction.linear import Asked, ScoreProblem
from itemcurve.adaptive.prediction.score_predictor import ScorePredictor, train_predictor


def predict_stacked(calibration: Calibration, sample: Sample) -> Prediction:
    """Stack mean, kriging over items and population regression, as cross-validation weighs them.

    Weights are learnt over the calibration respondents and pulled to equal ones where these are
    few; answers to items of other groups join as a fourth prediction. For a respondent unlike
    those calibrated on, kriging from its own answers takes over.
    """
    return train_for(calibration, sample).predict(sample.values)


def train_for(calibration: Calibration, sample: Sample) -> ScorePredictor:
    """Learn the prediction that a sample's items allow."""
    assert calibration.responses is not None
    size = calibration.n_items
    weights = np.full(size, 1 / size) if calibration.weights is None else calibration.weights
    problem = ScoreProblem(calibration.responses, weights, calibration.external)
    chances = np.ones(sample.size) if sample.chances is None else sample.chances
    return train_predictor(problem, Asked(sample.places, chances), sample.repeat)

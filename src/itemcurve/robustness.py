"""Robustness to noise by difficulty: difficulties, curves of systems, what they tell."""

from typing import TYPE_CHECKING

from itemcurve.lazy_names import attach

if TYPE_CHECKING:
    from itemcurve.analysis.robustness.change_profiles import change_profiles as change_profiles
    from itemcurve.analysis.robustness.class_makeup import (
        choose_by_difficulty as choose_by_difficulty,
    )
    from itemcurve.analysis.robustness.class_makeup import class_makeup as class_makeup
    from itemcurve.analysis.robustness.class_makeup import flag_strays as flag_strays
    from itemcurve.analysis.robustness.class_makeup import noise_destinations as noise_destinations
    from itemcurve.analysis.robustness.data_complexity import data_complexity as data_complexity
    from itemcurve.analysis.robustness.kappa_losses import kappa_losses as kappa_losses
    from itemcurve.analysis.robustness.kappa_profiles import kappa_profiles as kappa_profiles
    from itemcurve.analysis.robustness.system_curves import SystemCurves as SystemCurves
    from itemcurve.analysis.robustness.taxonomy import taxonomy as taxonomy
    from itemcurve.analysis.robustness.verdict_notes import explain_verdicts as explain_verdicts
    from itemcurve.evaluation.difficulty.attribute_items import (
        measure_attributes as measure_attributes,
    )
    from itemcurve.evaluation.difficulty.difficulty_explanation import (
        explain_difficulty as explain_difficulty,
    )
    from itemcurve.evaluation.difficulty.difficulty_prediction import (
        check_difficulty as check_difficulty,
    )
    from itemcurve.evaluation.difficulty.difficulty_prediction import (
        predict_difficulty as predict_difficulty,
    )
    from itemcurve.evaluation.difficulty.instance_difficulty import (
        estimate_difficulty as estimate_difficulty,
    )
    from itemcurve.evaluation.difficulty.robustness import system_curves as system_curves
else:
    __getattr__, __dir__ = attach(__name__)

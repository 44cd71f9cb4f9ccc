"""Noise for data and labels, what it does to an evaluation, and labels without it."""

from typing import TYPE_CHECKING

from itemcurve.lazy_names import attach

if TYPE_CHECKING:
    from itemcurve.evaluation.noise.ability_loss import (
        measure_ability_loss as measure_ability_loss,
    )
    from itemcurve.evaluation.noise.ability_variation import compare_variation as compare_variation
    from itemcurve.evaluation.noise.added_noise import blur_features as blur_features
    from itemcurve.evaluation.noise.added_noise import blur_targets as blur_targets
    from itemcurve.evaluation.noise.added_noise import flip_labels as flip_labels
    from itemcurve.evaluation.noise.image_noise import ImageNoise as ImageNoise
    from itemcurve.evaluation.noise.label_cleaning import clean_labels as clean_labels
    from itemcurve.evaluation.noise.noise_sweep import noise_sweep as noise_sweep
    from itemcurve.evaluation.noise.perturbation import perturb_features as perturb_features
    from itemcurve.evaluation.noise.table_noise import sweep_table as sweep_table
    from itemcurve.evaluation.noise.text_noise import TextNoise as TextNoise
else:
    __getattr__, __dir__ = attach(__name__)

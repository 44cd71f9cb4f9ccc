"""Pictures of the adaptive study, after figures 1 and 2, and errors along the test."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from itemcurve_studies.adaptive.calibration import PAPER_MODELS
from itemcurve_studies.adaptive.experiment import AdaptiveStudy
from itemcurve_studies.adaptive.tables import error_path, kendall, rank_sequences

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def list_pictures(study: AdaptiveStudy) -> Mapping[str, Callable[[], "Figure"]]:
    """Give functions that draw, by name."""
    return {
        "figure_1_curves": lambda: _draw_curves(study),
        "figure_2_agreement": lambda: _draw_agreement(study),
        "errors_along_the_test": lambda: _draw_errors(study),
    }


def _draw_curves(study: AdaptiveStudy) -> "Figure":
    """Expected accuracy on the most and the least discriminating data set, with the pool's own."""
    import matplotlib.pyplot as plt

    fits = study.measures["accuracy"].fits
    slopes = fits[PAPER_MODELS[0]].items["discrimination"].to_numpy()
    chosen = (int(np.argmax(slopes)), int(np.argmin(slopes)))
    figure, axes = plt.subplots(2, len(PAPER_MODELS), figsize=(9, 7), layout="constrained")
    for column, model in enumerate(PAPER_MODELS):
        found = fits[model]
        abilities = found.respondents["ability"].to_numpy()
        margin = np.ptp(abilities) / 2
        points = np.linspace(abilities.min() - margin, abilities.max() + margin, 101)
        curves = found.bank.expected_response(points)
        for row, item in enumerate(chosen):
            ax = axes[row, column]
            ax.plot(points, curves[:, item])
            ax.plot(abilities, found.responses.array()[:, item], ".", color="0.5")
            title = f"{study.table.datasets[item]}, {model}"
            ax.set(ylim=(0, 1), xlabel="ability", ylabel="accuracy", title=title[:50])
    return figure


def _draw_agreement(study: AdaptiveStudy) -> "Figure":
    """Kendall's τ of all pairs of sequences, one panel per measure."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(2, 3, figsize=(12, 8), layout="constrained")
    for ax, measure in zip(axes.ravel(), study.measures, strict=True):
        names, ranks = rank_sequences(study, measure)
        taus = [[kendall(first, second) for second in ranks] for first in ranks]
        drawn = ax.imshow(taus, vmin=-1, vmax=1)
        ax.set_xticks(range(len(names)), names, rotation=90, fontsize=6)
        ax.set_yticks(range(len(names)), names, fontsize=6)
        ax.set(title=measure)
        figure.colorbar(drawn, ax=ax)
    return figure


def _draw_errors(study: AdaptiveStudy) -> "Figure":
    """RMSE of gradient boosting along the test, one panel per measure."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(2, 3, figsize=(12, 7), layout="constrained")
    for ax, (measure, found) in zip(axes.ravel(), study.measures.items(), strict=True):
        for model, line in zip(PAPER_MODELS, ("-", "--"), strict=True):
            for rule, colour in (("fisher", "tab:blue"), ("random", "tab:orange")):
                path = error_path(found.sequences[model][rule], 0)
                ax.plot(path, line, color=colour, label=f"{model}, {rule}")
        ax.set(xscale="symlog", xlabel="tests", ylabel="RMSE", title=measure)
    axes[0, 0].legend(fontsize=6)
    return figure

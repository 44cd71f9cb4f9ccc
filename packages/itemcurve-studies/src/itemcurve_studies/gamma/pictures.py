"""Pictures of the Γ study, after figures 5 to 10 and 12."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.bank.item_bank import Bank
from itemcurve_studies.gamma.experiment import GammaStudy
from itemcurve_studies.gamma.item_claims import pick_examples
from itemcurve_studies.gamma.polynomial import SIGMAS
from itemcurve_studies.gamma.real_estate import RealEstate
from itemcurve_studies.gamma.regressors import LINEAR, METHODS, NONLINEAR, RESPONDENTS
from itemcurve_studies.gamma.variation import measure_variation

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_LEVELS = (0, 10, 20)
_COLOURS = {**dict.fromkeys(LINEAR, "tab:orange"), **dict.fromkeys(NONLINEAR, "tab:blue")}


def list_pictures(study: GammaStudy) -> Mapping[str, Callable[[], "Figure"]]:
    """Give functions that draw, by name."""
    houses = study.real_estate
    drawn = {
        "figure_5_curves": lambda: _draw_curves(study),
        "figure_6_items": lambda: _draw_items(study),
        "figure_7_difficulty_discrimination": lambda: _draw_pairs(study),
        "figure_8_abilities": lambda: _draw_abilities(study),
        "figure_9_variation": lambda: _draw_variation(study),
    }
    if houses is None:
        return drawn
    return {
        **drawn,
        "figure_10_real_estate": lambda: _draw_real_estate(houses),
        "figure_12_ability_error": lambda: _draw_ability_error(houses),
    }


def _draw_curves(study: GammaStudy) -> "Figure":
    """Expected normalised errors of two items with the respondents' own."""
    import matplotlib.pyplot as plt

    found = study.polynomial
    level = _LEVELS[1]
    figure, axes = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
    points = np.linspace(-3.0, 3.0, 121)
    for ax, item, name in zip(axes, pick_examples(found), ("hard", "easy"), strict=True):
        d, a = (v[0, level, 0, item] for v in (found.difficulty, found.discrimination))
        bank = Bank.from_parameters("gamma-normalised", discrimination=[a], difficulty=[d])
        ax.plot(1 / (1 + np.exp(-points)), bank.expected_response(points)[:, 0])
        ax.plot(found.abilities[0, level, 0], 1 / found.scores[0, level, :, item] - 1, "o")
        ax.set(
            yscale="log", xlabel="ability", ylabel="normalised error", title=f"{name}: δ={d:.2f}"
        )
    return figure


def _draw_items(study: GammaStudy) -> "Figure":
    """Difficulty (size) and discrimination (colour) along x at three levels."""
    import matplotlib.pyplot as plt

    found = study.polynomial
    figure, axes = plt.subplots(1, 3, figsize=(12, 4), sharey=True, layout="constrained")
    for ax, level in zip(axes, _LEVELS, strict=True):
        drawn = ax.scatter(
            found.x[0],
            found.targets[0, level],
            s=10 + 150 * found.difficulty[0, level, 0],
            c=found.discrimination[0, level, 0],
        )
        figure.colorbar(drawn, ax=ax, label="discrimination")
        ax.set(xlabel="x", ylabel="y", title=f"σ = {SIGMAS[level]:g}")
    return figure


def _draw_pairs(study: GammaStudy) -> "Figure":
    """Difficulty against discrimination at three levels."""
    import matplotlib.pyplot as plt

    found = study.polynomial
    figure, axes = plt.subplots(1, 3, figsize=(12, 4), sharey=True, layout="constrained")
    for ax, level in zip(axes, _LEVELS, strict=True):
        d, a = (v[0, level, 0] for v in (found.difficulty, found.discrimination))
        ax.scatter(d, a, c=np.log(found.item_errors[0, level]))
        ax.set(xlabel="difficulty", ylabel="discrimination", title=f"σ = {SIGMAS[level]:g}")
    return figure


def _draw_abilities(study: GammaStudy) -> "Figure":
    """Mean abilities by noise, one panel per method."""
    import matplotlib.pyplot as plt

    found = study.polynomial
    figure, axes = plt.subplots(1, len(METHODS), figsize=(11, 4.5), layout="constrained")
    for m, (ax, method) in enumerate(zip(axes, METHODS, strict=True)):
        for place, name in enumerate(RESPONDENTS):
            means = found.abilities[:, :, m, place].mean(axis=0)
            ax.plot(SIGMAS, means, color=_COLOURS.get(name, "0.3"))
            ax.annotate(name, (SIGMAS[-1], means[-1]), fontsize=6)
        ax.set(xlabel="σ of the noise", ylabel="ability", title=method)
    return figure


def _draw_variation(study: GammaStudy) -> "Figure":
    """The heat map, one panel per method."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(len(METHODS), 1, figsize=(9, 8), layout="constrained")
    for m, (ax, method) in enumerate(zip(axes, METHODS, strict=True)):
        found = measure_variation(study.polynomial, m)
        gaps = (found.ability - found.absolute).T
        bound = np.quantile(np.abs(gaps), 0.9)
        drawn = ax.imshow(gaps, cmap="PiYG_r", vmin=-bound, vmax=bound, aspect="auto")
        ax.set_yticks(range(len(RESPONDENTS)), RESPONDENTS, fontsize=7)
        ax.set(xlabel="step of noise", title=f"%Δability − %ΔMAE, {method}")
        figure.colorbar(drawn, ax=ax)
    return figure


def _draw_real_estate(found: RealEstate) -> "Figure":
    """Difficulty and discrimination along the first component, first split."""
    import matplotlib.pyplot as plt

    figure, ax = plt.subplots(figsize=(6, 4.5), layout="constrained")
    size, colour = 10 + 150 * found.difficulty[0, 0], found.discrimination[0, 0]
    drawn = ax.scatter(found.component[0], found.targets[0], s=size, c=colour)
    figure.colorbar(drawn, ax=ax, label="discrimination")
    ax.set(xlabel="first component", ylabel="price, standardised")
    return figure


def _draw_ability_error(found: RealEstate) -> "Figure":
    """Ability against mean normalised error, first split."""
    import matplotlib.pyplot as plt

    figure, ax = plt.subplots(figsize=(6, 4.5), layout="constrained")
    ax.plot(found.abilities[0, 0], found.errors[0], "o")
    for place, name in enumerate(RESPONDENTS):
        ax.annotate(name, (found.abilities[0, 0, place], found.errors[0, place]), fontsize=6)
    ax.set(xlabel="ability", ylabel="mean normalised error", yscale="log")
    return figure

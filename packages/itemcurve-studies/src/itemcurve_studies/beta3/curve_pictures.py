"""Figures 1, 2, 4 and 6 of the study of β³: the model, its curves, and items in the plane."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.bank.item_bank import Bank
from itemcurve_studies.beta3.example_items import KINDS
from itemcurve_studies.beta3.tables import select
from itemcurve_studies.study.result import figure_of

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_DIFFICULTIES, _SLOPES = (0.2, 0.5, 0.8), (0.5, 1.0, 2.0, -1.0)


def list_curve_pictures(
    tables: "Mapping[str, pandas.DataFrame]",
) -> dict[str, Callable[[], "Figure"]]:
    """Give the functions that draw, by name; the last need the examples."""
    found: dict[str, Callable[[], Figure]] = {
        "figure_1_model": _draw_model,
        "figure_2_curves": _draw_curves,
    }
    if "figure_4_items" not in tables:
        return found
    items, answers = tables["figure_4_items"], tables["figure_6_answers"]
    for name in dict.fromkeys(items["data"]):
        found[f"figure_4_{name}_map"] = partial(_draw_map, select(items, data=name), str(name))
    found["figure_6_answers"] = partial(_draw_answers, select(answers, data="clusters"))
    return found


def _draw_model() -> "Figure":
    """Figure 1: what depends on what."""
    from itemcurve.plots.drawing.style import FAINT, INK, new_axes, set_title

    ax = new_axes(None, (6.4, 3.6))
    ax.set(xlim=(0, 10), ylim=(0, 6))
    ax.set_axis_off()
    places = {"θ": (1.6, 3), "p": (5, 3), "δ": (8.2, 4.4), "a": (8.2, 1.6)}
    for name, (x, y) in places.items():
        fill = "#DDDDDD" if name == "p" else "white"
        ax.scatter([x], [y], s=900, facecolor=fill, edgecolor=INK, lw=1.2, zorder=3)
        index = {"θ": "ᵢ", "p": "ᵢⱼ", "δ": "ⱼ", "a": "ⱼ"}[name]
        ax.annotate(name + index, (x, y), ha="center", va="center", fontsize=12, zorder=4)
    for name in ("θ", "δ", "a"):
        arrow = {"arrowstyle": "->", "color": INK, "lw": 1.1, "shrinkA": 17, "shrinkB": 17}
        ax.annotate("", places["p"], places[name], arrowprops=arrow)
    for x, y, width, height, text in (
        (0.5, 1.9, 5.6, 2.3, "respondents i"),
        (3.9, 0.4, 5.6, 5.2, "items j"),
    ):
        from matplotlib.patches import Rectangle

        ax.add_patch(Rectangle((x, y), width, height, fill=False, ec=FAINT, lw=0.9))
        ax.annotate(text, (x + 0.15, y + 0.15), color=FAINT, fontsize=9)
    ax.annotate("B(1, 1)", (1.6, 4.6), ha="center", fontsize=9, color=FAINT)
    ax.annotate("B(1, 1)", (8.2, 5.2), ha="center", fontsize=9, color=FAINT)
    ax.annotate("N(1, σ²)", (8.2, 0.65), ha="center", fontsize=9, color=FAINT)
    set_title(ax, "β³-IRT", "pᵢⱼ ~ Beta((θᵢ/δⱼ)^aⱼ, ((1 − θᵢ)/(1 − δⱼ))^aⱼ); grey: observed")
    return figure_of(ax)


def _draw_curves() -> "Figure":
    """Figure 2: curves by difficulty, one panel per discrimination."""
    from itemcurve.plots.drawing.style import COLOURS, add_legend, new_panels, set_title

    panels = new_panels(None, 1, len(_SLOPES), (3.6 * len(_SLOPES) + 0.8, 3.6))
    ability = np.linspace(0.005, 0.995, 199)
    for ax, slope in zip(panels, _SLOPES, strict=True):
        bank = Bank.from_parameters(
            "beta3",
            discrimination=[slope] * len(_DIFFICULTIES),
            difficulty=list(_DIFFICULTIES),
        )
        curves = bank.expected_response(np.log(ability / (1 - ability)))
        for place, value in enumerate(_DIFFICULTIES):
            ax.plot(ability, curves[:, place], color=COLOURS[place], lw=2, label=f"{value:g}")
        ax.set(xlabel="ability", ylabel="expected response", xlim=(0, 1), ylim=(0, 1))
        set_title(ax, f"discrimination {slope:g}")
    add_legend(panels[-1], title="difficulty")
    return figure_of(panels[0])


def _draw_map(items: "pandas.DataFrame", name: str) -> "Figure":
    """Figure 4: difficulty and discrimination in the plane of the features."""
    from itemcurve.plots.drawing.style import COLOURS, new_panels, set_title

    panels = new_panels(None, 1, 2, (11.4, 4.4))
    for ax, value in zip(panels, ("difficulty", "discrimination"), strict=True):
        drawn = ax.scatter(
            items["x"], items["y"], c=items[value], cmap="viridis_r", s=26, lw=0, alpha=0.9
        )
        wrong = items[items["flipped"]]
        ax.scatter(wrong["x"], wrong["y"], s=52, facecolor="none", edgecolor=COLOURS[1], lw=0.9)
        ax.figure.colorbar(drawn, ax=ax, label=value, pad=0.02)
        ax.set(xlabel="first feature", ylabel="second feature")
        told = f"{len(wrong)} of {len(items)} labels flipped (rings)"
        set_title(ax, f"{name.capitalize()}, {value}", told)
    return figure_of(panels[0])


def _draw_answers(answers: "pandas.DataFrame") -> "Figure":
    """Figure 6: four items' curves, and what each classifier answers to them."""
    from itemcurve.plots.drawing.style import new_panels

    panels = new_panels(None, 2, 2, (11.6, 9.4))
    for ax, kind in zip(panels, KINDS, strict=True):
        _draw_answer(ax, select(answers, kind=kind), kind)
    return figure_of(panels[0])


def _draw_answer(ax: "Axes", own: "pandas.DataFrame", kind: str) -> None:
    from itemcurve.plots.drawing.style import COLOURS, GRID, set_title

    d, a = float(own["difficulty"].iloc[0]), float(own["discrimination"].iloc[0])
    ability = np.linspace(0.005, 0.995, 199)
    bank = Bank.from_parameters("beta3", discrimination=[a], difficulty=[d])
    curve = np.asarray(bank.expected_response(np.log(ability / (1 - ability))))[:, 0]
    ax.plot(ability, curve, color=COLOURS[0], lw=2)
    ax.scatter(own["ability"], own["response"], marker="*", s=55, color=COLOURS[1], lw=0, zorder=3)
    ax.set(
        xlabel="ability", ylabel="probability of the given label", xlim=(0, 1), ylim=(-0.02, 1.02)
    )
    set_title(ax, kind.capitalize(), f"difficulty {d:.2f}, discrimination {a:.2f}")
    order = own.sort_values("response", kind="stable")
    heights = np.maximum.accumulate(order["response"].to_numpy() - 0.055 * np.arange(len(own)))
    heights = heights + 0.055 * np.arange(len(own))
    heights = np.minimum(heights, 1.0 - 0.055 * np.arange(len(own))[::-1])
    for row, height in zip(order.to_dict("records"), heights.tolist(), strict=True):
        ax.annotate(
            row["respondent"],
            (row["ability"], row["response"]),
            (1.03, height),
            textcoords=("axes fraction", "data"),
            fontsize=8,
            va="center",
            arrowprops={"arrowstyle": "-", "color": GRID, "lw": 0.6, "relpos": (0, 0.5)},
        )

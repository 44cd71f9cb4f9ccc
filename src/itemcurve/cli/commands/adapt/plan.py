"""`itemcurve adapt plan`: how precise a test will be and what it will cost, before it starts."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from itemcurve.cli.options.frequent_options import Calibration, Groups, Json

if TYPE_CHECKING:
    from pathlib import Path

    from itemcurve.adaptive.score.precision_plan import PrecisionPlan
    from itemcurve.adaptive.simulation.rule_comparison import RuleComparison

EXAMPLE = "Example: itemcurve adapt plan responses.npz --half-width 0.05"


def plan_command(
    calibration: Calibration,
    half_width: Annotated[
        float | None, typer.Option(help="Say how many items reach this half-width.")
    ] = None,
    budget: Annotated[
        float | None,
        typer.Option(help="Say how many items this pays, in the unit of the logs' costs."),
    ] = None,
    groups: Groups = None,
    rules: Annotated[
        bool,
        typer.Option(
            "--rules",
            help="For ability, of a run: which rule of `adapt start --select` has converged after "
            "how many items, by replaying the calibration's respondents (4 fits).",
        ),
    ] = False,
    seed: Annotated[int, typer.Option(min=0, help="Of the items drawn.")] = 0,
    json: Json = False,
) -> None:
    """Say how precise the score will be by number of items, and what they cost."""
    if rules:
        _compare(calibration, seed, json)
        return
    from itemcurve.adaptive.score.precision_plan import plan_precision
    from itemcurve.cli.layout.json_layout import print_json
    from itemcurve.cli.options.few_items_input import find_costs, read_calibration, read_groups

    costs, unit = find_costs(calibration)
    plan = plan_precision(
        read_calibration(calibration),
        item_groups=read_groups(groups, calibration, None) or None,
        costs=costs,
        cost_unit=unit,
        seed=seed,
    )
    paid = None if budget is None else plan.items_within(budget)
    enough = None if half_width is None else plan.items_for(half_width)
    if json:
        rows: list[Any] = plan.frame().to_dict("records")
        answers = {"items_for_half_width": enough, "items_within_budget": paid}
        print_json({"command": "adapt plan", "cost_unit": unit, "plan": rows, **answers})
        return
    _print(plan)
    _say(plan, half_width, enough, budget, paid)


def _compare(calibration: "Path", seed: int, json: bool) -> None:
    """Compare rules by the tests of known respondents."""
    from itemcurve.adaptive.simulation.rule_comparison import compare_rules
    from itemcurve.cli.layout.json_layout import print_json
    from itemcurve.cli.options.few_items_input import read_calibration
    from itemcurve.cli.progress import waiting

    with waiting("Replaying tests under each rule …"):
        found = compare_rules(read_calibration(calibration), seed=seed)  # type: ignore[arg-type]
    if json:
        rows: list[Any] = found.frame().to_dict("records")
        near = list(found.not_told_from_best())
        answers = {
            "best": found.best,
            "not_told_from_best": near,
            "error_unasked": float(found.unasked.mean()),
            "tells": found.tells,
        }
        print_json({"command": "adapt plan", "rules": rows, **answers})
    else:
        _print_rules(found, calibration)


def _print_rules(found: "RuleComparison", calibration: "Path") -> None:
    from itemcurve.cli.layout.tables import Column, print_table
    from itemcurve.cli.layout.terminal import number, output

    table, console = found.frame(), output()
    spans = zip(table["converged_lower"], table["converged_upper"], strict=True)
    columns = [
        Column("rule", table["rule"].tolist(), is_text=True),
        Column("converged after\n(median)", [f"{value:g}" for value in table["converged"]]),
        Column("middle half\nof tests", [f"{low:g} to {high:g}" for low, high in spans]),
        Column("error after\nthe first", [number(v, 3) for v in table["error_after_first"]]),
        Column("error\nthen", [number(v, 3) for v in table["error_then"]]),
        Column("error\nafter all", [number(v, 3) for v in table["error_after_all"]]),
    ]
    size = found.errors.shape[2]
    print_table(console, f"Tests for ability by rule, of {size:,} items", columns)
    for line in _rule_words(found, calibration):
        console.print(line, soft_wrap=True)


def _rule_words(found: "RuleComparison", calibration: "Path") -> list[str]:
    """What the comparison says and what to do next."""
    table, size = found.frame(), found.errors.shape[2]
    last, nothing = float(table["error_after_all"].iloc[0]), float(found.unasked.mean())
    meaning = (
        "Error: of the expected responses to all items, root mean square; converged: from there on "
        "within 5 % of the last. Every respondent is tested against items calibrated without it."
    )
    if not found.tells:
        return [
            f"No rule is named: all {size:,} items leave an error of {last:.3f}, asking nothing "
            f"(what is expected of the others) {nothing:.3f}, within 5 % of it. What these "
            f"{len(found.respondents):,} respondents answer to some items hardly tells what they "
            "answer to the others, and an error that hardly changes converges at once.",
            meaning,
            f"Next: why, and what would help: itemcurve findings {calibration}",
        ]
    place = found.rules.index(found.best)
    near = found.not_told_from_best()
    apart = f" Not told from it: {', '.join(near)}." if near else ""
    return [
        f"{found.best} converges first, after {table['converged'].iloc[place]:g} of {size:,} items "
        f"(median of {len(found.respondents):,} tests).{apart} All items leave an error of "
        f"{last:.3f}, asking nothing (what is expected of the others) {nothing:.3f}.",
        meaning,
        f"Next: itemcurve adapt start session.json --bank {calibration} --select {found.best} "
        f"--max-items {max(int(table['converged_upper'].iloc[place]), 1)}",
    ]


def _print(plan: "PrecisionPlan") -> None:
    import numpy as np

    from itemcurve.cli.layout.tables import Column, print_table
    from itemcurve.cli.layout.terminal import number, output

    columns = [
        Column("items", [f"{count:,}" for count in plan.sizes]),
        Column("score ±\n(90 %)", [number(value, 3) for value in plan.inside]),
        Column("± outside the\ncalibration", [number(value, 3) for value in plan.outside]),
        Column("± mean of as\nmany at random", [number(value, 3) for value in plan.mean]),
    ]
    if np.isfinite(plan.cost).all():
        columns.append(Column(plan.cost_unit or "cost", [f"{value:,.0f}" for value in plan.cost]))
    print_table(output(), "What a test for the score will tell", columns)


def _say(
    plan: "PrecisionPlan",
    half_width: float | None,
    enough: int | None,
    budget: float | None,
    paid: int | None,
) -> None:
    import numpy as np

    from itemcurve.cli.layout.terminal import output

    console = output()
    if half_width is not None:
        found = f"{enough:,} items" if enough is not None else "more items than were tried"
        console.print(f"± {half_width:g} takes {found}.", soft_wrap=True)
    if budget is not None and paid is not None:
        half = float(np.interp(paid, plan.sizes, plan.inside))
        unit = f" {plan.cost_unit}" if plan.cost_unit else ""
        console.print(f"{budget:,g}{unit} pay {paid:,} items: ± {half:.3f}.", soft_wrap=True)
        table = plan.repeats_frame(paid)
        if plan.one_item > 0 and len(table) > 1:
            shown = "; ".join(
                f"{row.items} items {row.repeats} times ± {row.half_width:.3f}"
                for row in table.itertuples()
            )
            console.print(f"The same money: {shown}.", soft_wrap=True)
        else:
            console.print(
                "For the same money, more items beat more repeats of each while there are any.",
                soft_wrap=True,
            )

"""`itemcurve adapt plan`: how precise a test will be and what it will cost, before it starts."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from itemcurve.cli.options.frequent_options import Calibration, Groups, Json

if TYPE_CHECKING:
    from pathlib import Path

    from itemcurve.adaptive.score.precision_plan import PrecisionPlan
    from itemcurve.estimation.result import FitResult

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
            help="For ability, of a run: which rule of `adapt start --select` places respondents "
            "after how many items, by replaying the calibration's respondents (4 fits).",
        ),
    ] = False,
    seed: Annotated[int, typer.Option(min=0, help="Of the items drawn.")] = 0,
    json: Json = False,
) -> None:
    """Say how many items are enough: for a score, or by --rules."""
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
    from itemcurve.analysis.findings.dimension_findings import find_more_abilities
    from itemcurve.cli.layout.json_layout import print_json
    from itemcurve.cli.layout.rules_summary import describe_rules, print_rules
    from itemcurve.cli.progress import waiting

    known = _read_fit(calibration)
    with waiting("Replaying tests under each rule …"):
        found = compare_rules(known, seed=seed)
        doubt = find_more_abilities(known)
    if json:
        print_json(describe_rules(found, doubt))
    else:
        print_rules(found, doubt, calibration)


def _read_fit(calibration: "Path") -> "FitResult":
    """Read the run; say what makes one of a file that is none."""
    import shlex

    from itemcurve.cli.options.few_items_input import read_calibration
    from itemcurve.errors import ModelError
    from itemcurve.estimation.result import FitResult

    is_file = calibration.is_file()
    known = None if is_file else read_calibration(calibration)
    if isinstance(known, FitResult):
        return known
    source = shlex.quote(str(calibration))
    raise ModelError(
        "Rules are compared on a run, whose items are calibrated.",
        f"{str(calibration)!r} is {'a file' if is_file else 'none'}.",
        f"Make a run first: itemcurve evaluate {source} --target COLUMN --out run (a table of "
        "features and a target), itemcurve datasets A.csv B.csv … --out run (several of these), "
        f"itemcurve fit {source} --out run (responses); then itemcurve adapt plan run --rules.",
    )


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

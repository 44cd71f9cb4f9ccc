"""What makes items hard: text for people, one object for machines.

`show --features --json` prints::

    itemcurve, command, explained, residual_sd
    coefficients     [{term, estimate, se, lower, upper, p_value}]
    items            [{item, expected, difficulty, difficulty_se, surprise}]
"""

from pathlib import Path
from typing import TYPE_CHECKING

from itemcurve import __version__
from itemcurve.cli.layout.json_layout import print_json
from itemcurve.cli.layout.tables import Column, print_table
from itemcurve.cli.layout.terminal import clean, estimate, number, output
from itemcurve.cli.options.population_options import read_table

if TYPE_CHECKING:
    from itemcurve.estimation.result import FitResult

_MOST_ITEMS = 8
_NOTABLE = 2.0


def show_explanation(fit: "FitResult", features: Path, as_json: bool) -> None:
    """Print terms, and the items that are unlike their features, from a file of these."""
    found = fit.explain_items(read_table(features, "item"))
    terms, items = found.coefficients, found.frame()
    if as_json:
        print_json(
            {
                "itemcurve": __version__,
                "command": "show",
                "explained": found.explained,
                "residual_sd": found.residual_sd,
                "coefficients": terms.to_dict("records"),
                "items": items.to_dict("records"),
            }
        )
        return
    console = output()
    console.print(clean(str(found)), soft_wrap=True)
    pairs = zip(terms["estimate"], terms["se"], strict=True)
    columns = [
        Column("feature", [clean(name) for name in terms["term"]], is_text=True),
        Column("difficulty per unit ± se", [estimate(*pair) for pair in pairs]),
        Column("from", [number(value) for value in terms["lower"]]),
        Column("to", [number(value) for value in terms["upper"]]),
        Column("p", [f"{value:.2g}" for value in terms["p_value"]]),
    ]
    print_table(console, "What makes items hard", columns)
    odd = items[items["surprise"].abs() > _NOTABLE].head(_MOST_ITEMS)
    if not len(odd):
        return
    pairs = zip(odd["difficulty"], odd["difficulty_se"], strict=True)
    columns = [
        Column("item", [clean(name) for name in odd["item"]], is_text=True),
        Column("expected", [number(value) for value in odd["expected"]]),
        Column("difficulty ± se", [estimate(*pair) for pair in pairs]),
        Column("surprise", [f"{value:+.1f}" for value in odd["surprise"]]),
    ]
    print_table(console, "Items harder (+) or easier (−) than their features say", columns)

"""Runs of other kinds than one ability in one population, shown as their commands do."""

from pathlib import Path
from typing import Any

_MOST = 30
_ITEMS = 5


def show_other(fit: Any, run: Path, respondents: int | None, json: bool) -> bool:
    """Print a fit of another kind than one of responses alone; False where it is none."""
    from itemcurve.cli.layout.json_layout import print_json
    from itemcurve.cli.layout.terminal import output
    from itemcurve.estimation.dimensions.dimensions_fit import DimensionsFit
    from itemcurve.estimation.groups.population_fit import PopulationFit
    from itemcurve.estimation.raters.rater_fit import RaterFit
    from itemcurve.pairs.pair_fit import PairFit

    if isinstance(fit, DimensionsFit):
        from itemcurve.cli.layout.abilities.dimensions_summary import (
            describe_dimensions,
            print_dimensions,
        )

        if json:
            print_json({**describe_dimensions(fit), "command": "show", "run": str(run)})
        else:
            print_dimensions(fit, _ITEMS)
        return True
    if isinstance(fit, PopulationFit):
        from itemcurve.cli.layout.abilities.population_summary import (
            describe_population,
            print_population,
        )

        if json:
            print_json(describe_population(fit, "show", run, respondents))
        else:
            print_population(fit, output(), 10 if respondents is None else respondents)
        return True
    if isinstance(fit, RaterFit):
        from itemcurve.analysis.judges.judge_report import judge_report
        from itemcurve.cli.layout.judges_summary import describe, print_judges

        report = judge_report(fit)
        if json:
            print_json({**describe(report, run), "command": "show"})
        else:
            print_judges(report, output(), None, respondents)
        return True
    if isinstance(fit, PairFit):
        from itemcurve.cli.layout.pairs_summary import describe_pairs, print_pairs

        if json:
            print_json({**describe_pairs(fit, None), "command": "show", "run": str(run)})
        else:
            print_pairs(fit, output(), _MOST if respondents is None else respondents)
        return True
    return False

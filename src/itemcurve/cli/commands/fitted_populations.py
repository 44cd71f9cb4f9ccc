"""`itemcurve fit` with groups, covariates, anchors or another density of ability."""

from typing import TYPE_CHECKING, Any

import typer

from itemcurve.cli.failures import NOT_CONVERGED
from itemcurve.cli.options.choices import EngineChoice
from itemcurve.cli.options.fit_options import MethodOptions, ModelOptions, OutputOptions
from itemcurve.cli.options.population_options import PopulationOptions

if TYPE_CHECKING:
    from itemcurve.responses.matrix import Responses


def fit_population(
    responses: "Responses",
    populations: PopulationOptions,
    what: ModelOptions,
    how: MethodOptions,
    wanted: OutputOptions,
    engine: EngineChoice,
) -> None:
    """Fit responses of one or several populations; save and print."""
    from itemcurve.cli.layout.abilities.population_summary import (
        describe_population,
        print_population,
    )
    from itemcurve.cli.layout.fit_summary import print_run
    from itemcurve.cli.layout.json_layout import print_json
    from itemcurve.cli.layout.terminal import messages, output
    from itemcurve.cli.options.targets import claimed_run
    from itemcurve.estimation.fit import fit

    with claimed_run(wanted.out):
        found: Any = fit(
            responses,
            what.chosen,
            method=how.settings(),
            engine=engine.value,
            on_failure="ignore",
            **populations.settings(responses),
            **what.settings,
        )
        if wanted.out is not None:
            found.save(wanted.out)
    if wanted.json:
        print_json(describe_population(found, "fit", wanted.out))
    elif not wanted.quiet:
        print_population(found, output())
        print_run(output(), wanted.out)
    if not found.status.is_converged:
        messages().print(f"Warning: the fit {found.status}.", style="yellow", soft_wrap=True)
        if wanted.strict:
            raise typer.Exit(NOT_CONVERGED)

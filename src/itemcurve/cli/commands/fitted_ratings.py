"""`itemcurve fit --raters`: ratings by several raters, instead of responses."""

from pathlib import Path

import typer

from itemcurve.cli.failures import NOT_CONVERGED
from itemcurve.cli.options.choices import EngineChoice
from itemcurve.cli.options.fit_options import MethodOptions, ModelOptions, OutputOptions
from itemcurve.errors import ModelError


def fit_ratings(
    ratings: Path,
    column: str,
    what: ModelOptions,
    how: MethodOptions,
    wanted: OutputOptions,
    engine: EngineChoice,
) -> None:
    """Fit a long table of ratings with raters in this column; save and print."""
    from itemcurve.analysis.judges.judge_report import judge_report
    from itemcurve.cli.layout.json_layout import print_json
    from itemcurve.cli.layout.judges_summary import describe, print_judges
    from itemcurve.cli.layout.terminal import messages, output
    from itemcurve.cli.options.targets import check_run
    from itemcurve.estimation.fit import fit

    _refuse_others(what, how)
    check_run(wanted.out)
    found = fit(str(ratings), what.model, raters=column, engine=engine.value, on_failure="ignore")
    if wanted.out is not None:
        found.save(wanted.out)
    if wanted.json:
        print_json({**describe(judge_report(found), wanted.out), "command": "fit"})
    elif not wanted.quiet:
        print_judges(judge_report(found), output(), wanted.out)
    if not found.status.is_converged:
        messages().print(f"Warning: the fit {found.status}.", style="yellow", soft_wrap=True)
        if wanted.strict:
            raise typer.Exit(NOT_CONVERGED)


def _refuse_others(what: ModelOptions, how: MethodOptions) -> None:
    """Options that a fit of ratings does not know are not passed over in silence."""
    usual = ModelOptions(model=what.model)
    if what != usual or how != MethodOptions():
        raise ModelError(
            "With --raters a fit takes --model, --engine, --out, --json, --quiet and --strict;",
            "other options of models or methods are given.",
            "Leave these out; `itemcurve judges` has the options of raters.",
        )

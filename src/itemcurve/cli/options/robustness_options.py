"""Who is measured under which noise: options of the commands on robustness."""

from dataclasses import dataclass
from typing import Annotated, Any

import typer

from itemcurve.cli.options.choices import DifficultyModelChoice


@dataclass(frozen=True)
class RobustnessOptions:
    """Who is measured, under which noise."""

    models: Annotated[
        str, typer.Option(metavar="families|standard|random:N", help="Who is measured.")
    ] = "families"
    pool: Annotated[
        str, typer.Option(metavar="families|standard|random:N", help="Who says what is hard.")
    ] = "random:100"
    difficulty: Annotated[
        DifficultyModelChoice, typer.Option(help="Model that difficulties come from.")
    ] = DifficultyModelChoice.ONE
    noise: Annotated[float, typer.Option(help="Level, in standard deviations.")] = 0.2
    share: Annotated[
        list[float] | None,
        typer.Option(help="Of noisy rows; may be repeated. 0 to 0.5 in steps when left out."),
    ] = None
    attribute: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN|N",
            help="Only this column is noisy, may be repeated; a number takes so many that tell "
            "most of the class. All when left out.",
        ),
    ] = None
    bins: Annotated[int, typer.Option(min=2, help="Of difficulty.")] = 5
    cv: Annotated[int, typer.Option(min=2, help="Number of folds.")] = 5

    def settings(self) -> dict[str, Any]:
        """Give them as `measure_table_robustness` takes them."""
        from itemcurve.evaluation.difficulty.robustness import SHARES

        named = self.attribute or None
        is_count = named is not None and len(named) == 1 and named[0].isdigit()
        return {
            "models": self.models,
            "pool": self.pool,
            "model": self.difficulty.value,
            "noise": self.noise,
            "shares": self.share or SHARES,
            "attributes": int(named[0]) if named is not None and is_count else named,
            "bins": self.bins,
            "cv": self.cv,
        }

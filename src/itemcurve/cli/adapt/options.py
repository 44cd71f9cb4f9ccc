"""Options that several commands of `itemcurve adapt` share, and the test they describe."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from itemcurve.cli.choices import MethodChoice

if TYPE_CHECKING:
    from itemcurve.adaptive.session import AdaptiveTest
    from itemcurve.adaptive.stopping import StopRule
    from itemcurve.estimation.result import FitResult


class SelectChoice(StrEnum):
    """Which item comes next."""

    FISHER = "fisher"
    KL = "kl"
    WEIGHTED_KL = "weighted-kl"
    POSTERIOR_VARIANCE = "posterior-variance"
    RANDOM = "random"


Session = Annotated[Path, typer.Argument(help="Session file.")]
BankOption = Annotated[
    Path | None,
    typer.Option("--bank", help="Run folder with the items, where it moved since the start."),
]
ItemsFile = Annotated[
    Path | None,
    typer.Option(
        "--items",
        help="List of items that `itemcurve import` wrote; the one beside the session if left out.",
    ),
]
Select = Annotated[SelectChoice, typer.Option(help="How the next item is chosen.")]
MaxItems = Annotated[int | None, typer.Option(min=1, help="Stop after this many answers.")]
AbilitySe = Annotated[
    float | None, typer.Option(help="Stop when the standard error of ability is this small.")
]
HalfWidth = Annotated[
    float | None, typer.Option(help="Stop when half the interval of the score is this small.")
]
Method = Annotated[MethodChoice, typer.Option(help="How ability is estimated.")]
Best = Annotated[int, typer.Option(min=1, help="Draw among this many best items.")]
Explore = Annotated[
    float, typer.Option(min=0, max=1, help="Share of draws among all items, for unbiased scores.")
]
Misfit = Annotated[
    bool,
    typer.Option(
        "--misfit",
        help="Replay the test on the calibration's respondents (4 fits) and widen the interval of "
        "the score by what the model missed there.",
    ),
]
Respondent = Annotated[str, typer.Option(help="Who is tested.")]
Seed = Annotated[int, typer.Option(min=0, help="The same seed and answers give the same items.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


@dataclass(frozen=True)
class TestOptions:
    """What `start` and `run` are told about a new test."""

    bank: Path
    select: str
    max_items: int | None
    ability_se: float | None
    score_half_width: float | None
    method: MethodChoice
    best: int
    explore: float
    misfit: bool
    respondent: str
    seed: int

    def begin(self) -> "AdaptiveTest":
        """Give the new test."""
        from itemcurve.adaptive.exposure import Exposure
        from itemcurve.adaptive.session import AdaptiveTest
        from itemcurve.estimation.saved_fit import load

        calibration = load(self.bank)
        return AdaptiveTest(
            calibration.bank,
            self.select,
            self._stop(),
            ability_method=self.method.value,
            exposure=Exposure(self.best, self.explore),
            score_misfit=self._measure_misfit(calibration) if self.misfit else 0.0,
            respondent=self.respondent,
            seed=self.seed,
        )

    def _measure_misfit(self, calibration: "FitResult") -> float:
        from itemcurve.adaptive.misfit import measure_misfit

        length = {} if self.max_items is None else {"max_items": self.max_items}
        return measure_misfit(calibration, select=self.select, **length, seed=self.seed).score_sd

    def _stop(self) -> "StopRule | None":
        from itemcurve.adaptive.stopping import ability_se, max_items, score_half_width, stop_any

        rules: list[StopRule] = []
        if self.max_items is not None:
            rules.append(max_items(self.max_items))
        if self.ability_se is not None:
            rules.append(ability_se(self.ability_se))
        if self.score_half_width is not None:
            rules.append(score_half_width(self.score_half_width, at_least=5))
        return stop_any(*rules) if rules else None

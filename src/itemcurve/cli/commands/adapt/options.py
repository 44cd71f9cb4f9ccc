"""Options that several commands of `itemcurve adapt` share."""

from pathlib import Path
from typing import Annotated

import typer

from itemcurve.cli.options.choices import MethodChoice, QuestionChoice, SelectChoice

Session = Annotated[Path, typer.Argument(help="Session file.")]
BankOption = Annotated[
    Path | None,
    typer.Option("--bank", help="Run folder with the items, where it moved since the start."),
]
Bank = Annotated[
    Path,
    typer.Option(
        help="Run folder that `itemcurve fit` wrote; for the score also a file of responses."
    ),
]
Question = Annotated[
    QuestionChoice | None,
    typer.Option(
        help="What would it score on all items (score, the default), or how able is it (ability)?",
        show_default=False,
    ),
]
MaxItems = Annotated[
    int | None, typer.Option(min=1, help="Stop after this many answers; 50 for the score.")
]
HalfWidth = Annotated[
    float | None, typer.Option(help="Stop when half the interval of the score is this small.")
]
Budget = Annotated[
    float | None,
    typer.Option(
        help="For the score: as many items as this pays, in the unit of the logs' costs (tokens "
        "or seconds)."
    ),
]
EveryLook = Annotated[
    bool,
    typer.Option(
        "--every-look",
        help="For the score: wider intervals that hold at every look, for tests ended at any time.",
    ),
]
Threshold = Annotated[
    float | None,
    typer.Option(help="For the score: stop when it is surely above or below this."),
]
BetterThan = Annotated[
    Path | None,
    typer.Option(
        help="For the score: stop when it is sure which is better, this one or that of another "
        "session with the same seed, or a respondent of the calibration."
    ),
]
GroupsOption = Annotated[
    str | None,
    typer.Option(
        "--groups",
        metavar="FILE|task",
        help="For the score: groups that count the same; CSV with item and group, or the tasks.",
    ),
]
# Left out, they are fisher, eap, 1 and 0; given, they ask for ability.
Select = Annotated[
    SelectChoice | None,
    typer.Option(help="For ability: how the next item is chosen.", show_default="fisher"),
]
AbilitySe = Annotated[
    float | None,
    typer.Option(help="For ability: stop when its standard error is this small."),
]
Method = Annotated[
    MethodChoice | None,
    typer.Option(help="For ability: how it is estimated.", show_default="eap"),
]
Best = Annotated[
    int | None,
    typer.Option(min=1, help="For ability: draw among this many best items.", show_default="1"),
]
Explore = Annotated[
    float | None,
    typer.Option(
        min=0,
        max=1,
        help="For ability: share of draws among all items, for unbiased scores.",
        show_default="0.0",
    ),
]
Misfit = Annotated[
    bool | None,
    typer.Option(
        "--misfit/--no-misfit",
        help="For ability: replay the test on the calibration's respondents (4 fits) and widen "
        "the interval of the score by what the model missed there; done unless items are random.",
        show_default=False,
    ),
]
Respondent = Annotated[str, typer.Option(help="Who is tested.")]
Seed = Annotated[int, typer.Option(min=0, help="The same seed and answers give the same items.")]

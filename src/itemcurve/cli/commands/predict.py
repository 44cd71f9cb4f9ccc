"""`itemcurve predict`: what new models would score on all items, from those they answered."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from itemcurve.cli.options.frequent_options import (
    Groups,
    ItemsFile,
    Json,
    ModelInLogs,
    ScoresToWrite,
    Weights,
)
from itemcurve.cli.options.option_groups import spread_options

if TYPE_CHECKING:
    from itemcurve.adaptive.prediction.score_prediction import ScorePredictions
    from itemcurve.responses.matrix import Responses

EXAMPLE = "Example: itemcurve predict responses.npz logs/new/"
_MOST_ROWS = 20
ASSUMES_CHOSEN = "Intervals hold for items asked under the conditions of the calibration."
ASSUMES_DRAWN = (
    "Intervals hold for items drawn at random, asked under the conditions of the calibration. "
    "Items found by `itemcurve choose` need its short form: itemcurve predict SHORT NEW, or "
    "--choice SHORT."
)
OUTSIDE = (
    "Outside the calibration: the score, with one standard error to either side, does not stay "
    "within the calibrated ones; it rests on the model's own answers."
)


@dataclass(frozen=True)
class PredictionOptions:
    """How answers become scores."""

    choice: Annotated[
        Path | None,
        typer.Option(help="Short form by which the items were chosen, where some went unanswered."),
    ] = None
    groups: Groups = None
    weights: Weights = None
    target: Annotated[
        Path | None,
        typer.Option(
            help="Full scores from elsewhere to predict instead: CSV with columns respondent and "
            "score, one row per calibration model."
        ),
    ] = None
    estimator: Annotated[
        str, typer.Option(help="default, stacked, guarded, sample-mean, irt, …")
    ] = "default"
    leave_out_unknown: Annotated[
        bool,
        typer.Option("--leave-out-unknown", help="Leave out items the calibration does not have."),
    ] = False
    model: ModelInLogs = None
    items_file: ItemsFile = None


@spread_options
def predict_command(
    calibration: Annotated[
        Path,
        typer.Argument(
            help="Responses of models evaluated before, the run folder of their fit, or a short "
            "form that `itemcurve choose --out` wrote."
        ),
    ],
    new: Annotated[Path, typer.Argument(help="New answers: a file of responses or logs.")],
    how: PredictionOptions,
    out: ScoresToWrite = None,
    json: Json = False,
) -> None:
    """Predict scores on all items from the answers to some."""
    from itemcurve.adaptive.score.short_form import FORMAT, ShortForm
    from itemcurve.adaptive.session_documents import session_format
    from itemcurve.cli.layout.terminal import messages
    from itemcurve.cli.options.few_items_input import find_items, read_new
    from itemcurve.cli.options.targets import write_csv

    answers, notes = read_new(new, find_items(calibration, how.items_file), how.model)
    for note in notes:
        messages().print(note, soft_wrap=True)
    is_short_form = session_format(calibration) == FORMAT
    if is_short_form:
        found = ShortForm.load(calibration).predict(answers)
    else:
        found = _predict(calibration, answers, how)
    if out is not None:
        table = found.frame() if not found.groups else found.group_frame()
        write_csv(table, out, calibration, new)
    is_choice_known = how.choice is not None or is_short_form
    assumes = ASSUMES_CHOSEN if is_choice_known else ASSUMES_DRAWN
    if json:
        _print_json(found, answers, assumes)
    else:
        _print(found, answers, assumes, is_saved=out is not None)


def _predict(calibration: Path, answers: "Responses", how: PredictionOptions) -> "ScorePredictions":
    from itemcurve.adaptive.prediction.score_prediction import predict_scores
    from itemcurve.adaptive.score.short_form import ShortForm
    from itemcurve.cli.options.few_items_input import (
        item_names,
        read_calibration,
        read_groups,
        read_weights,
    )

    known = read_calibration(calibration)
    form = None if how.choice is None else ShortForm.load(how.choice)
    return predict_scores(
        known,
        answers,
        estimator=how.estimator,
        weights=read_weights(how.weights),
        groups=read_groups(how.groups, calibration, how.items_file) or None,
        target=None if how.target is None else _read_target(how.target, known),
        choice=None if form is None else form.as_choice(item_names(known)),
        unknown="leave out" if how.leave_out_unknown else "refuse",
    )


def _read_target(path: Path, known: Any) -> list[float]:
    from itemcurve.cli.options.few_items_input import read_numbers
    from itemcurve.errors import ResponsesError
    from itemcurve.estimation.result import FitResult

    own = known.responses if isinstance(known, FitResult) else known
    scores = dict(read_numbers(path, "respondent", "score"))
    missing = [name for name in own.respondents if name not in scores]
    if missing:
        raise ResponsesError(
            "A target has columns respondent and score, with a number for every calibrated model.",
            f"{str(path)!r} lacks {len(missing)}, the first is {missing[0]!r}.",
            "Add them, or leave those models out of the calibration.",
        )
    return [scores[name] for name in own.respondents]


def _print_json(found: "ScorePredictions", answers: "Responses", assumes: str) -> None:
    from itemcurve.cli.layout.json_layout import print_json

    rows = found.frame().to_dict("records")
    document: dict[str, Any] = {
        "command": "predict",
        "estimator": found.estimator,
        "assumes": assumes,
        "left_out": list(found.left_out),
        "scores": [
            {**{str(k): v for k, v in row.items()}, "answered": int(count)}
            for row, count in zip(rows, _count_answers(found, answers), strict=True)
        ],
    }
    if found.groups:
        document["groups"] = found.group_frame().to_dict("records")
    print_json(document)


def _print(found: "ScorePredictions", answers: "Responses", assumes: str, is_saved: bool) -> None:
    from itemcurve.cli.layout.terminal import clean, number, output

    counts = _count_answers(found, answers)
    console = output()
    for row in range(min(len(found.respondents), _MOST_ROWS)):
        low, high = found.score_lower[row], found.score_upper[row]
        console.print(
            f"{clean(found.respondents[row])}: {number(found.score[row])} ± "
            f"{number((high - low) / 2)} after {int(counts[row]):,} items (90 % interval "
            f"{number(low, 3)} to {number(high, 3)})"
            f"{'; outside the calibration' if found.outside_calibration[row] else ''}",
            soft_wrap=True,
        )
    _print_groups(found)
    if found.left_out:
        count = len(found.left_out)
        place = "short form" if found.estimator == "short form" else "calibration"
        console.print(
            f"{count:,} {'item' if count == 1 else 'items'} left out: not in the {place}.",
            soft_wrap=True,
        )
    if found.outside_calibration.any():
        console.print(OUTSIDE, soft_wrap=True)
    if len(found.respondents) > _MOST_ROWS and not is_saved:
        console.print("Add --out scores.csv or --json for all of them.", soft_wrap=True)
    console.print(assumes, soft_wrap=True)


def _count_answers(found: "ScorePredictions", answers: "Responses") -> Any:
    """Answers of each respondent to items that were not left out."""
    import numpy as np

    left_out = set(found.left_out)
    gone = [place for place, item in enumerate(answers.items) if item in left_out]
    counts = answers.counts(axis=1)
    return counts - (~np.isnan(answers.array()[:, gone])).sum(axis=1) if gone else counts


def _print_groups(found: "ScorePredictions") -> None:
    from itemcurve.cli.layout.tables import Column, print_table
    from itemcurve.cli.layout.terminal import number, output

    if not found.groups:
        return
    for row, name in enumerate(found.respondents[:_MOST_ROWS]):
        columns = [
            Column("group", [part.group for part in found.groups]),
            Column("score", [number(part.score[row], 3) for part in found.groups]),
            Column("lower", [number(part.score_lower[row], 3) for part in found.groups]),
            Column("upper", [number(part.score_upper[row], 3) for part in found.groups]),
        ]
        print_table(output(), f"{name} by group", columns)

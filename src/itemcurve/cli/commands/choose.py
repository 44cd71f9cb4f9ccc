"""`itemcurve choose`: the items whose answers predict the score on all of them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from itemcurve.cli.options.choices import FormatChoice
from itemcurve.cli.options.frequent_options import (
    Calibration,
    Format,
    Groups,
    ItemsFile,
    Json,
    Weights,
)

if TYPE_CHECKING:
    from itemcurve.adaptive.score.item_choice import ItemChoice

EXAMPLE = "Example: itemcurve choose responses.npz 50 --format lm-eval --out short.json"


def choose_command(
    calibration: Calibration,
    n: Annotated[int, typer.Argument(min=1, help="How many items.")] = 50,
    groups: Groups = None,
    weights: Weights = None,
    random_share: Annotated[
        float, typer.Option(min=0, max=1, help="Share that is drawn with known chances.")
    ] = 0.5,
    seed: Annotated[int, typer.Option(min=0, help="The same seed draws the same items.")] = 0,
    format: Format = FormatChoice.TEXT,
    items_file: ItemsFile = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Short form to write: predicts without the calibration."),
    ] = None,
    json: Json = False,
) -> None:
    """Choose the items that tell most about the score on all.

    Half are drawn with known chances, half by greedy Bayesian quadrature.
    """
    from itemcurve.adaptive.score.choice_worth import weigh_choice
    from itemcurve.adaptive.score.item_choice import choose_items
    from itemcurve.cli.layout.choice_summary import print_choice
    from itemcurve.cli.layout.terminal import messages
    from itemcurve.cli.options.few_items_input import read_calibration, read_groups, read_weights

    known = read_calibration(calibration)
    choice = choose_items(
        known,
        n,
        weights=read_weights(weights),
        item_groups=read_groups(groups, calibration, items_file) or None,
        random_share=random_share,
        seed=seed,
    )
    asked = FormatChoice.JSON if json else format
    text = _text(choice, asked, calibration, items_file)
    worth = weigh_choice(known, choice) if asked is FormatChoice.TEXT else None
    if worth is not None:
        print_choice(worth, out)
    if out is not None:
        from itemcurve.adaptive.records import HALF_WIDTH
        from itemcurve.adaptive.score.short_form import make_short_form
        from itemcurve.cli.options.targets import make_parent

        form = make_short_form(known, choice) if worth is None else worth.form
        make_parent(out)
        form.save(out)
        messages().print(
            f"Short form of {len(choice.items):,} of {form.size:,} items saved to {out}: scores of "
            f"models like these within ± {HALF_WIDTH * form.error:.3f} (90 %).",
            soft_wrap=True,
        )
    print(text)


def _text(
    choice: "ItemChoice", format_: FormatChoice, calibration: Path, items_file: Path | None
) -> str:
    from itemcurve.cli.options.few_items_input import find_items
    from itemcurve.storage.json_documents import pack_json

    if format_ is FormatChoice.TEXT:
        return "\n".join(choice.items)
    if format_ is FormatChoice.JSON:
        rows = choice.frame().to_dict("records")
        return pack_json({"items": rows, "seed": choice.seed}, "the items").decode().rstrip()
    index = find_items(calibration, items_file)
    is_lm_eval = format_ is FormatChoice.LM_EVAL
    return (
        index.lm_eval_samples(choice.items) if is_lm_eval else index.inspect_samples(choice.items)
    )

"""`itemcurve run lm-eval`: a whole test, with lm-evaluation-harness as the evaluator."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from itemcurve.cli.commands.adapt.new_test import NewTest
from itemcurve.cli.options.frequent_options import Json
from itemcurve.cli.options.option_groups import spread_options

if TYPE_CHECKING:
    from itemcurve.cli.commands.adapt.sessions import AnyTest
    from itemcurve.harnesses.lm_eval.loaded_harness import HarnessSettings
    from itemcurve.logs.harness.item_index import ItemIndex

EXAMPLE = (
    "Example: itemcurve run lm-eval --bank responses.npz --model hf "
    "--model-args pretrained=EleutherAI/pythia-160m"
)


@dataclass(frozen=True)
class ModelOptions:
    """The model and how it is asked: options of `lm_eval` by their own names."""

    model: Annotated[str, typer.Option(help="Kind of model, as in lm_eval --model.")]
    model_args: Annotated[str, typer.Option(help="As in lm_eval --model_args.")] = ""
    tasks: Annotated[
        str, typer.Option(help="Tasks, with commas between; those of the items if left out.")
    ] = ""
    include_path: Annotated[str | None, typer.Option(help="Folder of task files of your own.")] = (
        None
    )
    num_fewshot: Annotated[int | None, typer.Option(min=0, help="Examples in the prompt.")] = None
    batch_size: Annotated[str | None, typer.Option(help="Of the model, a number or auto.")] = None
    device: Annotated[str | None, typer.Option(help="As cuda:0 or cpu.")] = None
    apply_chat_template: Annotated[
        bool, typer.Option("--apply-chat-template", help="Ask as in a chat.")
    ] = False
    confirm_run_unsafe_code: Annotated[
        bool, typer.Option("--confirm-run-unsafe-code", help="Run tasks that execute code.")
    ] = False
    logs: Annotated[
        str | None, typer.Option(help="Folder for the logs of the harness; none if left out.")
    ] = None

    def settings(self) -> "HarnessSettings":
        """Give what the harness is told."""
        from itemcurve.harnesses.lm_eval.loaded_harness import HarnessSettings

        return HarnessSettings(
            self.model,
            self.model_args,
            self.include_path,
            self.num_fewshot,
            self.batch_size,
            self.device,
            self.apply_chat_template,
            self.confirm_run_unsafe_code,
            self.logs,
        )


@spread_options
def lm_eval_command(
    new: NewTest,
    model: ModelOptions,
    session: Annotated[
        Path, typer.Argument(help="Session file; one that exists is gone on with.")
    ] = Path("session.json"),
    items: Annotated[
        Path | None,
        typer.Option(help="List of items that `itemcurve import` wrote; found beside the bank."),
    ] = None,
    batch: Annotated[int, typer.Option(min=1, help="Documents per run of the harness.")] = 32,
    json: Json = False,
) -> None:
    """Run a model by lm-evaluation-harness on few items: loaded once, batch after batch."""
    from itemcurve.cli.commands.adapt.sessions import describe, print_summary
    from itemcurve.cli.interruptions import AGAIN, interruptible
    from itemcurve.cli.layout.json_layout import print_json
    from itemcurve.cli.options.targets import make_parent
    from itemcurve.storage.file_locks import locked

    make_parent(session)
    with interruptible(lambda: f"answers are kept in {session}: {AGAIN}"), locked(session):
        test = _open_or_begin(new, session)
        _run(test, new.bank, model, session, items, batch)
    if json:
        print_json(describe(test, session))
    else:
        print_summary(test)


def _open_or_begin(new: NewTest, session: Path) -> "AnyTest":
    from itemcurve.cli.commands.adapt.sessions import open_session
    from itemcurve.cli.layout.terminal import messages

    if not session.exists():
        return new.begin()
    test = open_session(session, new.bank)
    messages().print(
        f"Going on with {session} after {len(test.answers):,} answers, with the rule, the length "
        "and the other settings it was started with.",
        soft_wrap=True,
    )
    return test


def _run(
    test: "AnyTest",
    bank: Path,
    model: ModelOptions,
    session: Path,
    items: Path | None,
    batch: int,
) -> None:
    """Load model and tasks once, and only where something is left to ask."""
    from itemcurve.cli.commands.adapt.sessions import save_any
    from itemcurve.cli.progress import asking_progress
    from itemcurve.harnesses.lm_eval.adaptive_run import run_test, tasks_of
    from itemcurve.harnesses.lm_eval.loaded_harness import load_harness

    index = _find_items(bank, items)
    named = [task for task in model.tasks.split(",") if task]
    tasks = tasks_of(test, index, named)
    save_any(test, session, bank)
    if test.is_finished:
        return
    harness = load_harness(model.settings(), tasks)
    with asking_progress() as report:
        run_test(
            test,
            harness,
            index,
            batch=batch,
            save=lambda changed: save_any(changed, session, bank),
            report=report,
        )


def _find_items(bank: Path, items: Path | None) -> "ItemIndex":
    from itemcurve.errors import ResponsesError
    from itemcurve.logs.harness.item_index import ItemIndex, find_index

    index = ItemIndex.load(items) if items else find_index(bank.resolve().parent)
    if not index.entries:
        raise ResponsesError(
            "The harness must be told which document is which item;",
            f"there is no list of items beside {str(bank)!r}.",
            "Import the logs with `itemcurve import`, and name its list with --items.",
        )
    return index

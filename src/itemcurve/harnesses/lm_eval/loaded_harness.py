"""lm-evaluation-harness with one model and its tasks loaded once, run on some documents a time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from itemcurve.errors import MissingExtraError, ModelError


@dataclass(frozen=True)
class HarnessSettings:
    """What `lm_eval` is told, by the names of its own options; None leaves its default."""

    model: str
    model_args: str = ""
    include_path: str | None = None
    num_fewshot: int | None = None
    batch_size: str | None = None
    device: str | None = None
    apply_chat_template: bool = False
    confirm_run_unsafe_code: bool = False
    output_path: str | None = None


@dataclass
class LoadedHarness:
    """A model and tasks, loaded; each run writes logs where the settings name a folder."""

    settings: HarnessSettings
    model: Any
    tasks: Mapping[str, Any]
    tracker: Any = None
    _manager: Any = field(default=None, repr=False)

    def run(self, samples: Mapping[str, Sequence[int]]) -> dict[str, list[dict[str, Any]]]:
        """Run these documents; give the lines of their log, by task."""
        import lm_eval

        told = self.settings
        results = lm_eval.simple_evaluate(
            model=self.model,
            model_args=told.model_args,
            # A task that is named without documents would run all of its own.
            tasks=[self.tasks[task] for task in samples],
            # In order, or the harness writes ids beside the wrong documents.
            samples={task: sorted(numbers) for task, numbers in samples.items()},
            num_fewshot=told.num_fewshot,
            apply_chat_template=told.apply_chat_template,
            confirm_run_unsafe_code=told.confirm_run_unsafe_code,
            task_manager=self._manager,
            evaluation_tracker=self.tracker,
            bootstrap_iters=0,
            log_samples=True,
        )
        found: dict[str, list[dict[str, Any]]] = results.pop("samples")
        self._write(results, found)
        return found

    def _write(self, results: dict[str, Any], samples: dict[str, list[dict[str, Any]]]) -> None:
        if self.tracker is None:
            return
        # It names a model that came loaded by its class.
        results["config"]["model"] = self.settings.model
        self.tracker.save_results_aggregated(results=results, samples=samples)
        for task, lines in samples.items():
            self.tracker.save_results_samples(task_name=task, samples=lines)


def load_harness(settings: HarnessSettings, tasks: Sequence[str]) -> LoadedHarness:
    """Load the model and the tasks.

    Parameters
    ----------
    tasks : names of single tasks, not of groups.
    """
    _check_installed()
    from lm_eval.api.registry import get_model
    from lm_eval.loggers import EvaluationTracker
    from lm_eval.tasks import TaskManager

    manager = TaskManager(include_path=settings.include_path)
    loaded = manager.load(list(tasks))["tasks"]
    missing = [task for task in tasks if task not in loaded]
    if missing:
        raise ModelError(
            "Tasks must be known to lm-evaluation-harness by the names they have in logs;",
            f"{missing[0]!r} is a group or unknown.",
            "Name its tasks, and the folder of your own ones with --include-path.",
        )
    given = {"batch_size": settings.batch_size, "device": settings.device}
    model = get_model(settings.model).create_from_arg_string(
        settings.model_args, {name: value for name, value in given.items() if value is not None}
    )
    path = settings.output_path
    tracker = None if path is None else EvaluationTracker(output_path=path)
    return LoadedHarness(settings, model, loaded, tracker, manager)


def _check_installed() -> None:
    try:
        import lm_eval  # noqa: F401
    except ImportError:
        raise MissingExtraError(
            "To drive lm-evaluation-harness it must be installed;",
            "there is no package lm_eval.",
            "Run: pip install 'itemcurve[lm-eval]'.",
        ) from None

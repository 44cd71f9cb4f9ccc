"""The results file of lm-evaluation-harness: whose samples they are, and what it reports."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from itemcurve.logs.reading.companion_file import load_companion
from itemcurve.logs.reading.log_rows import LogRowsBuilder
from itemcurve.logs.reading.plain_values import (
    clean_name,
    describe_settings,
    mapping_at,
    number_at,
    seconds_of,
    text_at,
)
from itemcurve.logs.reading.source_file import SourceFile

_NAMED = re.compile(r"samples_(?P<task>.+)_(?P<time>\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d[.\d]*)$")
_OF_ONE_RUN = ("results", "n-samples", "n-shot", "date")
_PRETRAINED = re.compile(r"(?:^|,)(?:pretrained|model|engine)=([^,]+)")


@dataclass(frozen=True)
class SampleName:
    """What the name of a file of samples says: task, and time as the harness writes it."""

    task: str
    time: str

    @property
    def created(self) -> float:
        """The time in seconds; NaN where the name has none."""
        date, _, clock = self.time.partition("T")
        return seconds_of(f"{date}T{clock.replace('-', ':')}") if clock else float("nan")


def parse_name(path: Path) -> SampleName:
    """Read task and time from the name of a file of samples."""
    stem = path.name.removesuffix(".gz").removesuffix(".jsonl").removesuffix(".json")
    found = _NAMED.fullmatch(stem)
    if found:
        return SampleName(clean_name(found["task"]), found["time"])
    return SampleName(clean_name(stem.removeprefix("samples_")) or "task", "")


def find_results(source: SourceFile, name: SampleName) -> Path:
    """Name the results file of the same time, or the newest one that stands beside the samples."""
    folder = source.path.parent
    expected = folder / (f"results_{name.time}.json" if name.time else "results.json")
    if expected.is_file():
        return expected
    others = sorted(folder.glob("results*.json"))
    return others[-1] if others else expected


def load_results(path: Path, source: SourceFile, builder: LogRowsBuilder) -> dict[str, Any]:
    """Read a results file; an empty one where there is none that can be read."""
    document = load_companion(path, source, builder)
    if document is not None and not is_results(document):
        builder.note(f"{path.name} beside it is not used: it holds no results")
    if not is_results(document):
        return {}
    if not path.name.endswith(f"{parse_name(source.path).time}.json"):
        # The results of another run still say whose folder this is, but not what was found.
        return {key: value for key, value in document.items() if key not in _OF_ONE_RUN}
    return dict(document)


def is_results(document: object) -> bool:
    """Say whether a JSON document is such a results file."""
    return bool(mapping_at(document, "results")) and (
        "config" in mapping_at(document) or "versions" in mapping_at(document)
    )


def respondent_of(results: dict[str, Any], source: SourceFile) -> tuple[str, str]:
    """Give the name of the model, and what tells it from others of that name.

    The harness names every model without `pretrained=` alike, so the arguments decide.
    """
    arguments = mapping_at(results, "config").get("model_args")
    name = text_at(results, "model_name")
    if not name and isinstance(arguments, str):
        found = _PRETRAINED.search(arguments)
        name = clean_name(found[1]) if found else ""
    if not results:
        folder = source.path.parent
        shown = folder.relative_to(source.root).as_posix() if folder != source.root else ""
        return clean_name(folder.name) or "model", shown
    kind = text_at(results, "config", "model") or text_at(results, "model_source")
    identity = " ".join(part for part in (kind, describe_settings(arguments)) if part)
    return name or clean_name(source.path.parent.name) or "model", identity


def settings_of(results: dict[str, Any], task: str) -> str:
    """Give what one model may be asked under differently: shots, system instruction, generation."""
    shots = number_at(results, "n-shot", task)
    system = text_at(results, "system_instruction_sha")
    parts = [
        "" if shots != shots else f"{shots:g}-shot",
        f"system {system[:8]}" if system else "",
        describe_settings(mapping_at(results, "config").get("gen_kwargs")),
    ]
    return ", ".join(part for part in parts if part)


def is_mean(results: dict[str, Any], task: str, metric: str) -> bool:
    """Say whether the harness reports the plain mean of this metric."""
    listed = mapping_at(results, "configs", task).get("metric_list")
    for entry in listed if isinstance(listed, list) else []:
        if isinstance(entry, dict) and entry.get("metric") == metric:
            return bool(entry.get("aggregation", "mean") == "mean")
    return metric in ("acc", "acc_norm", "exact_match")

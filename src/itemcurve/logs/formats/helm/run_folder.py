"""HELM run folders: one list of statistics per instance, with its specification beside it."""

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from itemcurve.logs.formats.columns import LogColumns
from itemcurve.logs.formats.helm.instances import Instance, read_instances
from itemcurve.logs.formats.helm.metrics import is_higher_better, is_score, is_unit, main_score
from itemcurve.logs.reading.companion_file import load_companion
from itemcurve.logs.reading.log_errors import DamagedLogError
from itemcurve.logs.reading.log_rows import (
    LogMeasure,
    LogRows,
    LogRowsBuilder,
    LogRun,
    ReportedMean,
)
from itemcurve.logs.reading.plain_values import (
    clean_name,
    id_of,
    list_at,
    mapping_at,
    number_at,
    text_at,
)
from itemcurve.logs.reading.source_file import SourceFile

_SPEC, _STATE, _STATS = "run_spec.json", "scenario_state.json", "stats.json"
_INSTANCES = "per_instance_stats.json"


@dataclass(frozen=True)
class HelmRun:
    """`per_instance_stats.json`, or `display_predictions.json` of public releases."""

    name: str = "HELM"

    def recognises(self, source: SourceFile, columns: LogColumns) -> bool:
        """A list of instances with statistics."""
        record = source.first
        return source.kind == "json" and "instance_id" in record and "stats" in record

    def is_companion(self, source: SourceFile) -> bool:
        """The files beside it; predictions for display too, where the full statistics are there."""
        record = source.first if source.kind == "json" else {}
        if "instance_id" in record and isinstance(record.get("stats"), dict):
            return (source.path.parent / _INSTANCES).is_file()
        is_total = "count" in record and bool(mapping_at(record, "name"))
        is_scenario = "definition_path" in record and "name" in record
        return (
            is_total
            or is_scenario
            or any(key in record for key in ("adapter_spec", "scenario_spec", "request_states"))
        )

    def companions(self, source: SourceFile) -> tuple[Path, ...]:
        """Specification, state and totals in the same folder."""
        return tuple(source.path.parent / name for name in (_SPEC, _STATE, _STATS))

    def read(self, source: SourceFile, columns: LogColumns) -> LogRows:
        """Read the scores of all instances; what they cost comes from their bookkeeping."""
        builder = LogRowsBuilder(self.name, "tokens")
        spec = _load(source, _SPEC, builder)
        if not text_at(spec, "adapter_spec", "model"):
            # The folder writes the model with "_" for "/", so the name would be wrong.
            raise DamagedLogError(f"{_SPEC} beside it is missing or names no model")
        records = [record for _, record in source.records()]
        groups = [group for group in list_at(spec, "groups") if isinstance(group, str)]
        rows = _Rows(builder, main_score(groups, _score_names(spec, records)))
        run = builder.code_run(_run(spec, source))
        instances = read_instances(_load(source, _STATE, builder))
        for number, record in enumerate(records, 1):
            try:
                rows.add(run, record, instances)
            except (DamagedLogError, ValueError, RecursionError) as error:
                builder.leave_out(f"instance {number}", error)
        _add_reports(builder, run, source)
        return builder.build()


@dataclass
class _Rows:
    """Adds instances; the trial is the repeat, the perturbation the filter, the split the group."""

    builder: LogRowsBuilder
    main: str
    repeats: dict[tuple[int, str], int] = field(default_factory=dict)

    def add(self, run: int, record: Any, instances: dict[str, Instance]) -> None:
        if not isinstance(record, dict):
            raise DamagedLogError("not a JSON object")
        name = id_of(record.get("instance_id"), "instance_id")
        asked = instances.get(name, Instance())
        sample = self.builder.code_sample(name, asked.content, asked.question, asked.target)
        filter_ = _perturbation(record.get("perturbation"))
        trial = number_at(record, "train_trial_index")
        repeat = 1 if math.isnan(trial) else int(min(max(trial, 0), 2**30)) + 1
        stats = _stats(record)
        cost = _cost(stats)
        if asked.is_failed:
            self.builder.add_error(run, sample, repeat, cost)
            return
        for metric, (value, stated) in stats.items():
            if is_score(metric):
                measure = self._measure(metric, filter_, stated or asked.split)
                code = self.builder.code_measure(measure)
                # The answer is that to the question as it stands, not to a perturbed one.
                said = "" if filter_ else asked.answer
                self.builder.add(run, sample, code, value, repeat, cost, said)

    def _measure(self, metric: str, filter_: str, group: str) -> LogMeasure:
        low, high = (0.0, 1.0) if is_unit(metric) else (None, None)
        is_main = metric == self.main and not filter_
        return LogMeasure(metric, filter_, group, low, high, is_higher_better(metric), is_main)


def _stats(record: dict[str, Any]) -> dict[str, tuple[float, str]]:
    """Give mean and split by name of statistic; a statistic that was never taken is NaN."""
    stats = record.get("stats")
    if isinstance(stats, dict):
        return {clean_name(str(name)): (number_at(stats, name), "") for name in stats}
    found: dict[str, tuple[float, str]] = {}
    for entry in stats if isinstance(stats, list) else []:
        name = text_at(entry, "name", "name")
        if not name:
            raise DamagedLogError("a statistic has no name")
        count = number_at(entry, "count")
        value = number_at(entry, "mean")
        if math.isnan(value) and count > 0:
            value = number_at(entry, "sum") / count
        found.setdefault(name, (value if count > 0 else math.nan, text_at(entry, "name", "split")))
    return found


def _cost(stats: dict[str, tuple[float, str]]) -> float:
    parts = [stats.get(name, (math.nan,))[0] for name in ("num_prompt_tokens", "num_output_tokens")]
    return sum(parts)


def _perturbation(value: object) -> str:
    if value is None:
        return ""
    return text_at(value, "name") or "perturbed"


def _score_names(spec: dict[str, Any], records: list[Any]) -> list[str]:
    """List the scores that are there, those that the run asked for first and in its order."""
    present = dict.fromkeys(
        name for record in records[:100] if isinstance(record, dict) for name in _names(record)
    )
    asked = [
        name for entry in list_at(spec, "metric_specs") for name in list_at(entry, "args", "names")
    ]
    ordered = [name for name in asked if isinstance(name, str) and name in present]
    return list(dict.fromkeys([*ordered, *(name for name in present if is_score(name))]))


def _names(record: dict[str, Any]) -> list[str]:
    try:
        return list(_stats(record))
    except DamagedLogError:
        return []


def _run(spec: dict[str, Any], source: SourceFile) -> LogRun:
    """Name model and scenario as the specification does, the model left out of the scenario."""
    adapter = mapping_at(spec, "adapter_spec")
    scenario, _, arguments = text_at(spec, "name").partition(":")
    kept = [
        part
        for part in arguments.split(",")
        if part and not part.startswith(("model=", "model_deployment="))
    ]
    task = scenario + (":" + ",".join(kept) if kept else "")
    model = text_at(adapter, "model")
    return LogRun(
        model, task or "task", text_at(adapter, "model_deployment"), "", source.path.stat().st_mtime
    )


def _add_reports(builder: LogRowsBuilder, run: int, source: SourceFile) -> None:
    """Keep the means of the whole run, which HELM states by split and perturbation."""
    totals = _load_list(source, _STATS, builder)
    known = {(measure.metric, measure.filter, measure.group) for measure in builder.measures}
    for entry in totals:
        name, value = mapping_at(entry, "name"), number_at(entry, "mean")
        # HELM adds worst cases over perturbations, which are no means of what was asked.
        if text_at(name, "perturbation", "computed_on") == "worst":
            continue
        key = (
            text_at(name, "name"),
            _perturbation(name.get("perturbation")),
            text_at(name, "split"),
        )
        if key in known and not math.isnan(value):
            builder.reports.append(ReportedMean(run, *key, value))


def _load(source: SourceFile, name: str, builder: LogRowsBuilder) -> dict[str, Any]:
    found = load_companion(source.path.parent / name, source, builder)
    return found if isinstance(found, dict) else {}


def _load_list(source: SourceFile, name: str, builder: LogRowsBuilder) -> list[Any]:
    found = load_companion(source.path.parent / name, source, builder)
    return found if isinstance(found, list) else []

"""Names of respondents over all logs: two models under one name are kept apart, and said so."""

from collections.abc import Iterable
from dataclasses import dataclass

from itemcurve.logs.reading.log_rows import LogRun

_SHOWN_DETAIL = 80


@dataclass(frozen=True)
class Collision:
    """Something that looks like one thing and is two; both are kept.

    `kind` is "respondent" (one name, different models), "settings" (one model and task, asked
    differently), "content" (one sample id, different questions) or "duplicate" (one question
    under several sample ids).
    """

    kind: str
    where: str
    detail: str


@dataclass(frozen=True)
class SourceRun:
    """A run, with the harness that made it."""

    harness: str
    run: LogRun


def name_respondents(runs: Iterable[SourceRun]) -> tuple[dict[SourceRun, str], list[Collision]]:
    """Give each run the name of its respondent, different models different names.

    Identities are compared within one harness only: harnesses describe one model differently.
    """
    listed = list(dict.fromkeys(runs))
    identities: dict[tuple[str, str], dict[str, None]] = {}
    for source in listed:
        key = (source.harness, source.run.respondent)
        identities.setdefault(key, {})[source.run.identity] = None
    names = {
        source: _with_detail(
            source.run.respondent,
            source.run.identity,
            identities[source.harness, source.run.respondent],
        )
        for source in listed
    }
    collisions = [
        Collision("respondent", name, _list(found))
        for (_, name), found in identities.items()
        if len(found) > 1
    ]
    return _split_settings(names, collisions)


def _split_settings(
    names: dict[SourceRun, str], collisions: list[Collision]
) -> tuple[dict[SourceRun, str], list[Collision]]:
    """Keep runs of one model on one task apart where it was asked differently."""
    settings: dict[tuple[str, str, str], dict[str, None]] = {}
    for source, name in names.items():
        key = (source.harness, name, source.run.task)
        settings.setdefault(key, {})[source.run.settings] = None
    split = {
        source: _with_detail(
            name, source.run.settings, settings[source.harness, name, source.run.task]
        )
        for source, name in names.items()
    }
    found = [
        Collision("settings", f"{name}, task {task}", _list(different))
        for (_, name, task), different in settings.items()
        if len(different) > 1
    ]
    return split, collisions + found


def _with_detail(name: str, detail: str, different: dict[str, None]) -> str:
    if len(different) == 1:
        return name
    shown = detail or "no details"
    # Cut where that still tells them apart; the whole text where it does not.
    is_clear = len({text[:_SHOWN_DETAIL] for text in different}) == len(different)
    return f"{name} [{shown[:_SHOWN_DETAIL] if is_clear else shown}]"


def _list(different: Iterable[str]) -> str:
    shown = [text or "no details" for text in different]
    more = f" and {len(shown) - 5} more" if len(shown) > 5 else ""
    return (
        f"{len(shown)} kept apart: " + "; ".join(text[:_SHOWN_DETAIL] for text in shown[:5]) + more
    )

"""Runs as tables for pages: leaderboard, items, respondents, findings, who answered what."""

import threading
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from itemcurve.service.problems import ProblemError
from itemcurve.storage.run_manifest import MANIFEST
from itemcurve.store.data_folder import Store
from itemcurve.store.run_rows import list_runs
from itemcurve.store.tenants import LOCAL

# What analyses runs is imported where it is used: the first page need not wait for it.
if TYPE_CHECKING:
    import pandas

    from itemcurve.dashboard.other_run import OtherDocuments
    from itemcurve.dashboard.run_documents import RunDocuments
    from itemcurve.reports.source import Source

# Opened runs that stay in memory.
_MOST_OPEN = 4


@dataclass(frozen=True)
class RunEntry:
    """A run that a tenant may see."""

    tenant: str
    id: str
    name: str
    path: Path
    created_at: float
    is_linked: bool = False


class RunViews:
    """Runs of tenants, and runs of the command line for whoever is on this machine.

    Parameters
    ----------
    folders : runs of the command line.
    """

    def __init__(self, store: Store, folders: Sequence[Path]) -> None:
        self._store = store
        self._folders = [Path(folder).resolve() for folder in folders]
        self._open: OrderedDict[tuple[Path, float], dict[str, Any]] = OrderedDict()
        # Analyses are made for whole machines, and pages ask for several at once: one at a time
        # for each tenant, so that nobody waits for those of another.
        self._working: defaultdict[str, threading.RLock] = defaultdict(threading.RLock)
        self._looking = threading.Lock()

    def list_all(self, tenant: str) -> list[RunEntry]:
        """Give the runs of a tenant, the latest first."""
        found = [
            RunEntry(tenant, row.id, row.name, self._store.run_path(tenant, row.id), row.created_at)
            for row in self._store.database.read(list_runs(tenant))
        ]
        linked = self._linked() if tenant == LOCAL else []
        return sorted([*found, *linked], key=lambda run: -run.created_at)

    def find(self, tenant: str, name: str) -> RunEntry:
        """Give one run; `ProblemError` 404 where the tenant has none of this id."""
        for entry in self.list_all(tenant):
            if entry.id == name and (entry.path / MANIFEST).is_file():
                return entry
        raise ProblemError(404, "no-such-run", f"There is no run {name[:80]!r}.")

    def table(self, entry: RunEntry, name: str) -> "pandas.DataFrame":
        """Give a table of a run, worked out once."""
        kinds: dict[str, Callable[[Source], pandas.DataFrame]] = {
            "leaderboard": _leaderboard,
            "items": _items,
            "respondents": lambda source: source.fit.respondents,
            "findings": _findings,
        }
        found: pandas.DataFrame = self._kept(entry, name, lambda: kinds[name](self.source(entry)))
        return found

    def source(self, entry: RunEntry) -> "Source":
        """Give an opened run."""
        from itemcurve.reports.source import read_source

        found: Source = self._kept(entry, "source", lambda: read_source(entry.path))
        return found

    def documents(self, entry: RunEntry) -> "RunDocuments":
        """Give what pages show of a run."""
        from itemcurve.dashboard.run_documents import RunDocuments

        found: RunDocuments = self._kept(
            entry, "documents", lambda: RunDocuments(self.source(entry))
        )
        return found

    def first_documents(self, entry: RunEntry) -> "RunDocuments | OtherDocuments":
        """Give what the first page shows; runs of ratings, votes or abilities have no other."""
        from itemcurve.dashboard.other_run import OtherDocuments
        from itemcurve.reports.other_runs.any_run import other_fit

        other: OtherDocuments | None = self._kept(
            entry, "other", lambda: (found := other_fit(entry.path)) and OtherDocuments(found)
        )
        return self.documents(entry) if other is None else other

    def made(self, entry: RunEntry, make: "Callable[[RunDocuments], Any]") -> Any:
        """Make something of what pages show of a run, one at a time."""
        with self._lock(entry):
            return make(self.documents(entry))

    def first_made(
        self, entry: RunEntry, make: "Callable[[RunDocuments | OtherDocuments], Any]"
    ) -> Any:
        """Make something of what the first page shows of any run, one at a time."""
        with self._lock(entry):
            return make(self.first_documents(entry))

    def _kept(self, entry: RunEntry, name: str, make: "Callable[[], Any]") -> Any:
        with self._lock(entry):
            key = (entry.path, (entry.path / MANIFEST).stat().st_mtime)
            with self._looking:
                kept = self._open.get(key, {})
            made = kept[name] if name in kept else make()
            with self._looking:
                # Making it may have opened the run, or pushed it out.
                self._open.setdefault(key, kept)[name] = made
                self._open.move_to_end(key)
                while len(self._open) > _MOST_OPEN:
                    self._open.popitem(last=False)
            return made

    def _lock(self, entry: RunEntry) -> threading.RLock:
        with self._looking:
            return self._working[entry.tenant]

    def _linked(self) -> list[RunEntry]:
        return [
            RunEntry(
                LOCAL,
                sha256(str(path).encode()).hexdigest()[:16],
                path.name if path.name != "run" else f"{path.parent.name}/run",
                path,
                (path / MANIFEST).stat().st_mtime,
                True,
            )
            for path in self._folders
            if (path / MANIFEST).is_file()
        ]


def _findings(source: "Source") -> "pandas.DataFrame":
    from itemcurve.reports.source import find_in_source

    return find_in_source(source, frozenset())[1].frame()


def _leaderboard(source: "Source") -> "pandas.DataFrame":
    """The board that the run holds, or one by ability."""
    from itemcurve.analysis.respondents.leaderboard import build_leaderboard

    stored = source.table("leaderboard", "respondent")
    return build_leaderboard(source.fit).frame() if stored is None else stored


def _items(source: "Source") -> "pandas.DataFrame":
    """Parameters with verdicts; those of an audit where the run holds one."""
    from itemcurve.analysis.items.verdicts import item_verdicts

    table = source.fit.items.copy()
    verdicts = item_verdicts(source.fit, source.table("audit", "item", "verdict"))
    more = [name for name in verdicts.columns if name not in table.columns]
    return table.merge(verdicts[["item", *more]], on="item", how="left", sort=False)

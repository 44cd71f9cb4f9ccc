"""All that is kept of a tenant: exported as files of the command line, deleted, let go by age."""

import csv
import io
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from itemcurve.storage.atomic_files import write_bytes
from itemcurve.storage.disk import copy_file, disk
from itemcurve.storage.folder_swap import new_folder
from itemcurve.storage.json_documents import pack_json
from itemcurve.storage.spreadsheet_text import quote_formula
from itemcurve.store.contents import drop_unused, list_holdings, read_body
from itemcurve.store.data_folder import Store
from itemcurve.store.decisions import list_decisions
from itemcurve.store.run_rows import list_jobs, list_runs, list_uploads
from itemcurve.store.session_rows import OPEN, list_sessions, read_lines
from itemcurve.store.tokens import list_tokens
from itemcurve.store.transactions import Transaction

CONTENT_KINDS = ("bank", "calibration")
_EVERYTHING = 2**31
# Tables whose rows go with a tenant, those that others refer to last.
_TABLES: tuple[str, ...] = ("decisions", "session_lines", "sessions", "holdings", "runs", "jobs")
_TABLES += ("uploads", "tokens")


@dataclass(frozen=True)
class Counts:
    """How much was exported or deleted."""

    sessions: int = 0
    contents: int = 0
    uploads: int = 0
    runs: int = 0


def export_tenant(store: Store, tenant: str, target: Path) -> Counts:
    """Write all data of a tenant into a new folder.

    Sessions are files that `itemcurve adapt` goes on from, with their banks beside them; uploads
    and runs are as they are kept; what is left is in `tenant.json`. Secrets are not among them.
    """
    with new_folder(target) as fresh:
        return _export(store, tenant, fresh)


def _export(store: Store, tenant: str, target: Path) -> Counts:
    disk().make_folder(target / "sessions")
    n_contents = _export_contents(store, tenant, target / "sessions")
    sessions = store.database.read(list_sessions(tenant, before=None, limit=_EVERYTHING))
    for row in sessions:
        lines = store.database.read(read_lines(tenant, row.id))
        body = "".join(f"{line}\n" for line in lines).encode()
        write_bytes(target / "sessions" / f"{row.id}.json", body)
    files = store.tenant_folder(tenant)
    for part in ("uploads", "runs"):
        if (files / part).is_dir():
            _copy_tree(files / part, target / part)
    uploads, runs = (
        store.database.read(list_uploads(tenant)),
        store.database.read(list_runs(tenant)),
    )
    write_bytes(target / "tenant.json", pack_json(_describe(store, tenant), "the tenant"))
    _write_list(target / "sessions.csv", [[r.id, r.standing.respondent] for r in sessions])
    return Counts(len(sessions), n_contents, len(uploads), len(runs))


def delete_tenant(store: Store, tenant: str) -> Counts:
    """Delete all data of a tenant, tokens and files included."""
    files = store.tenant_folder(tenant)

    def work(transaction: Transaction) -> Counts:
        counts = _count(transaction, tenant)
        for table in _TABLES:
            transaction.run(f"DELETE FROM {table} WHERE tenant = ?", tenant)
        transaction.run("DELETE FROM tenants WHERE id = ?", tenant)
        drop_unused(transaction)
        return counts

    counts = store.database.write(work)
    store.remove_files(files)
    return counts


def let_go(store: Store, *, older_than_days: float, is_open_too: bool = False) -> Counts:
    """Delete sessions that are over, and uploads, when they were last changed so long ago.

    Parameters
    ----------
    is_open_too : also sessions that nobody has gone on with for so long.
    """
    limit = time.time() - 86400 * older_than_days
    # No session has this status.
    kept = "" if is_open_too else OPEN

    def work(transaction: Transaction) -> tuple[int, list[tuple[str, str]]]:
        old = "status <> ? AND changed_at < ?"
        gone = transaction.all(f"SELECT tenant, id FROM sessions WHERE {old}", kept, limit)
        for tenant, name in gone:
            where = "WHERE tenant = ? AND session = ?"
            transaction.run(f"DELETE FROM session_lines {where}", tenant, name)
        transaction.run(f"DELETE FROM sessions WHERE {old}", kept, limit)
        found = transaction.all("SELECT tenant, id FROM uploads WHERE created_at < ?", limit)
        transaction.run("DELETE FROM uploads WHERE created_at < ?", limit)
        return len(gone), [(str(tenant), str(name)) for tenant, name in found]

    n_sessions, uploads = store.database.write(work)
    store.remove_files(*(store.upload_path(tenant, name) for tenant, name in uploads))
    return Counts(sessions=n_sessions, uploads=len(uploads))


def _export_contents(store: Store, tenant: str, folder: Path) -> int:
    number = 0
    for kind in CONTENT_KINDS:
        for held in store.database.read(list_holdings(tenant, kind)):
            body = store.database.read(read_body(kind, held.mark))
            write_bytes(folder / f"{kind}-{held.mark}.json", body)
            number += 1
    return number


def _describe(store: Store, tenant: str) -> dict[str, object]:
    read = store.database.read
    runs = read(list_runs(tenant))
    return {
        "format": "itemcurve-tenant-1",
        "tenant": tenant,
        "banks": [asdict(held) for held in read(list_holdings(tenant, "bank"))],
        "uploads": [asdict(row) for row in read(list_uploads(tenant))],
        "jobs": [asdict(row) for row in read(list_jobs(tenant))],
        "runs": [asdict(row) for row in runs],
        "decisions": {
            row.id: [asdict(made) for made in read(list_decisions(tenant, row.id))] for row in runs
        },
        "tokens": [asdict(token) for token in read(list_tokens(tenant))],
    }


def _write_list(path: Path, rows: list[list[str]]) -> None:
    text = io.StringIO(newline="")
    named = [["session", "respondent"], *rows]
    csv.writer(text).writerows(map(quote_formula, row) for row in named)
    write_bytes(path, text.getvalue().encode())


def _copy_tree(source: Path, target: Path) -> None:
    disk().make_folder(target)
    for path in sorted(source.iterdir()):
        if path.is_dir():
            _copy_tree(path, target / path.name)
        else:
            copy_file(path, target / path.name)
    disk().sync_folder(target)


def _count(transaction: Transaction, tenant: str) -> Counts:
    found = [
        transaction.one(f"SELECT COUNT(*) FROM {table} WHERE tenant = ?", tenant)
        for table in ("sessions", "holdings", "uploads", "runs")
    ]
    return Counts(*(int(row[0]) if row else 0 for row in found))

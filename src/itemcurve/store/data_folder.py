"""Where a store keeps its files: the database, and uploads and runs of each tenant."""

import re
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from itemcurve.errors import StorageError
from itemcurve.storage.disk import disk, make_folders
from itemcurve.store.database import Database, open_database
from itemcurve.store.tenants import check_tenant

_DATABASE = "itemcurve.db"
_ID = re.compile(r"[0-9a-f]{16,64}")


@dataclass(frozen=True)
class Store:
    """An open database and the folder of its files."""

    database: Database
    folder: Path

    def upload_path(self, tenant: str, name: str) -> Path:
        """Where the bytes of an upload are."""
        return self.tenant_folder(tenant) / "uploads" / _checked(name)

    def run_path(self, tenant: str, name: str) -> Path:
        """Where the folder of a run is."""
        return self.tenant_folder(tenant) / "runs" / _checked(name)

    def tenant_folder(self, tenant: str) -> Path:
        """Where the files of a tenant are."""
        return self.folder / "tenants" / check_tenant(tenant)

    def remove_files(self, *paths: Path) -> None:
        """Delete files or folders of this store; those that are gone are fine."""
        for path in paths:
            if path.is_dir():
                disk().remove_tree(path)
            else:
                disk().remove(path)

    def close(self) -> None:
        """Close the database."""
        self.database.close()


def open_store(folder: str | PathLike[str], database: str | None = None) -> Store:
    """Open a store, or make one.

    Parameters
    ----------
    folder : for the files; the database lies there, too, unless another is named.
    database : the URL of a PostgreSQL server, or a file.
    """
    path = Path(folder)
    # Answers and tokens are nobody else's business on a machine of many.
    make_folders(path, 0o700)
    return Store(open_database(database or path / _DATABASE), path)


def _checked(name: str) -> str:
    if not _ID.fullmatch(name):
        raise StorageError("An id is of 16 to 64 digits 0-9a-f;", f"got {name[:40]!r}.", "")
    return name

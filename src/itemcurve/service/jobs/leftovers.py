"""What a server that was killed left behind: halves of uploads, folders of jobs."""

import time
from pathlib import Path

from itemcurve.store.data_folder import Store
from itemcurve.store.tenants import list_tenants

# Of a file that is being received, and of the folder of a job.
PART, WORK = ".part", ".work"


def remove_leftovers(store: Store, *, older_than: float) -> int:
    """Remove what nobody has touched for so many seconds; give how many there were."""
    limit = time.time() - older_than
    found = [
        path
        for tenant in store.database.read(list_tenants)
        for pattern in (f"uploads/*{PART}", f"runs/*{WORK}")
        for path in store.tenant_folder(tenant).glob(pattern)
        if _changed_at(path) < limit
    ]
    store.remove_files(*found)
    return len(found)


def _changed_at(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return time.time()

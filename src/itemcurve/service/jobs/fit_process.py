"""The process of one job: a file that was handed in becomes responses, a fit, a run and a bank.

It is told what to do in one line on its input, says how far it is in lines on its output, and ends
when its input does: a server that is killed leaves nothing behind.
"""

import json
import os
import sys
import threading
import warnings
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from itemcurve.responses.matrix import Responses

_TABLES = (".csv", ".tsv", ".jsonl", ".parquet", ".npz", ".csv.gz", ".tsv.gz", ".jsonl.gz")
# In the folder of the job.
BANK_FILE = "bank.json"
# Of a ZIP archive of logs, all files together.
_MOST_UNPACKED = 2 * 2**30
_MOST_FILES = 20_000
_CHUNK = 2**20


def main() -> int:
    """Do the job that the input names."""
    wanted = json.loads(sys.stdin.readline())
    _limit(int(wanted["bytes"]), int(wanted["seconds"]))
    threading.Thread(target=_follow_input, daemon=True).start()
    warnings.simplefilter("ignore")
    try:
        folder = Path(wanted["folder"])
        responses = _read(Path(wanted["upload"]), str(wanted["name"]), wanted, folder)
        _fit(responses, wanted)
    except MemoryError:
        _tell(error="It needs more memory than jobs may have.")
    except ValueError as error:
        _tell(error=str(error)[:2000])
    except OSError as error:
        # Not with its path, which is the server's.
        _tell(error=f"A file could not be read or written: {error.strerror or 'no reason given'}.")
    else:
        return 0
    return 2


def _limit(most_bytes: int, seconds: int) -> None:
    """Bound memory, processor time and the size of files; write no memory to disk.

    Windows has no such limits, macOS none of memory: there, the server's clock alone ends a job.
    """
    try:
        import resource
    except ImportError:
        return
    for kind, limit in (
        (resource.RLIMIT_AS, (most_bytes, most_bytes)),
        (resource.RLIMIT_CPU, (seconds, seconds + 5)),
        (resource.RLIMIT_CORE, (0, 0)),
        (resource.RLIMIT_FSIZE, (_MOST_UNPACKED, _MOST_UNPACKED)),
    ):
        if sys.platform == "darwin":
            with suppress(ValueError, OSError):
                resource.setrlimit(kind, limit)
        else:
            resource.setrlimit(kind, limit)
    os.nice(5)


def _follow_input() -> None:
    """End with whoever started this."""
    while sys.stdin.readline():
        pass
    os._exit(3)


def _read(path: Path, name: str, wanted: dict[str, Any], folder: Path) -> "Responses":
    """Read responses, or logs of evaluations."""
    from itemcurve.logs.log_folder import read_logs
    from itemcurve.responses.matrix import Responses

    _tell(stage="reading")
    # The name says the format, and is otherwise not trusted.
    own = "".join(c if c.isalnum() or c in "._-" else "_" for c in Path(name).name)[-100:]
    target = folder / f"in_{own}"
    if own.lower().endswith(".zip"):
        unpack_logs(path, folder / "logs")
        target = folder / "logs"
    else:
        os.link(path, target)
    if target.is_file() and own.lower().endswith(_TABLES):
        return Responses.read(target)
    table = read_logs(target, cache=False, n_jobs=1)
    return table.select(wanted.get("task"), wanted.get("metric"), announce=False)


def unpack_logs(path: Path, folder: Path) -> None:
    """Unpack an archive of logs into a new folder, by what comes out and not by what it claims."""
    from itemcurve.errors import ResponsesError

    folder.mkdir()
    left = _MOST_UNPACKED
    try:
        with zipfile.ZipFile(path) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            if len(entries) > _MOST_FILES:
                raise ResponsesError("An archive has at most 20,000 files;", f"{len(entries)}.")
            for number, entry in enumerate(entries):
                left = _unpack(archive, entry, folder / _safe_name(entry.filename, number), left)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError) as error:
        raise ResponsesError("An archive must be a sound ZIP file;", f"{error}.", "") from None


def _unpack(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, target: Path, left: int) -> int:
    from itemcurve.errors import ResponsesError

    target.parent.mkdir(parents=True, exist_ok=True)
    with archive.open(entry) as source, target.open("xb") as file:
        while chunk := source.read(_CHUNK):
            left -= len(chunk)
            if left < 0:
                raise ResponsesError(
                    "An archive unpacks to at most 2 GiB;", "this one to more.", "Split it."
                )
            file.write(chunk)
    return left


def _safe_name(name: str, number: int) -> Path:
    """Keep folders, which some formats give a meaning; nothing leads out of the folder."""
    parts = [part for part in name.replace("\\", "/").split("/") if part not in ("", ".", "..")]
    clean = ["".join(c if c.isalnum() or c in "._-= ,()" else "_" for c in p)[:150] for p in parts]
    return Path(*clean[-8:]) if clean else Path(f"entry{number}")


def _fit(responses: "Responses", wanted: dict[str, Any]) -> None:
    from itemcurve.bank.saved_bank import bank_content
    from itemcurve.estimation.fit import fit

    _tell(stage="fitting", respondents=responses.shape[0], items=responses.shape[1])

    def progress(iteration: int, objective: float) -> None:
        _tell(stage="fitting", iteration=iteration, objective=float(objective))

    found = fit(responses, wanted["model"], on_failure="ignore", progress=progress)
    _tell(stage="saving")
    found.save(wanted["out"])
    Path(wanted["folder"], BANK_FILE).write_bytes(bank_content(found.bank))
    _tell(stage="done", items=len(found.bank), message=str(found.status))


def _tell(**news: object) -> None:
    print(json.dumps(news), flush=True)


if __name__ == "__main__":
    sys.exit(main())

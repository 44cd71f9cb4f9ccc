"""Uploads: files of responses or logs, as they are; a job makes something of them."""

import secrets
import time
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path as FilePath
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from fastapi.concurrency import run_in_threadpool

from itemcurve.service.documents.run_documents import UploadList, UploadOut
from itemcurve.service.documents.session_documents import Name
from itemcurve.service.jobs.leftovers import PART
from itemcurve.service.new_sessions import Key, key_used, name_of
from itemcurve.service.problems import ProblemError
from itemcurve.service.rooms import Found, Reader, Writer
from itemcurve.storage.disk import disk, make_folders
from itemcurve.store.run_rows import (
    UploadRow,
    add_upload,
    delete_upload,
    find_upload,
    list_uploads,
)
from itemcurve.store.tenant_room import used_bytes
from itemcurve.store.transactions import NoRoomError

router = APIRouter(prefix="/v1/uploads", tags=["uploads"])
UploadId = Annotated[str, Path(pattern=r"^[0-9a-f]{16}$")]
_BODY = {
    "requestBody": {
        "required": True,
        "description": "The bytes of the file.",
        "content": {"application/octet-stream": {"schema": {"type": "string"}}},
    }
}


@router.post("", status_code=201, openapi_extra=_BODY)
async def hand_in(
    rooms: Found,
    caller: Writer,
    request: Request,
    name: Annotated[Name, Query(description="Its ending says what it is: .csv, .eval, .zip, …")],
    key: Key = None,
) -> UploadOut:
    """Hand in a file, as the body of the request."""
    tenant, most = caller.tenant, rooms.settings.most_tenant_bytes
    room = most - await rooms.desk.read(lambda found: used_bytes(found, tenant))
    identity = name_of(tenant, key, 16)
    path = rooms.store.upload_path(tenant, identity)
    part = path.with_name(f"{secrets.token_hex(8)}{PART}")
    try:
        size, mark = await _receive(request, part, room)
        row = UploadRow(identity, name, size, mark, time.time())
        if known := await rooms.desk.read(find_upload(tenant, identity)):
            return _repeated(known, row)
        await run_in_threadpool(_name, part, path)
        await rooms.desk.store(add_upload(tenant, row, most=most))
    except NoRoomError:
        path.unlink(missing_ok=True)
        raise
    finally:
        part.unlink(missing_ok=True)
    return UploadOut(**asdict(row))


@router.get("")
async def list_all(rooms: Found, caller: Reader) -> UploadList:
    """List uploads."""
    found = await rooms.desk.read(list_uploads(caller.tenant))
    return UploadList(uploads=[UploadOut(**asdict(row)) for row in found])


@router.delete("/{upload}", status_code=204)
async def delete(rooms: Found, caller: Writer, upload: UploadId) -> None:
    """Delete an upload; runs that were made of it stay."""
    if await rooms.desk.read(find_upload(caller.tenant, upload)) is None:
        raise ProblemError(404, "no-such-upload", "There is no such upload.")
    await rooms.desk.store(delete_upload(caller.tenant, upload))
    rooms.store.remove_files(rooms.store.upload_path(caller.tenant, upload))


def _repeated(known: UploadRow, row: UploadRow) -> UploadOut:
    """Give the upload that the key named; another file is refused."""
    if (known.name, known.mark) != (row.name, row.mark):
        raise key_used()
    return UploadOut(**asdict(known))


def _name(part: FilePath, path: FilePath) -> None:
    """Give a whole file its name, before the database knows of it."""
    disk().rename(part, path)
    disk().sync_folder(path.parent)


async def _receive(request: Request, path: FilePath, room: int) -> tuple[int, str]:
    """Write the body to disk as it comes; give its size and SHA-256."""
    await run_in_threadpool(make_folders, path.parent, 0o700)
    size, mark = 0, sha256()
    with disk().create(path) as file:
        async for chunk in request.stream():
            size += len(chunk)
            if size > room:
                raise ProblemError(413, "no-room", "Delete uploads first: there is no more room.")
            mark.update(chunk)
            await run_in_threadpool(file.write, chunk)
        file.flush()
        await run_in_threadpool(disk().sync, file.fileno())
    if not size:
        raise ProblemError(422, "not-usable", "The file is empty.")
    return size, mark.hexdigest()

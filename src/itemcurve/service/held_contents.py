"""What banks and calibrations have in common: handed in once, known by their content."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

from fastapi import Path, Response
from fastapi.concurrency import run_in_threadpool

from itemcurve.service.problems import ProblemError
from itemcurve.service.rooms import Rooms
from itemcurve.store.contents import (
    Holding,
    drop_holding,
    find_holding,
    hold_content,
    list_holdings,
    read_body,
)

Mark = Annotated[str, Path(pattern=r"^[0-9a-f]{64}$")]


@dataclass(frozen=True)
class HeldContents:
    """Contents of one kind, which tenants hold."""

    kind: str

    async def hand_in(
        self, rooms: Rooms, tenant: str, name: str, check: Callable[[], tuple[bytes, int]]
    ) -> Holding:
        """Store what `check` gives: bytes written anew, and the number of items."""
        content, size = await run_in_threadpool(check)
        most = rooms.settings.most_tenant_bytes
        return await rooms.desk.store(
            hold_content(tenant, self.kind, content, name=name, items=size, most=most)
        )

    async def list_all(self, rooms: Rooms, tenant: str) -> list[Holding]:
        """List those that the tenant may use."""
        return await rooms.desk.read(list_holdings(tenant, self.kind))

    async def find(self, rooms: Rooms, tenant: str, mark: str) -> Holding:
        """Give one; `ProblemError` 404 where the tenant has none of this mark."""
        found = await rooms.desk.read(find_holding(tenant, self.kind, mark))
        if found is None:
            raise self._missing()
        return found

    async def read(self, rooms: Rooms, tenant: str, mark: str) -> Response:
        """Give its bytes, as a session folder of the command line has them."""
        await self.find(rooms, tenant, mark)
        body = await rooms.desk.read(read_body(self.kind, mark))
        return Response(body, media_type="application/json")

    async def delete(self, rooms: Rooms, tenant: str, mark: str) -> None:
        """Delete one that no session needs."""
        if not await rooms.desk.store(drop_holding(tenant, self.kind, mark)):
            raise self._missing()

    def _missing(self) -> ProblemError:
        return ProblemError(404, f"no-such-{self.kind}", f"There is no such {self.kind}.")

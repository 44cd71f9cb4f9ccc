"""Where sessions are called up, stepped and stored: one step of a session at a time."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from itemcurve.service.broadcast import Broadcast
from itemcurve.service.live.kept_contents import KeptContents
from itemcurve.service.live.live_session import LiveSession, Request
from itemcurve.service.live.staged_lines import StagedLines
from itemcurve.service.problems import ProblemError
from itemcurve.storage.growing_files import ChangedFileError
from itemcurve.store.database import Database
from itemcurve.store.session_rows import (
    OPEN,
    Addition,
    SessionRow,
    Standing,
    add_to_session,
    begin_session,
    find_request,
    find_session,
)
from itemcurve.store.transactions import ConflictError, Transaction

if TYPE_CHECKING:
    from itemcurve.adaptive.recorded_test import RecordedTest
    from itemcurve.service.live.questions import Question

Found = TypeVar("Found")
Step = Callable[[LiveSession], Addition | None]
# Steps that take long, at once.
_THINKERS = 2
# Another server changed the session meanwhile: read it again, this often.
_TRIES = 3


class SessionDesk:
    """The sessions at hand.

    Parameters
    ----------
    most : how many are kept in memory.
    """

    def __init__(
        self, database: Database, contents: KeptContents, most: int, broadcast: Broadcast
    ) -> None:
        self._database, self._contents, self._most = database, contents, most
        self._broadcast = broadcast
        self._sessions: OrderedDict[tuple[str, str], LiveSession] = OrderedDict()
        self._thinkers = ThreadPoolExecutor(_THINKERS, "long-step")
        self._calls: dict[tuple[str, str], asyncio.Task[LiveSession]] = {}

    def __len__(self) -> int:
        return len(self._sessions)

    async def begin(
        self, tenant: str, name: str, test: "RecordedTest", question: "Question", request: Request
    ) -> LiveSession:
        """Store a new session; `ConflictError` where there is one of this name."""
        about = (question.mark(test), 0, None, None, OPEN, None, None, question.name)
        live = LiveSession(name, test, question, Standing(test.respondent, *about), StagedLines())
        addition = await self._step(live, lambda new: new.begin(request), request)
        assert addition is not None
        await self.store(begin_session(tenant, name, addition))
        live.stored(addition)
        self._keep((tenant, name), live)
        self._broadcast.tell((tenant, "sessions"), name)
        return live

    async def step(
        self, tenant: str, name: str, step: Step, request: Request
    ) -> tuple[LiveSession, bool]:
        """Take a step of a session, and store it; say whether it was taken before.

        A request whose key is known is not taken again, whatever has happened since.
        """
        must_look = False
        for _ in range(_TRIES):
            live = await self.call_up(tenant, name)
            async with live.lock:
                if live.is_forgotten:
                    continue
                # Other servers may have gone on; answers are refused by the store then.
                if not request.items and await self._is_changed(tenant, live):
                    self._forget((tenant, name), live)
                    continue
                # A request that comes again brings answers that are known; else nothing is read.
                must_look = must_look or live.has_any(request.items)
                if must_look and await self.read_request(tenant, name, request):
                    return live, True
                try:
                    await self._take(tenant, live, step, request)
                except (ChangedFileError, ConflictError):
                    # Another server changed the session, or took this very request.
                    must_look = True
                    self._forget((tenant, name), live)
                    continue
                except BaseException:
                    self._forget((tenant, name), live)
                    raise
            self._broadcast.tell((tenant, "sessions"), name)
            return live, False
        raise ProblemError(409, "changed-meanwhile", "The session is being changed; try again.")

    async def call_up(self, tenant: str, name: str) -> LiveSession:
        """Give a session, read from the store where it is not at hand."""
        key = (tenant, name)
        if key in self._sessions:
            self._sessions.move_to_end(key)
            return self._sessions[key]
        if key not in self._calls:
            self._calls[key] = asyncio.create_task(self._read(tenant, name))
            self._calls[key].add_done_callback(lambda _: self._calls.pop(key, None))
        live = await asyncio.shield(self._calls[key])
        self._keep(key, live)
        return live

    async def look_up(self, tenant: str, name: str) -> LiveSession:
        """Give a session as the store has it, whoever changed it last."""
        for _ in range(_TRIES):
            live = await self.call_up(tenant, name)
            async with live.lock:
                if not live.is_forgotten and not await self._is_changed(tenant, live):
                    return live
                self._forget((tenant, name), live)
        raise ProblemError(409, "changed-meanwhile", "The session is being changed; try again.")

    async def _is_changed(self, tenant: str, live: LiveSession) -> bool:
        row = await self.read(find_session(tenant, live.name))
        return row is None or row.version != live.version

    async def read(self, work: Callable[[Transaction], Found]) -> Found:
        """Read from the store beside all this."""
        return await asyncio.to_thread(self._database.read, work)

    async def store(self, work: Callable[[Transaction], Found]) -> Found:
        """Write to the store; done when it is on disk."""
        return await asyncio.wrap_future(self._database.ask(work))

    async def think(self, work: Callable[[], Found]) -> Found:
        """Do what takes long beside all this, a few at a time: reading never waits for it."""
        return await asyncio.get_running_loop().run_in_executor(self._thinkers, work)

    def close(self) -> None:
        """Begin nothing that takes long any more."""
        self._thinkers.shutdown(wait=False, cancel_futures=True)

    def drop(self, tenant: str, name: str) -> None:
        """Forget a session that was deleted."""
        if (tenant, name) in self._sessions:
            self._forget((tenant, name), self._sessions[tenant, name])

    def drop_all(self, tenant: str) -> None:
        """Forget the sessions of a tenant whose data were deleted."""
        for key in [key for key in self._sessions if key[0] == tenant]:
            self._forget(key, self._sessions[key])

    async def _take(self, tenant: str, live: LiveSession, step: Step, request: Request) -> None:
        addition = await self._step(live, step, request)
        if addition is not None:
            await self.store(add_to_session(tenant, live.name, addition))
            live.stored(addition)

    async def _step(self, live: LiveSession, step: Step, request: Request) -> Addition | None:
        """Take a step; beside all else where it may take long."""
        if live.question.is_long(live.test, request.wanted):
            return await self.think(lambda: step(live))
        return step(live)

    async def read_request(self, tenant: str, name: str, request: Request) -> bool:
        """Say whether a request was taken before; one of the same key that differs is refused."""
        if request.key is None:
            return False
        found = await self.read(find_request(tenant, name, request.key))
        if found is not None and found[0] != request.digest:
            detail = "The Idempotency-Key was used for another request."
            raise ProblemError(422, "key-used", detail)
        return found is not None

    async def _read(self, tenant: str, name: str) -> LiveSession:
        from itemcurve.service.live.questions import QUESTIONS
        from itemcurve.store.session_tables import SessionTables

        tables = SessionTables(self._database, tenant)
        row = await asyncio.to_thread(tables.find, name)
        if row is None:
            raise ProblemError(404, "no-such-session", f"There is no session {name[:80]!r}.")
        question = QUESTIONS[row.standing.question]
        content = await self._contents.get_any(question.content_kind, row.standing.mark)

        def load() -> "tuple[RecordedTest, SessionRow | None]":
            return question.open(tables, name, content), tables.find(name)

        for _ in range(_TRIES):
            test, after = await asyncio.to_thread(load)
            if after is not None and test.kept is not None:
                staged = StagedLines(str(test.kept.seal))
                if after.version == row.version:
                    about = (question, after.standing, staged, after.version)
                    return LiveSession(name, test, *about)
                row = after
        raise ProblemError(409, "changed-meanwhile", "The session is being changed; try again.")

    def _keep(self, key: tuple[str, str], live: LiveSession) -> None:
        if live.is_forgotten:
            return
        self._sessions[key] = live
        while len(self._sessions) > self._most:
            oldest = next(iter(self._sessions))
            if self._sessions[oldest].lock.locked():
                break
            self._forget(oldest, self._sessions[oldest])

    def _forget(self, key: tuple[str, str], live: LiveSession) -> None:
        live.is_forgotten = True
        if self._sessions.get(key) is live:
            del self._sessions[key]

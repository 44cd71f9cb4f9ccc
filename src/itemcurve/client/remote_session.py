"""One adaptive test that the service runs: items come from it, answers go to it."""

import uuid
from collections.abc import Iterable, Mapping
from typing import Any

from itemcurve.client.http_connection import HttpConnection
from itemcurve.client.replies import State, read_state


class RemoteSession:
    """A session of the service.

    Every change has a key of its own, so that one whose answer was lost on the way can be repeated:
    nothing is recorded twice.

    Attributes
    ----------
    state : as of the last answer of the service.
    """

    def __init__(self, http: HttpConnection, state: State, at_once: int) -> None:
        self._http, self._at_once = http, at_once
        self.state = state

    @property
    def id(self) -> str:
        """Its name, to go on with it later."""
        return self.state.id

    @property
    def items(self) -> tuple[str, ...]:
        """Items to answer now; none when the test is over."""
        return self.state.items

    def answer(
        self, answers: Mapping[str, float] | None = None, *, missing: Iterable[str] = ()
    ) -> tuple[str, ...]:
        """Record answers; give the items to answer next.

        Parameters
        ----------
        answers : responses by item.
        missing : items that cannot be answered; the test goes on without them.
        """
        given: list[dict[str, Any]] = [
            {"item": item, "value": float(value)} for item, value in (answers or {}).items()
        ]
        given += [{"item": item, "missing": True} for item in missing]
        body = {"answers": given, "next": self._at_once}
        self._change("answers", body, {"Idempotency-Key": uuid.uuid4().hex})
        return self.items

    def next(self) -> tuple[str, ...]:
        """Ask for items; the same ones until they are answered, released or expired."""
        self._change("next", {"next": max(1, self._at_once)})
        return self.items

    def release(self, items: Iterable[str] | None = None) -> None:
        """Give items back that will not be answered now; all when left out."""
        self._change("release", {"items": None if items is None else list(items)})

    def finish(self) -> State:
        """End the test as it is; the state then has the score."""
        self._change("finish", {})
        return self.state

    def refresh(self, *, score: bool = False) -> State:
        """Ask how the session stands."""
        query = "?score=true" if score else ""
        self.state = read_state(self._http.ask("GET", f"/v1/sessions/{self.id}{query}"))
        return self.state

    def record(self) -> Mapping[str, Any]:
        """Give all that is needed to run the test again."""
        found: dict[str, Any] = self._http.ask("GET", f"/v1/sessions/{self.id}/record")
        return found

    def _change(
        self, what: str, body: Mapping[str, Any], headers: Mapping[str, str] | None = None
    ) -> None:
        found = self._http.ask("POST", f"/v1/sessions/{self.id}/{what}", body, headers)
        self.state = read_state(found)

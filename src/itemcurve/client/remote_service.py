"""A service from outside: banks, adaptive sessions, files that are fitted there."""

import time
import uuid
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from itemcurve.client.http_connection import HttpConnection
from itemcurve.client.remote_session import RemoteSession
from itemcurve.client.replies import Bank, Calibration, Job, read_state

if TYPE_CHECKING:
    from itemcurve.bank.item_bank import Bank as ItemBank
    from itemcurve.estimation.result import FitResult
    from itemcurve.responses.matrix import Responses


class Service:
    """A service of itemcurve.

    Parameters
    ----------
    url : where it is, as `http://127.0.0.1:8765`.
    token : from `itemcurve store new-token`; not needed on one's own machine.
    timeout : seconds to wait for an answer.
    patience : seconds to go on trying while the service is away or busy.
    """

    def __init__(
        self,
        url: str = "http://127.0.0.1:8765",
        token: str | None = None,
        *,
        timeout: float = 30.0,
        patience: float = 60.0,
    ) -> None:
        self._http = HttpConnection(url, token, timeout=timeout, patience=patience)

    def health(self) -> Mapping[str, Any]:
        """Say whether the service works."""
        found: dict[str, Any] = self._http.ask("GET", "/health")
        return found

    def banks(self) -> list[Bank]:
        """List the banks that may be used."""
        return [Bank(**found) for found in self._http.ask("GET", "/v1/banks")["banks"]]

    def add_bank(self, bank: "ItemBank", name: str = "bank") -> Bank:
        """Hand in a bank; the same one again is the same."""
        from itemcurve.bank.saved_bank import bank_content

        path = f"/v1/banks?name={quote(name, safe='')}"
        return Bank(**self._http.ask("POST", path, bank_content(bank)))

    def calibrations(self) -> list[Calibration]:
        """List the calibrations that scores may be predicted from."""
        found = self._http.ask("GET", "/v1/calibrations")["calibrations"]
        return [Calibration(**each) for each in found]

    def add_calibration(
        self, known: "FitResult | Responses", name: str = "calibration"
    ) -> Calibration:
        """Hand in responses of those evaluated before, or a fit of them."""
        from itemcurve.adaptive.prediction.complete_responses import complete

        path = f"/v1/calibrations?name={quote(name, safe='')}"
        return Calibration(**self._http.ask("POST", path, complete(known).content))

    def take_from_run(self, run: str) -> tuple[Bank, Calibration]:
        """Let the bank and the responses of a run be used in tests."""
        query = f"run={quote(run, safe='')}&name={quote(run, safe='')}"
        bank = self._http.ask("POST", f"/v1/banks?{query}", b"")
        calibration = self._http.ask("POST", f"/v1/calibrations?{query}", b"")
        return Bank(**bank), Calibration(**calibration)

    def begin_score(
        self,
        calibration: str,
        *,
        max_items: int = 50,
        respondent: str = "respondent",
        stop: Mapping[str, Any] | None = None,
        at_once: int = 1,
        **settings: Any,
    ) -> RemoteSession:
        """Begin a test for the score: what all items would give, from few of them.

        Parameters
        ----------
        calibration : its mark.
        stop : when it is over before `max_items`, as `{"half_width": 0.03}`.
        at_once : how many items to have at hand.
        settings : `seed`, `every_look`, `weights`, `groups`.
        """
        wanted = {"calibration": calibration, "max_items": max_items, **settings}
        return self._begin("/v1/sessions/score", wanted, respondent, stop, at_once)

    def begin(
        self,
        bank: str,
        *,
        respondent: str = "respondent",
        stop: Mapping[str, Any] | None = None,
        at_once: int = 1,
        **settings: Any,
    ) -> RemoteSession:
        """Begin a test for ability.

        Parameters
        ----------
        bank : its mark.
        stop : when it is over, as `{"max_items": 50, "ability_se": 0.2}`.
        at_once : how many items to have at hand.
        settings : `select`, `seed`, `ability_method`, `best`, `explore`, `costs`, `groups`.
        """
        wanted = {"bank": bank, **settings}
        return self._begin("/v1/sessions", wanted, respondent, stop, at_once)

    def _begin(
        self,
        path: str,
        settings: Mapping[str, Any],
        respondent: str,
        stop: Mapping[str, Any] | None,
        at_once: int,
    ) -> RemoteSession:
        wanted = {"respondent": respondent, "next": at_once, **settings}
        if stop is not None:
            wanted["stop"] = dict(stop)
        found = self._http.ask("POST", path, wanted, _new_key())
        return RemoteSession(self._http, read_state(found), at_once)

    def session(self, name: str, *, at_once: int = 1) -> RemoteSession:
        """Go on with a session."""
        found = self._http.ask("GET", f"/v1/sessions/{quote(name, safe='')}")
        return RemoteSession(self._http, read_state(found), at_once)

    def upload(self, path: str | PathLike[str]) -> str:
        """Hand in a file of responses or logs; give its id."""
        file = Path(path)
        where = f"/v1/uploads?name={quote(file.name, safe='')}"
        return str(self._http.ask("POST", where, file.read_bytes(), _new_key())["id"])

    def fit(self, upload: str, model: str = "2pl", **settings: Any) -> Job:
        """Fit a model to an upload."""
        wanted = {"upload": upload, "model": model, **settings}
        return Job(**self._http.ask("POST", "/v1/jobs", wanted, _new_key()))

    def cancel(self, job: Job | str) -> Job:
        """End a job that waits or runs; it, or its id."""
        return Job(**self._http.ask("POST", f"{_place(job)}/cancel", {}))

    def job(self, job: Job | str) -> Job:
        """Say how far a job is."""
        return Job(**self._http.ask("GET", _place(job)))

    def wait(self, job: Job | str, *, seconds: float = 3600.0) -> Job:
        """Wait until a job is over."""
        end, pause = time.monotonic() + seconds, 0.05
        while not (found := self.job(job)).is_over and time.monotonic() < end:
            time.sleep(pause)
            pause = min(1.0, 1.5 * pause)
        return found

    def run(self, name: str) -> Mapping[str, Any]:
        """Describe a run; its `bank` can be used in tests."""
        found: dict[str, Any] = self._http.ask("GET", f"/v1/runs/{quote(name, safe='')}")
        return found

    def table(self, run: str, name: str = "leaderboard") -> Mapping[str, list[Any]]:
        """Give a table of a run by column: leaderboard, items, respondents or findings."""
        found = self._http.ask("GET", f"/v1/runs/{quote(run, safe='')}/{name}?limit=1000000")
        columns: dict[str, list[Any]] = found["columns"]
        return columns


def _place(job: Job | str) -> str:
    return f"/v1/jobs/{quote(job if isinstance(job, str) else job.id, safe='')}"


def _new_key() -> Mapping[str, str]:
    """Give a header by which a request that is sent again is known."""
    return {"Idempotency-Key": uuid.uuid4().hex}

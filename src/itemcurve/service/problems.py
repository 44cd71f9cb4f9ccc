"""Errors as RFC 9457 problems: a kind that programs know, words that people understand."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from itemcurve.errors import ItemcurveError
from itemcurve.storage.growing_files import ChangedFileError
from itemcurve.store.transactions import ConflictError, NoRoomError, UnavailableError

MEDIA_TYPE = "application/problem+json"
_MOST_MISTAKES = 20


@dataclass
class ProblemError(Exception):
    """Something that is wrong with a request, or with us.

    Attributes
    ----------
    kind : a word for programs, as `lease-expired`.
    """

    status: int
    kind: str
    detail: str
    headers: Mapping[str, str] = field(default_factory=dict)
    more: Mapping[str, Any] = field(default_factory=dict)


def problem_response(problem: ProblemError) -> JSONResponse:
    """Write a problem."""
    content = {
        "type": f"urn:itemcurve:problem:{problem.kind}",
        "title": problem.kind.replace("-", " ").capitalize(),
        "status": problem.status,
        "detail": problem.detail,
        **problem.more,
    }
    return JSONResponse(content, problem.status, dict(problem.headers), media_type=MEDIA_TYPE)


def as_problem(error: Exception) -> ProblemError:
    """Give an error of the library as a problem."""
    if isinstance(error, ProblemError):
        return error
    if isinstance(error, UnavailableError):
        detail = "The database does not answer. What was asked may have been done: try again with "
        detail += "the same Idempotency-Key."
        return ProblemError(503, "store-unavailable", detail, {"Retry-After": "1"})
    if isinstance(error, ChangedFileError):
        return ProblemError(409, "changed-meanwhile", str(error))
    if isinstance(error, NoRoomError):
        return ProblemError(413, "no-room", str(error))
    if isinstance(error, ConflictError):
        return ProblemError(409, "conflict", str(error))
    if isinstance(error, ItemcurveError):
        return ProblemError(422, "not-usable", str(error))
    return ProblemError(500, "fault", "A fault of the service; it was written down.")


def add_problem_handlers(app: FastAPI) -> None:
    """Let all errors of an application be problems."""

    async def of_library(request: Request, error: Exception) -> JSONResponse:
        return problem_response(as_problem(error))

    async def of_http(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, HTTPException)
        kind = HTTPStatus(error.status_code).phrase.lower().replace(" ", "-")
        return problem_response(ProblemError(error.status_code, kind, str(error.detail)))

    async def of_input(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestValidationError)
        # What was given is not repeated: it may be large, or a secret in the wrong place.
        found = [
            {"where": [str(part) for part in mistake["loc"]], "what": str(mistake["msg"])}
            for mistake in error.errors()[:_MOST_MISTAKES]
        ]
        detail = "; ".join(f"{'.'.join(m['where'])}: {m['what']}" for m in found[:3])
        more = {"errors": found}
        return problem_response(ProblemError(422, "invalid-request", detail, more=more))

    app.add_exception_handler(Exception, of_library)
    app.add_exception_handler(ProblemError, of_library)
    app.add_exception_handler(ItemcurveError, of_library)
    app.add_exception_handler(RequestValidationError, of_input)
    app.add_exception_handler(HTTPException, of_http)

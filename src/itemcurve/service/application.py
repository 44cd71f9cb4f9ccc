"""The application: rooms, routes and the gate before them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI
from starlette.types import ASGIApp

from itemcurve.service.broadcast import Broadcast
from itemcurve.service.direct_answers import DirectAnswers
from itemcurve.service.documents.problem_documents import Problem
from itemcurve.service.jobs.job_queue import JobQueue
from itemcurve.service.live.kept_contents import KeptContents
from itemcurve.service.live.session_desk import SessionDesk
from itemcurve.service.metrics import Metrics
from itemcurve.service.problems import MEDIA_TYPE, add_problem_handlers
from itemcurve.service.request_gate import RequestGate
from itemcurve.service.rooms import Rooms
from itemcurve.service.routes import (
    banks,
    calibrations,
    front_end,
    jobs,
    pages,
    runs,
    score_tests,
    sessions,
    system,
    tenant,
    traces,
    uploads,
)
from itemcurve.service.run_views import RunViews
from itemcurve.service.settings import ServiceSettings
from itemcurve.store.data_folder import Store
from itemcurve.store.tenants import LOCAL, add_tenant

API_VERSION = "1.0"
_ABOUT = "Adaptive tests, banks and runs of itemcurve. Errors are RFC 9457 problems."


def make_application(store: Store, settings: ServiceSettings) -> ASGIApp:
    """Make the application, gate and all."""
    rooms = _make_rooms(store, settings)
    app = make_routes()
    app.state.rooms = rooms
    return RequestGate(DirectAnswers(app), settings, store.database, rooms.metrics)


def make_routes() -> FastAPI:
    """Make the routes alone, which say what they are without a store."""
    app = FastAPI(
        title="itemcurve",
        version=API_VERSION,
        description=_ABOUT,
        openapi_url="/v1/openapi.json",
        # The usual pages of documentation load scripts from elsewhere.
        docs_url=None,
        redoc_url=None,
        lifespan=_lifespan,
        # An address that is almost right is none: nobody is sent elsewhere.
        redirect_slashes=False,
        responses={"default": {"model": Problem, "description": "A problem."}},
        generate_unique_id_function=lambda route: f"{(route.tags or ['x'])[0]}_{route.name}",
    )
    resources = (score_tests, sessions, traces, banks, calibrations, uploads, jobs, runs, pages)
    for part in (*resources, tenant, system, front_end):
        app.include_router(part.router)
    add_problem_handlers(app)
    _describe_security(app)
    return app


def _make_rooms(store: Store, settings: ServiceSettings) -> Rooms:
    metrics, broadcast = Metrics(), Broadcast()
    contents = KeptContents(store.database, settings.hot_banks)
    desk = SessionDesk(store.database, contents, settings.hot_sessions, broadcast)
    queue = JobQueue(store, settings, broadcast)
    views = RunViews(store, settings.run_folders)
    metrics.add_gauge("sessions_in_memory", "Sessions in memory.", lambda: len(desk))
    metrics.add_gauge("jobs_under_way", "Jobs that wait or run.", lambda: len(queue))
    metrics.add_gauge("listeners", "Open event streams.", lambda: broadcast.n_listeners)
    return Rooms(settings, store, contents, desk, queue, views, broadcast, metrics)


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    rooms: Rooms = app.state.rooms
    await rooms.desk.store(add_tenant(LOCAL))
    await rooms.jobs.start()
    yield
    await rooms.jobs.close()
    rooms.desk.close()


def _describe_security(app: FastAPI) -> None:
    """Say in the description that tokens are bearer tokens, and that problems are problems."""
    plain = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            found = plain()
            schemes = found["components"].setdefault("securitySchemes", {})
            schemes["token"] = {"type": "http", "scheme": "bearer"}
            for path, operations in found["paths"].items():
                for operation in operations.values():
                    operation["security"] = [] if path == "/health" else [{"token": []}]
                    problem = operation["responses"]["default"]
                    (schema,) = problem["content"].values()
                    problem["content"] = {MEDIA_TYPE: schema}
                    # Answered as any other problem, not in FastAPI's own form.
                    operation["responses"].pop("422", None)
            for name in ("HTTPValidationError", "ValidationError"):
                found["components"]["schemas"].pop(name, None)
        return app.openapi_schema or found

    app.openapi = openapi  # type: ignore[method-assign]  # FastAPI's way of changing it

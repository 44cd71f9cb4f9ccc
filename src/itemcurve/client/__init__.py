"""A client of the service that needs nothing but the standard library, so that any harness can."""

from itemcurve.client.remote_service import Service
from itemcurve.client.remote_session import RemoteSession
from itemcurve.client.replies import (
    Bank,
    Calibration,
    Job,
    Score,
    ServiceProblemError,
    State,
)

__all__ = [
    "Bank",
    "Calibration",
    "Job",
    "RemoteSession",
    "Score",
    "Service",
    "ServiceProblemError",
    "State",
]

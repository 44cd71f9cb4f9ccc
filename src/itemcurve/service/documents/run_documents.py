"""Banks, uploads, jobs and runs as they come in and go out."""

from typing import Literal

from pydantic import BaseModel, Field

from itemcurve.service.documents.session_documents import ItemId, Name, Strict


class BankOut(BaseModel):
    """A bank that may be used."""

    mark: str
    name: str
    items: int
    created_at: float


class BankList(BaseModel):
    """Banks, the latest first."""

    banks: list[BankOut]


class CalibrationOut(BaseModel):
    """A calibration that may be used."""

    mark: str
    name: str
    items: int
    created_at: float


class CalibrationList(BaseModel):
    """Calibrations, the latest first."""

    calibrations: list[CalibrationOut]


class UploadOut(BaseModel):
    """A file that was handed in."""

    id: str
    name: str
    size: int
    mark: str = Field(description="SHA-256 of its bytes.")
    created_at: float


class UploadList(BaseModel):
    """Uploads, the latest first."""

    uploads: list[UploadOut]


class NewJob(Strict):
    """A fit to make of an upload: responses (.csv, .npz, …), a log, or a ZIP archive of logs."""

    upload: str = Field(pattern=r"^[0-9a-f]{16}$")
    model: str = Field(default="2pl", max_length=100)
    name: Name | None = Field(
        default=None, description="Of the run; that of the upload when left out."
    )
    task: str | None = Field(default=None, max_length=200, description="Of logs: the task to take.")
    metric: str | None = Field(
        default=None, max_length=200, description="Of logs: the metric to take."
    )


class JobOut(BaseModel):
    """A job and how far it is."""

    id: str
    upload: str
    status: Literal["queued", "running", "done", "failed", "cancelled"]
    message: str
    run: str | None
    progress: dict[str, object] | None = None
    created_at: float
    changed_at: float


class JobList(BaseModel):
    """Jobs, the latest first."""

    jobs: list[JobOut]


class RunOut(BaseModel):
    """A run."""

    id: str
    name: str
    created_at: float
    is_linked: bool = Field(description="A folder of the command line; it is only read.")
    holds: str = Field("responses", description="What was fitted: responses, ratings, votes, …")


class RunList(BaseModel):
    """Runs, the latest first."""

    runs: list[RunOut]


class RunDescription(BaseModel):
    """A run in a few numbers."""

    id: str
    name: str
    model: str
    respondents: int
    items: int
    observed: int
    is_converged: bool
    status: str
    bank: str
    tables: list[str]


class Table(BaseModel):
    """Some rows of a table, by column; null for what is no finite number."""

    columns: dict[str, list[object]]
    offset: int
    total: int


class ItemAnswers(BaseModel):
    """What each respondent answered to an item, with what was expected of it."""

    item: str
    respondents: list[str]
    responses: list[float | None]
    abilities: list[float | None]
    expected: list[float | None]
    curve: dict[str, list[float | None]] = Field(description="Expected response by ability.")


class RespondentAnswers(BaseModel):
    """What a respondent answered to each item."""

    respondent: str
    items: list[str]
    responses: list[float | None]
    expected: list[float | None]


class NewDecision(Strict):
    """What was decided about an item."""

    item: ItemId
    decision: Literal["wrong key", "ambiguous", "fixed", "fine", "undecided"]
    note: str = Field(default="", max_length=2000)


class DecisionOut(BaseModel):
    """A decision about an item; the latest counts."""

    item: str
    decision: str
    note: str
    decided_at: float


class DecisionList(BaseModel):
    """All decisions about a run, in the order in which they were made."""

    decisions: list[DecisionOut]


class TokenOut(BaseModel):
    """What is known of a token; the token itself is not."""

    id: str
    name: str
    scopes: list[str]
    created_at: float
    expires_at: float | None
    revoked_at: float | None


class TokenList(BaseModel):
    """Tokens of the tenant."""

    tokens: list[TokenOut]


class Deleted(BaseModel):
    """How much was deleted."""

    sessions: int
    contents: int
    uploads: int
    runs: int


class Health(BaseModel):
    """Whether the service works."""

    status: Literal["ok"]
    version: str
    schema_version: int

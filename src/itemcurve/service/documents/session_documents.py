"""Sessions as they come in and go out."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

Name = Annotated[str, Field(min_length=1, max_length=500, pattern=r"^[^\x00-\x1f\x7f]+$")]
Mark = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$", description="SHA-256 of the content.")]
ItemId = Annotated[str, Field(min_length=1, max_length=4000)]
Wanted = Annotated[int, Field(ge=0, le=1000)]
LeaseSeconds = Annotated[float, Field(gt=0, le=7 * 86400)]


class Strict(BaseModel):
    """A document in which nothing is misspelt."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class AbilityCut(Strict):
    """An ability to be above or below of."""

    cut: float
    cut_se: float = Field(default=0.0, ge=0)
    confidence: float = Field(default=0.95, gt=0.5, lt=1)


class StopRules(Strict):
    """When the test is over: as soon as one of these holds; all items when none is given."""

    max_items: int | None = Field(default=None, ge=1)
    ability_se: float | None = Field(default=None, gt=0)
    score_half_width: float | None = Field(default=None, gt=0)
    no_useful_item: float | None = Field(default=None, gt=0)
    ability_decided: AbilityCut | None = None
    at_least: int = Field(
        default=1, ge=1, description="Answers before a precision can end the test."
    )


class Beginning(Strict):
    """What tests of all kinds begin with."""

    respondent: Name = "respondent"
    seed: int = Field(default=0, ge=0, lt=2**53)
    next: Wanted = Field(default=1, description="How many items to hand out at once.")
    lease_seconds: LeaseSeconds | None = None


class NewSession(Beginning):
    """A test for ability to begin."""

    bank: Mark
    select: Literal["fisher", "kl", "weighted-kl", "posterior-variance", "random"] = "fisher"
    stop: StopRules = StopRules()
    ability_method: Literal["eap", "map", "ml", "wle"] = "eap"
    best: int = Field(default=1, ge=1, description="Draw among this many best items.")
    explore: float = Field(default=0.0, ge=0, le=1, description="Share of draws among all items.")
    costs: dict[ItemId, float] | None = Field(default=None, description="Of every item, above 0.")
    groups: dict[ItemId, Name] | None = Field(
        default=None, description="Of every item, to be balanced."
    )


class ScoreStopRules(Strict):
    """When a test for the score is over before its last item; as soon as one of these holds."""

    half_width: float | None = Field(
        default=None, gt=0, description="Of the score's 90 % interval."
    )
    at_least: int = Field(default=5, ge=1, description="Answers before a precision can end it.")
    threshold: float | None = Field(
        default=None, description="The score is surely above or below it; needs every_look."
    )
    better_than: dict[ItemId, float] | None = Field(
        default=None, description="Answers of another one, by item; needs every_look."
    )


class NewScoreTest(Beginning):
    """A test for the score over all items of a calibration to begin."""

    calibration: Mark
    max_items: int = Field(default=50, ge=1, description="How many items are asked at most.")
    every_look: bool = Field(
        default=False, description="An interval that holds at every answer; items are drawn."
    )
    weights: dict[ItemId, float] | None = Field(
        default=None, description="Of every item in the score; equal when left out."
    )
    groups: dict[ItemId, Name] | None = Field(
        default=None, description="Of every item; groups count the same unless weights say so."
    )
    stop: ScoreStopRules = ScoreStopRules()


class AnswerIn(Strict):
    """The answer to an item: a value, or right answers of several tries, or none to be had."""

    item: ItemId
    value: float | None = None
    right: int | None = Field(default=None, ge=0, description="Right answers …")
    tries: int | None = Field(default=None, ge=1, description="… of this many tries.")
    missing: bool = Field(
        default=False, description="The item cannot be answered; the test goes on."
    )

    @model_validator(mode="after")
    def _check_one(self) -> "AnswerIn":
        has_tries = self.right is not None and self.tries is not None
        is_half = (self.right is None) != (self.tries is None)
        if is_half or sum((self.value is not None, has_tries, self.missing)) != 1:
            raise ValueError("give one of: value; right and tries; missing")
        if self.right is not None and self.tries is not None and self.right > self.tries:
            raise ValueError("right must not be above tries")
        return self


class Answers(Strict):
    """Answers, and how many items the caller wants to have at hand then."""

    answers: list[AnswerIn] = Field(min_length=1, max_length=1000)
    next: Wanted = 1
    lease_seconds: LeaseSeconds | None = None


class NextItems(Strict):
    """How many items to hand out where none are."""

    next: int = Field(default=1, ge=1, le=1000)
    lease_seconds: LeaseSeconds | None = None


class Release(Strict):
    """Items to take back; all when left out."""

    items: list[ItemId] | None = Field(default=None, max_length=1000)


class ScoreOut(BaseModel):
    """The mean response over all items, as predicted, with a 90 % interval."""

    value: float
    lower: float
    upper: float
    is_outside_calibration: bool


class Lease(BaseModel):
    """Items that are handed out: the same until they are answered, released or expired."""

    items: list[str]
    expires_at: float | None


class SessionState(BaseModel):
    """How a session stands."""

    id: str
    version: int
    status: Literal["open", "finished", "ended"]
    reason: str | None
    respondent: str
    bank: str
    answers: int
    ability: float | None
    ability_se: float | None
    score: ScoreOut | None = None
    lease: Lease
    is_repeated: bool = Field(default=False, description="The request had been taken before.")
    question: Literal["ability", "score"] = Field(
        default="ability", description="Of a test for the score, `bank` is its calibration."
    )
    stage: str | None = Field(default=None, description="Of a test for the score, in words.")


class SessionSummary(BaseModel):
    """A session in a list."""

    id: str
    version: int
    status: Literal["open", "finished", "ended"]
    reason: str | None
    respondent: str
    bank: str
    answers: int
    ability: float | None
    ability_se: float | None
    lease_until: float | None
    created_at: float
    changed_at: float
    question: Literal["ability", "score"] = "ability"
    score: ScoreOut | None = Field(default=None, description="Where it is known.")


class SessionList(BaseModel):
    """Sessions, the latest changed first."""

    sessions: list[SessionSummary]
    next: str | None = Field(default=None, description="Give it as `after` for the next page.")


class RecordedAnswer(BaseModel):
    """An answer with how its item came to be asked."""

    item: str
    response: float
    step: int
    known: int
    probability: float | None
    least: float


class SessionRecord(BaseModel):
    """All that is needed to run the test again: the same bank, settings, seed and answers."""

    format: str
    state: SessionState
    settings: dict[str, object]
    answers: list[RecordedAnswer]
    set_aside: list[str]
    lines: list[str] = Field(description="As a session file of the command line has them.")

"""Problems as RFC 9457 has them."""

from pydantic import BaseModel, Field


class Mistake(BaseModel):
    """What is wrong with one part of a request."""

    where: list[str]
    what: str


class Problem(BaseModel):
    """What went wrong; `type` ends in a word for programs."""

    type: str
    title: str
    status: int
    detail: str
    errors: list[Mistake] | None = Field(
        default=None, description="Of a request that is not understood."
    )

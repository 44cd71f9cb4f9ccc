"""How a session stands, as the service says it."""

from dataclasses import asdict

from fastapi import Response

from itemcurve.service.documents.session_documents import (
    Lease,
    ScoreOut,
    SessionState,
    SessionSummary,
)
from itemcurve.service.live.live_session import LiveSession
from itemcurve.service.live.session_desk import SessionDesk
from itemcurve.store.session_rows import SessionRow


def reply(
    live: LiveSession,
    *,
    score: ScoreOut | None = None,
    is_repeated: bool = False,
    status: int = 200,
) -> Response:
    """Write how a session stands; its version is its ETag."""
    # Written as it is: what was made here need not be checked again.
    content = describe(live, score=score, is_repeated=is_repeated).model_dump_json()
    headers = {"ETag": f'"{live.version}"'}
    return Response(content, status, headers, media_type="application/json")


def describe(
    live: LiveSession,
    *,
    score: ScoreOut | None = None,
    is_repeated: bool = False,
) -> SessionState:
    """Give how a session stands."""
    standing, leased = live.standing, live.leased
    return SessionState.model_construct(
        id=live.name,
        version=live.version,
        status=standing.status,
        reason=standing.reason,
        respondent=standing.respondent,
        bank=standing.mark,
        answers=standing.answers,
        ability=standing.ability,
        ability_se=standing.ability_se,
        score=score or _score(standing.score),
        # What is taken back leaves no lease, whatever its time was.
        lease=Lease.model_construct(
            items=leased, expires_at=standing.lease_until if leased else None
        ),
        is_repeated=is_repeated,
        question=standing.question,
        stage=live.question.stage(live.test),
    )


def summarise(row: SessionRow) -> SessionSummary:
    """Give a session as a list shows it."""
    known = {name: value for name, value in asdict(row.standing).items() if name != "mark"}
    return SessionSummary(
        id=row.id,
        version=row.version,
        bank=row.standing.mark,
        created_at=row.created_at,
        changed_at=row.changed_at,
        **{**known, "score": _score(row.standing.score)},
    )


async def predict_score(desk: SessionDesk, live: LiveSession) -> ScoreOut | None:
    """Predict the score over all items, beside all else: it takes long."""
    from itemcurve.service.live.questions import pack_score

    if live.standing.score is not None:
        return _score(live.standing.score)
    async with live.lock:
        found = await desk.think(lambda: live.test.score)
        live.test.rest()
    return _score(pack_score(found))


def _score(packed: str | None) -> ScoreOut | None:
    return None if packed is None else ScoreOut.model_validate_json(packed)

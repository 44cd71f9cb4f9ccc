"""How a session stands, as the service says it."""

import asyncio

from fastapi import Response

from itemcurve.service.documents.session_documents import Lease, ScoreOut, SessionState
from itemcurve.service.live.live_session import LiveSession


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
    standing = live.standing
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
        score=score,
        lease=Lease.model_construct(items=live.leased, expires_at=standing.lease_until),
        is_repeated=is_repeated,
    )


async def predict_score(live: LiveSession) -> ScoreOut:
    """Predict the score over the whole bank, beside all else: it takes long."""
    async with live.lock:
        found = await asyncio.to_thread(lambda: live.test.score)
        live.test.rest()
    return ScoreOut(
        value=found.value,
        lower=found.lower,
        upper=found.upper,
        is_outside_calibration=found.is_outside_calibration,
    )

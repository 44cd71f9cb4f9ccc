"""A session as a page shows it: how it stands, and what was known after each answer."""

from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Path, Response

from itemcurve.service.rooms import Found, Reader
from itemcurve.service.session_replies import describe, predict_score
from itemcurve.storage.json_documents import pack_line
from itemcurve.store.session_rows import SCORE

if TYPE_CHECKING:
    from itemcurve.adaptive.recorded_test import RecordedTest

router = APIRouter(prefix="/v1/sessions", tags=["sessions"])
_JSON: dict[int | str, dict[str, Any]] = {
    200: {"content": {"application/json": {"schema": {"type": "object"}}}}
}


@router.get("/{session}/trace", response_class=Response, responses=_JSON)
async def trace(
    rooms: Found, caller: Reader, session: Annotated[str, Path(pattern=r"^[0-9a-f]{32}$")]
) -> Response:
    """Give ability or score with its interval after each answer, and how the session stands."""
    live = await rooms.desk.look_up(caller.tenant, session)
    score = await predict_score(rooms.desk, live)
    async with live.lock:
        state = describe(live, score=score).model_dump(mode="json")
        # Answers that come meanwhile do not wait for this.
        test = live.test.snapshot()
    measure = "score" if live.question.name == SCORE else "ability"
    steps = await rooms.desk.think(lambda: _steps(test, measure)) if test.answers else []
    content = pack_line({"state": state, "measure": measure, "steps": steps}, "the trace")
    return Response(content, media_type="application/json")


def _steps(test: "RecordedTest", measure: str) -> list[dict[Any, Any]]:
    from itemcurve.adaptive.ability.ability_test import AdaptiveTest
    from itemcurve.adaptive.ability.ability_trace import adaptive_trace
    from itemcurve.adaptive.score.score_test import ScoreTest
    from itemcurve.adaptive.score.score_trace import score_trace

    if isinstance(test, ScoreTest):
        table = score_trace(test).frame()
    elif isinstance(test, AdaptiveTest):
        table = adaptive_trace(test).frame()
    else:
        return []
    kept = table[["item", "response", measure, "lower", "upper"]]
    return kept.rename(columns={measure: "value"}).to_dict("records")

"""A session as its page shows it."""

import pytest


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_trace_has_the_ability_after_each_answer(service, tokens, mark):
    wanted = {"bank": mark, "respondent": "<b>me</b>"}
    session = service.post("/v1/sessions", wanted, token=tokens.write).json
    path = f"/v1/sessions/{session['id']}"
    assert service.get(f"{path}/trace", token=tokens.read).json["steps"] == []
    item = session["lease"]["items"][0]
    for value in (1, 0, 1):
        given = {"answers": [{"item": item, "value": value}]}
        state = service.post(f"{path}/answers", given, token=tokens.write).json
        item = state["lease"]["items"][0]
    found = service.get(f"{path}/trace", token=tokens.read).json
    assert [step["response"] for step in found["steps"]] == [1, 0, 1]
    assert found["steps"][-1]["value"] == pytest.approx(state["ability"])
    assert found["state"]["respondent"] == "<b>me</b>"

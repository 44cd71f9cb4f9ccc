"""Runs as JSON: what a dashboard needs of them, on both databases."""

import numpy as np
import pytest

import itemcurve as ic


@pytest.fixture
def get(service, tokens, owned):
    return lambda path: service.get(f"/v1/runs/{owned['run']}{path}", token=tokens.read)


def test_a_run_is_described_and_its_bank_can_be_used(get, fitted_run, service, tokens):
    found = get("").json
    fit = ic.load(fitted_run)
    assert (found["model"], found["respondents"], found["items"]) == ("2pl", 60, 12)
    assert found["bank"] == fit.bank.mark
    assert found["is_converged"]


def test_tables_are_those_of_the_library(get, fitted_run):
    fit = ic.load(fitted_run)
    board = get("/leaderboard").json
    expected = ic.build_leaderboard(fit).frame()
    assert board["columns"]["respondent"] == expected["respondent"].tolist()
    np.testing.assert_allclose(board["columns"]["ability"], expected["ability"])
    assert board["total"] == 60
    items = get("/items?offset=2&limit=3").json
    assert items["columns"]["item"] == ["q2", "q3", "q4"]
    assert items["columns"]["verdict"][1] == "suspect label"
    assert len(get("/respondents?limit=60").json["columns"]["ability"]) == 60
    findings = get("/findings").json["columns"]
    assert set(findings["code"]) == {finding.code for finding in ic.findings(fit)}


def test_an_item_and_a_respondent_have_their_cards(get, fitted_run):
    fit = ic.load(fitted_run)
    card = get("/item/answers?item=q3").json
    assert card["responses"] == fit.responses.array()[:, 3].tolist()
    expected = fit.bank.select(["q3"]).expected_response(card["curve"]["ability"])[:, 0]
    np.testing.assert_allclose(card["curve"]["expected"], expected)
    name = fit.responses.respondents[7]
    other = get(f"/respondent/answers?respondent={name}").json
    assert other["items"] == list(fit.responses.items)
    assert other["responses"] == fit.responses.array()[7].tolist()
    assert get("/item/answers?item=none").kind == "no-such-item"
    assert get("/respondent/answers?respondent=none").kind == "no-such-respondent"
    assert get("/analyses/none").kind == "no-such-table"


def test_decisions_are_kept_in_order(service, tokens, owned):
    path = f"/v1/runs/{owned['run']}/items/decisions"
    for decision in ("wrong key", "fixed"):
        made = {"item": "q3", "decision": decision, "note": "<b>looked</b>"}
        assert service.post(path, made, token=tokens.write).status == 201
    service.forget()
    found = service.get(path, token=tokens.read).json["decisions"]
    assert [made["decision"] for made in found] == ["wrong key", "fixed"]
    wrong = {"item": "nothing", "decision": "fine"}
    assert service.post(path, wrong, token=tokens.write).kind == "no-such-item"


def test_a_run_can_be_deleted_and_a_folder_of_the_command_line_cannot(
    service, tokens, owned, store
):
    path = f"/v1/runs/{owned['run']}"
    assert service.ask("DELETE", path, token=tokens.write).status == 204
    assert service.get(path, token=tokens.read).kind == "no-such-run"
    assert not store.run_path("a", owned["run"]).exists()

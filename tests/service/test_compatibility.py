"""The description of the interface: committed as it is, and never changed against clients."""

import json
from copy import deepcopy
from pathlib import Path

import pytest

from itemcurve.service.application import make_routes
from itemcurve.service.compatibility import incompatible_changes

FOLDER = Path(__file__).parents[2] / "docs" / "api"
CURRENT = FOLDER / "openapi.json"
# What was published; it takes over additions when a release is made, and nothing else.
PUBLISHED = FOLDER / "openapi_published.json"


def described():
    return json.loads(json.dumps(make_routes().openapi()))


def test_the_committed_description_is_the_one_that_is_served():
    text = json.dumps(described(), indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    assert CURRENT.read_text("utf-8") == text, "write docs/api/openapi.json anew (docs/service.md)"


def test_clients_of_what_was_published_still_work():
    assert incompatible_changes(json.loads(PUBLISHED.read_text("utf-8")), described()) == []


def test_it_is_openapi_3_1_and_says_what_problems_look_like():
    found = described()
    assert found["openapi"].startswith("3.1")
    names = [op["operationId"] for ops in found["paths"].values() for op in ops.values()]
    assert len(names) == len(set(names))
    for path, operations in found["paths"].items():
        for operation in operations.values():
            assert "application/problem+json" in operation["responses"]["default"]["content"]
            assert operation["description"]
            assert bool(operation["security"]) == (path != "/health")


def change(document, *path, value=None):
    changed = deepcopy(document)
    place = changed
    for part in path[:-1]:
        place = place[part]
    if value is None:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return changed


STATE = ("components", "schemas", "SessionState")
ANSWERS = ("components", "schemas", "Answers")


@pytest.mark.parametrize(
    ("path", "value", "word"),
    [
        (("paths", "/v1/banks", "get"), None, "GET /v1/banks is gone"),
        (("paths", "/v1/banks"), None, "is gone"),
        ((*STATE, "properties", "ability"), None, "ability is gone"),
        ((*STATE, "properties", "answers"), {"type": "string"}, "may be string now"),
        ((*STATE, "required"), ["id"], "may be left out now"),
        ((*ANSWERS, "required"), ["answers", "next"], "next is required now"),
        ((*ANSWERS, "properties", "next"), {"type": "string"}, "no longer takes integer"),
        (
            ("components", "schemas", "NewSession", "properties", "select", "enum"),
            ["fisher"],
            "no longer takes",
        ),
        (("paths", "/v1/sessions", "get", "parameters"), [], "limit is gone"),
        (("paths", "/v1/jobs", "post", "requestBody", "content"), {}, "no longer taken"),
    ],
)
def test_changes_that_break_clients_are_named(path, value, word):
    before = described()
    found = incompatible_changes(before, change(before, *path, value=value))
    assert any(word in line for line in found), found


def test_additions_are_no_changes():
    before = described()
    after = change(before, *STATE, "properties", "more", value={"type": "string"})
    after["paths"]["/v1/more"] = {"get": {"responses": {}}}
    field = {"type": "integer", "default": 1}
    after = change(after, *ANSWERS, "properties", "more", value=field)
    assert incompatible_changes(before, after) == []

"""Files that other tools read: valid, and calling only what exists."""

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FORMS = [p for p in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml") if p.stem != "config"]


def load(path):
    # YAML 1.1 reads a bare `on` as true; the workflows of GitHub do not.
    return yaml.load(path.read_text("utf-8").replace("\non:", '\n"on":'), yaml.SafeLoader)


def steps(workflow):
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_have_few_rights_and_call_targets_that_exist(path):
    workflow = load(path)
    assert workflow["on"]
    assert workflow["permissions"] == {"contents": "read"}
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    called = [re.findall(r"\bmake (\w+)", step.get("run", "")) for step in steps(workflow)]
    assert {target for found in called for target in found} <= targets
    assert any(called)
    # Whatever is not ours is named with a version.
    assert all("@" in step["uses"] for step in steps(workflow) if "uses" in step)


def test_every_python_that_is_promised_is_tested():
    versions = load(ROOT / ".github/workflows/test.yml")["jobs"]["test"]["strategy"]["matrix"]
    assert versions["python"] == ["3.11", "3.12", "3.13", "3.14"]


def test_both_are_tried_before_anything_is_published():
    jobs = load(ROOT / ".github/workflows/release.yml")["jobs"]
    assert jobs["publish"]["needs"] == "build"
    assert jobs["publish"]["permissions"] == {"id-token": "write"}
    assert any(step.get("run", "").startswith("make installed") for step in jobs["build"]["steps"])


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_forms_ask_each_question_once(path):
    form = load(path)
    assert form["name"]
    assert form["description"]
    ids = [part["id"] for part in form["body"] if "id" in part]
    assert len(ids) == len(set(ids)) >= 3
    assert all(part["attributes"] for part in form["body"])


def test_hooks_run_the_tools_of_the_project():
    hooks = load(ROOT / ".pre-commit-config.yaml")["repos"]
    own = next(repo["hooks"] for repo in hooks if repo["repo"] == "local")
    assert [hook["entry"].split()[:2] for hook in own] == [
        [".venv/bin/ruff", "check"],
        [".venv/bin/ruff", "format"],
    ]


def test_the_citation_names_what_the_format_asks_for():
    citation = load(ROOT / "CITATION.cff")
    assert {"cff-version", "message", "title", "authors", "license"} <= set(citation)
    # The version is written elsewhere, once.
    assert "version" not in citation

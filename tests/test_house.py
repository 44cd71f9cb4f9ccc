"""The rules of the house (CONTRIBUTING.md): sizes, names, and a map that is complete."""

import ast
import re
from pathlib import Path

import pytest

import itemcurve

ROOT = Path(__file__).parents[1]
SOURCES = [ROOT / "src", *(ROOT / "packages").glob("*/src")]
TESTS = [ROOT / "tests", *(ROOT / "packages").glob("*/tests")]
# Tests of several modules at once, and what they share.
CROSSING = ("contracts", "properties", "recovery", "references", "seam")

MOST_FILES = 20
MOST_LINES = 400
MOST_CODE_LINES = 50
MOST_LONG_FUNCTIONS = 5
MOST_PUBLIC_NAMES = 70


def modules(folders=SOURCES):
    return [path for folder in folders for path in sorted(folder.rglob("*.py"))]


def shown(path):
    return path.relative_to(ROOT).as_posix()


def packages():
    """Folders of Python files below the top ones, as `analysis/items`; studies as themselves."""
    found = []
    for source in SOURCES:
        for start in sorted(source.rglob("__init__.py")):
            name = start.parent.relative_to(source).as_posix()
            found.append(name.removeprefix("itemcurve/"))
    return [name for name in found if name != "itemcurve"]


def code_lines(path):
    """Give the lines of code of every function of a file, by name: no docstring, no comment."""
    text = path.read_text("utf-8")
    lines = [line.strip() for line in text.splitlines()]
    counts = {}
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        taken = set(range(node.lineno, node.end_lineno + 1))
        if ast.get_docstring(node) is not None:
            taken -= set(range(node.body[0].lineno, node.body[0].end_lineno + 1))
        code = [n for n in taken if lines[n - 1] and not lines[n - 1].startswith("#")]
        counts[f"{shown(path)}:{node.name}"] = len(code)
    return counts


def test_folders_hold_no_more_files_than_one_can_take_in():
    crowded = {
        shown(folder): len(files)
        for start in (*SOURCES, *TESTS)
        for folder in (start, *(path for path in start.rglob("*") if path.is_dir()))
        if folder.name != "__pycache__"
        and len(files := [path for path in folder.iterdir() if path.is_file()]) > MOST_FILES
    }
    assert crowded == {}


def test_files_can_be_read_in_one_go():
    lengths = {shown(path): len(path.read_text("utf-8").splitlines()) for path in modules()}
    assert {name: length for name, length in lengths.items() if length > MOST_LINES} == {}


def test_few_functions_are_long():
    counts = {name: count for path in modules() for name, count in code_lines(path).items()}
    long = {name: count for name, count in counts.items() if count > MOST_CODE_LINES}
    assert len(long) <= MOST_LONG_FUNCTIONS, long


def test_public_names_fit_on_a_page():
    assert len(itemcurve.__all__) <= MOST_PUBLIC_NAMES


def test_the_map_names_every_package_once_and_no_other():
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    named = re.findall(r"^\| `([\w/]+)/` \| .{10,} \|$", text, re.MULTILINE)
    assert sorted(named) == sorted(packages())


@pytest.mark.parametrize("word", ["utils", "helpers", "misc", "common", "manager", "handler"])
def test_no_file_is_named_for_nothing_in_particular(word):
    assert [shown(path) for path in modules() if word in path.stem] == []


def test_no_file_is_named_like_its_folder():
    assert [shown(path) for path in modules() if path.stem == path.parent.name] == []


@pytest.mark.parametrize("tests", TESTS, ids=shown)
def test_tests_are_named_after_what_they_test(tests):
    source = next(iter(sorted((tests.parent / "src").glob("itemcurve*"))))
    strays = []
    for path in sorted(tests.rglob("test_*.py")):
        inside = path.relative_to(tests)
        if len(inside.parts) == 1 or inside.parts[0] in CROSSING:
            continue
        subject = source / inside.parent / inside.stem.removeprefix("test_")
        if not subject.is_dir() and not subject.with_suffix(".py").exists():
            strays.append(shown(path))
    assert strays == []

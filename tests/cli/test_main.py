"""The command itself: help, version, errors in one line, exit codes."""

import io
import os
import re
import subprocess
import sys

import pytest
import typer

from itemcurve import __version__
from itemcurve.cli.help_words import GROUPS
from itemcurve.cli.main import app
from itemcurve.errors import StorageError

COMMANDS = (
    "adapt",
    "audit",
    "choose",
    "compare",
    "confusion",
    "datasets",
    "diff",
    "dif",
    "link",
    "difficulty",
    "dimensions",
    "evaluate",
    "export",
    "findings",
    "fit",
    "gate",
    "health",
    "import",
    "judges",
    "noise",
    "pairs",
    "plot",
    "predict",
    "report",
    "reproduce",
    "robustness",
    "run",
    "score",
    "serve",
    "show",
    "simulate",
    "store",
    "taxonomy",
)


def process(*arguments, **settings):
    return subprocess.run(
        [sys.executable, "-m", "itemcurve", *map(str, arguments)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        **settings,
    )


def assert_one_line_error(outcome, *words):
    assert outcome.code == 2
    assert outcome.out == ""
    assert outcome.err.startswith("Error: ")
    assert outcome.err.count("\n") == 1
    for word in words:
        # Older releases of typer write names of arguments in capitals.
        assert word.lower() in outcome.err.lower()


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_a_summary_and_an_example(name, command):
    outcome = command(name, "--help")
    assert outcome.code == 0
    assert outcome.err == ""
    usage, _, summary = outcome.out.splitlines()[:3]
    assert usage.startswith(f"Usage: itemcurve {name}")
    assert summary.endswith(".")
    assert f"Example: itemcurve {name} " in outcome.out


def test_help_lists_every_command_and_is_printed_without_arguments(command):
    outcome = command("--help")
    assert outcome.code == 0
    assert all(outcome.out.count(f"\n  {name} ") == 1 for name in COMMANDS)
    assert "..." not in outcome.out.split("customize the installation")[1]
    assert command().out == outcome.out


def test_commands_are_listed_under_what_people_want_to_do(command):
    out = command("--help").out
    assert out.index("Evaluate models on a table:") < out.index("  evaluate ")
    assert out.index("  audit ") < out.index("Compare versions, release:") < out.index("  diff ")
    # Every command has its place; none is left over.
    assert sorted(name for names in GROUPS.values() for name in names) == sorted(COMMANDS)
    assert "More:" not in out


@pytest.mark.parametrize("name", COMMANDS)
def test_help_names_no_types_of_python(name, command):
    group = typer.main.get_command(app).commands[name]
    parts = [(own,) for own in getattr(group, "commands", ())] or [()]
    for part in parts:
        out = command(name, *part, "--help").out
        assert not re.search(r"<[a-z\[\]| -]+>|\b(INTEGER|FLOAT|str|int|float)\b", out), out


def test_a_group_without_a_command_prints_its_help(command):
    outcome = command("adapt")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith("Usage: itemcurve adapt")
    assert "start" in outcome.out


def test_every_command_speaks_json():
    group = typer.main.get_command(app)
    for name, found in group.commands.items():
        for own, single in getattr(found, "commands", {name: found}).items():
            options = [option for parameter in single.params for option in parameter.opts]
            assert "--json" in options, own


def test_version_is_printed(command):
    assert command("--version").out == f"itemcurve {__version__}\n"


def test_help_does_not_import_numerical_packages():
    code = (
        "import sys; from itemcurve.cli.main import run; run(['fit', '--help']); "
        "sys.exit(any(p in sys.modules for p in ('numpy', 'scipy', 'pandas')))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True).returncode == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["frob"], ["No such command 'frob'", "itemcurve --help"]),
        (["fit"], ["responses", "itemcurve fit --help"]),
        (["fit", "y.csv", "--frob"], ["No such option", "--frob"]),
        (["fit", "y.csv", "--over", "both"], ["--over", "'both'", "respondents"]),
        (["fit", "y.csv", "--engine", "abacus"], ["--engine", "numpy"]),
        (["fit", "y.csv", "--guessing", "much"], ["Invalid value for '--guessing'", "valid"]),
        (["fit", "y.csv", "--max-iterations", "0"], ["--max-iterations"]),
        (["score", "run"], ["itemcurve score --help"]),
        (["score", "run", "y.csv", "--method", "best"], ["--method", "wle"]),
        (["show", "run", "--items", "-1"], ["--items"]),
        (["simulate", "--items", "3"], ["itemcurve simulate --help"]),
    ],
)
def test_wrong_options_are_one_line(arguments, words, command):
    assert_one_line_error(command(*arguments), *words)


def test_an_interruption_is_one_line(command, files, monkeypatch):
    def interrupted(*arguments, **settings):
        raise KeyboardInterrupt

    monkeypatch.setattr("itemcurve.estimation.fit.fit", interrupted)
    outcome = command("fit", files / "responses.csv")
    assert (outcome.code, outcome.out) == (130, "")
    assert outcome.err == "Interrupted; nothing was found yet that could be kept.\n"


def test_a_fault_of_our_own_is_one_line_that_asks_for_a_report(command, files, monkeypatch):
    def faulty(path):
        raise AssertionError("first line\nsecond line")

    monkeypatch.setattr("itemcurve.reports.other_runs.any_run.load", faulty)
    outcome = command("show", files / "run")
    assert outcome.code == 1
    assert outcome.err.startswith("Error: AssertionError: first line second line.")
    assert outcome.err.count("\n") == 1
    assert "--debug" in outcome.err


def test_a_traceback_is_shown_only_when_asked_for(command, monkeypatch):
    wrong = ("fit", "nowhere.csv")
    assert "Traceback" not in command(*wrong).err
    for asked in (("--debug", *wrong), (*wrong, "--debug")):
        outcome = command(*asked)
        assert outcome.code == 2
        assert "Traceback" in outcome.err
        assert outcome.err.splitlines()[-1].startswith("Error: ")
    monkeypatch.setenv("ITEMCURVE_DEBUG", "1")
    assert "Traceback" in command(*wrong).err
    monkeypatch.setenv("ITEMCURVE_DEBUG", "0")
    assert "Traceback" not in command(*wrong).err


def test_a_terminal_without_unicode_gets_question_marks(command, files, monkeypatch):
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", stream)
    assert command("show", files / "run").code == 0
    stream.flush()
    assert b"120 respondents ? 15 items" in stream.buffer.getvalue()


def test_the_module_runs_as_a_process_with_separate_streams(files):
    done = process("show", files / "run", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("{")
    failed = process("show", files / "nowhere")
    assert (failed.returncode, failed.stdout) == (2, "")
    assert failed.stderr.startswith("Error: ")


def test_a_reader_that_leaves_early_sees_no_complaint(files):
    with subprocess.Popen(
        [sys.executable, "-m", "itemcurve", "show", str(files / "run"), "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        running.stdout.close()
        assert running.stderr.read() == b""
        running.wait(timeout=60)
        running.stderr.close()
    assert running.returncode == 0


def test_tables_are_printed_also_where_the_run_cannot_be_saved(command, files, monkeypatch):
    def refuse(result, path, **others):
        raise StorageError("A run needs room;", "there is none.", "Make some.")

    monkeypatch.setattr("itemcurve.estimation.saving.saved_fit.save_fit", refuse)
    outcome = command("fit", files / "responses.csv", "--out", "run")
    assert (outcome.code, "Top respondents" in outcome.out) == (2, True)
    assert "there is none" in outcome.err


def test_shells_can_complete_commands_and_options():
    def complete(words: str, place: int) -> list[str]:
        asked = {"_ITEMCURVE_COMPLETE": "complete_bash", "COMP_WORDS": words}
        done = process(env={**os.environ, **asked, "COMP_CWORD": str(place)})
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout.split()

    assert complete("itemcurve rep", 1) == ["report", "reproduce"]
    assert "item-curves" in complete("itemcurve plot run --kind item", 4)


@pytest.mark.parametrize("place", [0, -1])
def test_verbose_says_what_is_done_wherever_it_stands(command, place):
    words = ["evaluate", "iris", "--pool", "random:3", "--jobs", "1", "--quiet"]
    words.insert(place if place == 0 else len(words), "-v")
    outcome = command(*words)
    assert (outcome.code, outcome.out) == (0, "")
    assert "Random forest 0, fold 1 of 1, took" in outcome.err
    # And only then.
    assert command(*(word for word in words if word != "-v")).err == ""

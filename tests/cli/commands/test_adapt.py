"""`itemcurve adapt` from start to end."""

import json
import os
import re
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from tests.running.report_page import read_words

import itemcurve as ic
from itemcurve.cli.options.choices import SelectChoice


@pytest.fixture
def session(files, tmp_path, command):
    path = tmp_path / "s.json"
    options = ("--bank", files / "run", "--question", "ability", "--max-items", 4, "--seed", 2)
    done = command("adapt", "start", path, *options, "--no-misfit")
    assert done.code == 0, done.err
    assert "No score is shown" in done.out
    return path


def test_a_test_is_asked_recorded_and_shown(session, command):
    for _ in range(4):
        item = command("adapt", "next", session).out.strip()
        assert command("adapt", "next", session).out.strip() == item
        assert command("adapt", "record", session, item, 1).code == 0
    done = command("adapt", "next", session)
    assert (done.code, done.out) == (0, "")
    assert "4 items answered" in done.err
    shown = json.loads(command("adapt", "show", session, "--json").out)
    assert shown["finished"]
    assert shown["answered"] == 4
    # Items chosen to tell abilities apart do not tell the score.
    assert shown["question"] == "ability"
    assert shown["score"] is shown["score_lower"] is shown["score_upper"] is None
    assert all(answer["probability"] == 1.0 for answer in shown["answers"])
    text = command("adapt", "show", session).out
    assert "4 of 15 items" in text
    assert "No score is shown" in text


@pytest.mark.parametrize("select", [choice.value for choice in SelectChoice])
def test_every_rule_that_is_offered_goes_from_start_to_end(files, command, select, tmp_path):
    given = ("--bank", files / "run", "--select", select, "--max-items", 3, "--no-misfit")
    path = tmp_path / "s.json"
    assert command("adapt", "start", path, *given).code == 0
    asked = []
    for _ in range(3):
        asked.append(command("adapt", "next", path).out.strip())
        done = command("adapt", "record", path, asked[-1], 1)
        assert done.code == 0, done.err
    shown = command("adapt", "show", path).out
    assert "3 items answered" in shown
    assert f"Asked in this order: {', '.join(f'{item} 1' for item in asked)}." in shown
    line = f"{sys.executable} -c print(1) {{item}}"
    whole = command("adapt", "run", tmp_path / "r.json", *given, "--command", line, "--json")
    assert whole.code == 0, whole.err
    assert [answer["item"] for answer in json.loads(whole.out)["answers"]] == asked


def test_ids_that_would_act_on_a_terminal_are_given_as_json_alone(command, tmp_path):
    wild = ["a\r\nb", "c\x1b[31m", "d\u202ee"]
    random = np.random.default_rng(1)
    known = ic.Responses.from_array(random.integers(0, 2, (40, 3)), items=wild)
    known.save(tmp_path / "bank.npz")
    session = tmp_path / "s.json"
    given = ("--bank", tmp_path / "bank.npz", "--max-items", 3, "--respondent", "me\x1b[31m")
    assert command("adapt", "start", session, *given).code == 0
    refused = command("adapt", "next", session)
    assert (refused.code, refused.out) == (2, "")
    assert "one per line" in refused.err
    items = json.loads(command("adapt", "next", session, "--batch", 3, "--json").out)["items"]
    assert set(items) <= set(wild)
    assert command("adapt", "record", session, items[0], 1).code == 0
    assert "\x1b" not in command("adapt", "show", session).out


def test_the_course_of_a_test_is_drawn(session, command, files, tmp_path):
    picture = tmp_path / "new" / "trace.png"
    refused = command("adapt", "show", session, "--plot", picture)
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "record its answer first" in refused.err
    item = command("adapt", "next", session).out.strip()
    command("adapt", "record", session, item, 1)
    done = command("adapt", "show", session, "--plot", picture, "--json")
    assert json.loads(done.out)["picture"] == str(picture)
    assert picture.stat().st_size > 5_000
    page = tmp_path / "page.html"
    assert command("report", files / "run", "--session", session, "--out", page).code == 0
    assert "Adaptive test of respondent, s" in read_words(page)
    assert ".png" in command("adapt", "show", session, "--plot", tmp_path / "trace.txt").err


def test_a_batch_is_recorded_from_a_file(session, command, tmp_path):
    items = json.loads(command("adapt", "next", session, "--batch", 3, "--format", "json").out)
    rows = "".join(f"{item},1\n" for item in items["items"])
    (tmp_path / "a.csv").write_text("item,response\n" + rows)
    done = command("adapt", "record", session, "--answers", tmp_path / "a.csv", "--json")
    assert json.loads(done.out)["answered"] == 3
    (tmp_path / "a.csv").write_text("item,score\nx,1\n")
    assert (
        "columns item and response"
        in command("adapt", "record", session, "--answers", tmp_path / "a.csv").err
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("record", "nobody", 1), "Every item must be in the bank"),
        # Older releases of typer write arguments in capitals, and optional ones in brackets.
        (("record", "item", "high"), r"Invalid value for '\[?(?i:response)\]?'"),
        (("record",), "An answer is an item and a response"),
        (("next", "--batch", 0), "Invalid value for '--batch'"),
    ],
)
def test_wrong_commands_are_refused_in_one_line(session, command, arguments, words):
    before = session.read_bytes()
    done = command("adapt", arguments[0], session, *arguments[1:])
    assert done.code == 2
    assert re.search(words, done.err)
    assert done.err.count("\n") == 1
    assert session.read_bytes() == before


def test_a_session_is_not_overwritten_and_a_foreign_file_refused(session, files, command):
    again = command("adapt", "start", session, "--bank", files / "run")
    assert (again.code, "exists" in again.err) == (2, True)
    session.write_text("{}")
    assert "must be as itemcurve wrote it" in command("adapt", "next", session).err


def test_any_program_is_driven_without_a_shell(files, command, tmp_path):
    program = tmp_path / "eval one.py"
    program.write_text("import sys\nprint('asked', sys.argv[1])\nprint(len(sys.argv) - 1)")
    line = f"{sys.executable} '{program}' {{item}}"
    path = tmp_path / "run.json"
    done = command(
        "adapt", "run", path, "--bank", files / "run", "--command", line, "--max-items", 3, "--json"
    )
    assert done.code == 0, done.err
    assert [a["response"] for a in json.loads(done.out)["answers"]] == [1.0, 1.0, 1.0]


def test_going_on_says_that_options_of_a_new_test_do_not_apply(session, files, command):
    line = f"{sys.executable} -c print(1) {{item}}"
    options = ("--bank", files / "run", "--max-items", 9)
    done = command("adapt", "run", session, *options, "--command", line)
    assert done.code == 0, done.err
    assert "settings it was started with" in done.err.replace("\n", " ")
    assert "4 of 15 items" in done.out


def test_misfit_is_measured_by_default_where_items_are_chosen_by_information(
    files, command, tmp_path
):
    path = tmp_path / "d.json"
    options = ("--bank", files / "run", "--question", "ability", "--max-items", 4)
    done = command("adapt", "start", path, *options)
    assert done.code == 0, done.err
    assert "No score is shown" not in done.out
    shown = json.loads(command("adapt", "show", path, "--json").out)
    assert shown["score_misfit"] >= 0
    assert shown["score"] is not None


def test_misfit_widens_the_interval_and_is_kept(files, command, tmp_path):
    path = tmp_path / "m.json"
    options = ("--bank", files / "run", "--max-items", 4, "--misfit")
    done = command("adapt", "start", path, *options)
    assert done.code == 0, done.err
    shown = json.loads(command("adapt", "show", path, "--json").out)
    assert (shown["question"], shown["score_misfit"] >= 0) == ("ability", True)


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("import sys; sys.exit('no such item')", "code 1: no such item"),
        ("print('great')", "ends with 'great'"),
        ("pass", "ends with nothing"),
        ("import time; time.sleep(30)", "longer than 1 s"),
        ("print(1.5)", "from 0 to 1"),
    ],
)
def test_a_failing_program_is_reported_and_the_session_kept(
    files, command, tmp_path, program, words
):
    (tmp_path / "p.py").write_text(program)
    path = tmp_path / "run.json"
    line = f"{sys.executable} {tmp_path / 'p.py'} {{item}}"
    arguments = ("adapt", "run", path, "--bank", files / "run", "--command")
    done = command(*arguments, line, "--timeout", 1)
    assert done.code == 2
    assert words in done.err
    kept = json.loads(command("adapt", "show", path, "--json").out)
    assert (kept["answered"], len(kept["pending"])) == (0, 1)
    (tmp_path / "p.py").write_text("print(1)")
    resumed = command(*arguments, line, "--max-items", 1)
    assert resumed.code == 0, resumed.err


@pytest.mark.parametrize("line", ["python eval.py", "python 'eval {item}", ""])
def test_a_command_without_a_place_for_the_item_is_refused(files, command, tmp_path, line):
    done = command("adapt", "run", tmp_path / "s.json", "--bank", files / "run", "--command", line)
    assert (done.code, "{item}" in done.err) == (2, True)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="kill -9 is a POSIX signal")
def test_kill_minus_nine_loses_no_recorded_answer(files, command, tmp_path):
    log = tmp_path / "log"
    program = tmp_path / "p.py"
    program.write_text(
        f"import sys, time\nopen({str(log)!r}, 'a').write(sys.argv[1] + '\\n')\nprint(1)"
    )
    path = tmp_path / "s.json"
    line = f"{sys.executable} {program} {{item}}"
    arguments = [sys.executable, "-m", "itemcurve", "adapt", "run", str(path), "--bank"]
    arguments += [str(files / "run"), "--command", line, "--max-items", "15"]
    for _ in range(4):
        before = len(log.read_text().split()) if log.exists() else 0
        running = subprocess.Popen(arguments, stdout=subprocess.DEVNULL)
        while running.poll() is None:
            if log.exists() and len(log.read_text().split()) >= before + 2:
                running.send_signal(signal.SIGKILL)
            time.sleep(0.002)
    shown = json.loads(command("adapt", "show", path, "--json").out)
    evaluated = log.read_text().split()
    # An item killed between evaluation and recording is asked again: at most one for each kill.
    assert len(evaluated) - len(set(evaluated)) <= 4
    recorded = [answer["item"] for answer in shown["answers"]]
    assert len(set(evaluated) - set(recorded)) <= 1
    assert len(recorded) >= 4


def test_the_same_answer_again_is_the_same_answer_and_another_is_refused(
    session, command, tmp_path
):
    items = json.loads(command("adapt", "next", session, "--batch", 3, "--json").out)["items"]
    first = command("adapt", "record", session, items[0], 1, "--json")
    before = session.read_bytes()
    again = command("adapt", "record", session, items[0], 1, "--json")
    assert (again.code, again.out) == (0, first.out)
    assert session.read_bytes() == before
    other = command("adapt", "record", session, items[0], 0)
    assert (other.code, "has an answer already" in other.err) == (2, True)
    assert session.read_bytes() == before
    # A file of which a crash left a part recorded.
    (tmp_path / "a.csv").write_text("item,response\n" + "".join(f"{item},1\n" for item in items))
    done = command("adapt", "record", session, "--answers", tmp_path / "a.csv", "--json")
    assert json.loads(done.out)["answered"] == 3


def test_a_line_cut_off_is_said_once_and_recorded_again(session, command):
    item = command("adapt", "next", session).out.strip()
    command("adapt", "record", session, item, 1)
    session.write_bytes(session.read_bytes()[:-40])
    shown = command("adapt", "show", session, "--json")
    assert json.loads(shown.out)["answered"] == 0
    assert shown.err.count("was cut off") == 1
    again = command("adapt", "record", session, item, 1, "--json")
    assert (again.code, again.err.count("was cut off")) == (0, 1)
    assert json.loads(again.out)["answered"] == 1
    assert command("adapt", "show", session).err == ""


def together(*lines):
    """Run commands at the same time, each in a process of its own; give their exit codes."""
    words = [sys.executable, "-m", "itemcurve", "adapt"]
    running = [
        subprocess.Popen(
            [*words, *map(str, line)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        for line in lines
    ]
    return sorted(process.wait() for process in running)


def test_answers_recorded_at_the_same_time_are_all_there(session, command):
    items = json.loads(command("adapt", "next", session, "--batch", 4, "--json").out)["items"]
    assert together(*(("record", session, item, 1) for item in items)) == [0] * 4
    shown = json.loads(command("adapt", "show", session, "--json").out)
    assert {answer["item"] for answer in shown["answers"]} == set(items)
    assert [file.name for file in session.parent.iterdir()] == ["s.json"]


def test_of_two_that_start_the_same_session_one_is_refused(files, tmp_path, command):
    lines = [
        ("start", tmp_path / "s.json", "--bank", files / "run", "--respondent", name)
        for name in ("a", "b")
    ]
    assert together(*lines) == [0, 2]
    assert command("adapt", "next", tmp_path / "s.json").code == 0

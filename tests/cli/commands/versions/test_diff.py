"""`itemcurve diff`."""

import json

import numpy as np
import pandas
import pytest

import itemcurve as ic


@pytest.fixture
def board(tmp_path):
    """Four models in one file, of which two are close."""
    random = np.random.default_rng(0)
    easy = random.random(300)
    answers = np.array([easy < chance for chance in (0.8, 0.79, 0.5, 0.2)], dtype=float)
    ic.Responses.from_array(answers, ["m1", "m2", "m3", "m4"]).save(tmp_path / "r.npz")
    return tmp_path / "r.npz"


def test_two_of_a_file_are_compared_with_their_flips(command, board):
    done = command("diff", board, "--a", "m2", "--b", "m3", "--flips", 3, "--margin", 0.01)
    assert done.code == 0
    assert "m3 against m2 on 300 items" in done.out
    assert "m3 is worse beyond chance." in done.out
    assert "Margin 0.01: m3 may be worse than m2 by more than that" in done.out
    assert "answered worse, 3 of them" in done.out


def test_differences_are_shown_by_the_groups_of_a_file(command, board, tmp_path):
    items = ic.Responses.read(board).items
    subjects = ["law" if n % 3 else "physics" for n in range(len(items))]
    groups = pandas.DataFrame({"item": items, "group": subjects})
    groups.to_csv(tmp_path / "subjects.csv", index=False)
    who = ("diff", board, "--a", "m2", "--b", "m3", "--by", tmp_path / "subjects.csv")
    assert "By group, the worst first" in command(*who).out
    found = json.loads(command(*who, "--json", "--flips", 2).out)
    assert {row["group"]: row["items"] for row in found["groups"]} == {"physics": 100, "law": 200}
    assert [row["change"] for row in found["flips"]] == ["worse", "worse"]
    assert found["worse"] > 2


def test_all_of_a_file_are_ranked(command, board):
    done = command("diff", board)
    assert done.code == 0
    assert "ranks it" in done.out
    rows = [line.split() for line in done.out.splitlines() if line.startswith("m")]
    assert [row[0] for row in rows] == ["m1", "m2", "m3", "m4"]
    assert rows[2][2] == "3"


def test_all_are_compared_with_one(command, board, tmp_path):
    done = command("diff", board, "--a", "m2", "--out", tmp_path / "t.csv", "--json")
    found = json.loads(done.out)
    assert found["baseline"] == "m2"
    assert [row["b"] for row in found["respondents"]] == ["m1", "m3", "m4"]
    assert len(pandas.read_csv(tmp_path / "t.csv")) == 3
    assert "Against m2" in command("diff", board, "--a", "m2").out


def test_json_and_the_file_have_all_flips(command, board, tmp_path):
    out = tmp_path / "deep" / "flips.csv"
    done = command("diff", board, "--a", "m1", "--b", "m3", "--out", out, "--json")
    found = json.loads(done.out)
    assert found["command"] == "diff"
    assert len(found["flips"]) == found["worse"] + found["better"] == len(pandas.read_csv(out))
    assert found["missing"]["as_worst"] is None
    assert found["lower"] < found["difference"] < found["upper"] < 0


def test_words_of_imported_items_are_shown(command, home):
    done = command("diff", home / "responses.npz", "--a", "model-00", "--b", "model-01")
    assert done.code == 0
    assert "What is" in done.out
    logs = command("diff", home / "logs", "--a", "model-00", "--b", "model-01", "--no-cache")
    assert logs.out.splitlines()[:3] == done.out.splitlines()[:3]


def test_ability_stands_beside_the_score(command, files):
    done = command(
        *("diff", files / "responses.csv", "--a", "respondent_001", "--b", "respondent_002"),
        *("--bank", files / "run"),
    )
    assert "Ability on" in done.out
    assert "Missing answers are left out" in done.out


def test_clusters_come_from_a_file_or_from_tasks(command, board, tmp_path):
    groups = [f"item_{n + 1:03d},{n // 10}" for n in range(300)]
    (tmp_path / "c.csv").write_text("\n".join(["item,group", *groups]))
    done = command("diff", board, "--a", "m1", "--b", "m2", "--clusters", tmp_path / "c.csv")
    assert "30 clusters" in done.out
    (tmp_path / "c.csv").write_text("item,group\nitem_001,1")
    done = command("diff", board, "--a", "m1", "--b", "m2", "--clusters", tmp_path / "c.csv")
    assert done.code == 2
    assert "299 of 300 have none" in done.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--a", "m1", "--b", "nobody"), "asked for is 'nobody'"),
        (("--a", "m1", "--b", "m1"), "both are 'm1'"),
        (("--a", "nobody"), "given is 'nobody'"),
        (("--a", "m1", "--b", "m2", "--bank", "nowhere"), "nowhere"),
        (("--level", "2"), "--level"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(command, board, arguments, words):
    done = command("diff", board, *arguments)
    assert done.code == 2
    assert done.err.count("\n") == 1
    assert words in done.err

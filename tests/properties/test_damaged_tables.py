"""Damaged tables and runs are refused, read to the same values, or said to be in doubt.

A quick part of what `make faults` tries.
"""

import tempfile
from pathlib import Path

import pytest
from benchmarks.faults.odd_tables import ENDINGS, draw_responses, same_responses
from benchmarks.faults.tables import judge, try_run, try_table
from benchmarks.faults.tally import Tally
from hypothesis import given, settings
from hypothesis import strategies as st

from itemcurve.errors import ResponsesError
from itemcurve.responses.matrix import Responses

RANDOM = st.randoms(use_true_random=False)


@pytest.mark.parametrize("ending", ENDINGS)
def test_damaged_tables_never_give_other_values_in_silence(ending):
    tally = Tally(ending)

    @settings(max_examples=12, deadline=None, derandomize=True, database=None)
    @given(RANDOM)
    def attack(random):
        with tempfile.TemporaryDirectory() as folder:
            try_table(random, ending, Path(folder), tally, ways=8)

    attack()
    assert tally.faults == 0, tally.examples
    assert tally.counts["clean error"] > 0.1 * tally.tried


def test_damaged_runs_are_refused_or_the_same(tmp_path):
    tally = Tally("runs")

    @settings(max_examples=3, deadline=None, derandomize=True, database=None)
    @given(RANDOM)
    def attack(random):
        try_run(random, tmp_path, tally, ways=8)

    attack()
    assert tally.faults == 0, tally.examples


@settings(max_examples=40, deadline=None, derandomize=True, database=None)
@given(RANDOM, st.sampled_from(ENDINGS))
def test_whatever_the_names_and_weights_files_give_them_back(random, ending):
    original = draw_responses(random)
    with tempfile.TemporaryDirectory() as folder:
        original.save(Path(folder) / f"r.{ending}")
        assert same_responses(original, Responses.read(Path(folder) / f"r.{ending}"))


@pytest.mark.parametrize(("ending", "separator"), [("csv", ","), ("tsv", "\t"), ("jsonl", "")])
def test_every_cut_inside_a_row_is_noticed(ending, separator, tmp_path):
    original = Responses.from_array([[1, 0.5, 10], [0, 1, 12]], respondents=["a", "b"])
    path = tmp_path / f"r.{ending}"
    original.save(path)
    whole = path.read_bytes()
    silent = []
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        outcome, _ = judge(lambda: same_responses(original, Responses.read(path)))
        if outcome == "silent":
            silent.append(size)
    # One row of two, with its line break or without, is all that nobody can know.
    first_row = whole.index(b"\n", whole.index(b"\n") + 1 if separator else 0) + 1
    assert silent in ([first_row], [first_row - 1, first_row])


def test_the_judge_sees_what_is_wrong():
    def refuse():
        raise ResponsesError("no")

    def fail():
        raise KeyError("x")

    def refuse_at_length():
        raise ValueError("x" * 10)

    assert judge(lambda: True)[0] == "fine"
    assert judge(lambda: False)[0] == "silent"
    assert judge(refuse)[0] == "clean error"
    assert judge(fail)[0] == judge(refuse_at_length)[0] == "traceback"

"""Files of every format, ours and others'."""

import gzip
import json
import sys

import numpy as np
import pandas
import pytest

from itemcurve.errors import (
    ItemcurveError,
    MissingExtraError,
    ResponsesError,
    ResponsesWarning,
    StorageError,
)
from itemcurve.responses.matrix import Responses

NAN = float("nan")
SUFFIXES = ["npz", "csv", "tsv", "csv.gz", "tsv.gz", "jsonl", "jsonl.gz", "parquet"]


def read_text(folder, text, name="table.csv", **options):
    (folder / name).write_text(text, encoding="utf-8")
    return Responses.read(folder / name, **options)


def same(left, right):
    assert left.respondents == right.respondents
    assert left.items == right.items
    np.testing.assert_array_equal(left.array(), right.array())
    assert left.cells.values.dtype == right.cells.values.dtype


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("matrix", [[[1, 0], [1, 1]], [[1, NAN], [NAN, NAN]], [[0.1, NAN]]])
def test_every_format_gives_back_what_was_saved(tmp_path, suffix, matrix):
    responses = Responses.from_array(matrix, respondents=['é, "x"', "007"][: len(matrix)])
    responses.save(tmp_path / f"r.{suffix}")
    same(Responses.read(tmp_path / f"r.{suffix}"), responses)
    assert [file.name for file in tmp_path.iterdir()] == [f"r.{suffix}"]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_every_format_keeps_repeats_weights_and_empty_rows(tmp_path, suffix):
    frame = pandas.DataFrame(
        {
            "respondent": ["a", "a", "a", "b"],
            "item": ["q", "q", "p", "q"],
            "response": [1, 0, 1, None],
            "weight": [2.0, 1.0, 1.0, 1.0],
        }
    )
    responses = Responses.from_frame(frame)
    responses.save(tmp_path / f"r.{suffix}")
    again = Responses.read(tmp_path / f"r.{suffix}").select(items=responses.items)
    assert again.is_sparse
    assert again.respondents == ("a", "b")
    np.testing.assert_array_equal(again.array(), responses.array())
    np.testing.assert_array_equal(again.weight().toarray(), responses.weight().toarray())


def test_items_named_like_columns_of_a_long_table_survive(tmp_path):
    responses = Responses.from_array([[1, 0, 1]], items=["item", "response", "respondent"])
    responses.save(tmp_path / "r.csv")
    again = Responses.read(tmp_path / "r.csv")
    assert again.items == ("item", "response", "respondent")
    same(again, responses)


def test_text_files_read_truth_values_and_missing_cells(tmp_path):
    responses = read_text(tmp_path, "respondent,q1,q2\nNA,true,1\n007,FALSE,NA\nc,,0.5\n")
    assert responses.respondents == ("NA", "007", "c")
    np.testing.assert_array_equal(responses.array(), [[1, 1], [0, NAN], [NAN, 0.5]])


def test_truth_values_among_numbers_are_numbers(tmp_path):
    responses = read_text(tmp_path, "respondent,q1\na,true\nb,0\nc,FALSE\nd,0.5\n")
    np.testing.assert_array_equal(responses.array()[:, 0], [1, 0, 0, 0.5])


def test_long_text_files_keep_ids_as_text(tmp_path):
    text = "respondent\titem\tresponse\textra\n01\tNA\t1\tx\n1\tNA\t0\ty\n"
    responses = read_text(tmp_path, text, "t.tsv")
    assert (responses.respondents, responses.items) == (("01", "1"), ("NA",))


def test_first_columns_of_text_or_without_name_give_ids(tmp_path):
    assert read_text(tmp_path, "model,q\nm1,1\nm2,0\n").respondents == ("m1", "m2")
    assert read_text(tmp_path, ",q\n5,1\n6,0\n").respondents == ("5", "6")
    assert read_text(tmp_path, "p,q\n1,1\nNA,0\n").items == ("p", "q")


def test_byte_order_marks_and_windows_line_ends_are_harmless(tmp_path):
    assert read_text(tmp_path, "\ufeffrespondent,q\r\na,1\r\n").items == ("q",)


def test_a_layout_can_be_forced(tmp_path):
    text = "respondent,item,response\na,1,0\nb,0,1\n"
    wide = read_text(tmp_path, text, layout="wide")
    assert wide.items == ("item", "response")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "table.csv' is empty"),
        ("\n\n", "is empty"),
        ("a,b\n", "has only the names"),
        ("a,b\n1,0\n1,0,1\n", "as many cells.*line 3"),
        ("a,b\n1,0\n1\n", "line 3 has 1 cells, the row of names 2"),
        ('a,b\n"1",0\n1\n', "line 3 has 1 cells, the row of names 2"),
        ("a,b\n1,0\n\0\0\0,0\n", "zero bytes"),
        ("a,b\n1,0,1\n", "2 names, but 3 cells"),
        ("1,0,1\n1,0,1\n", "column must have.*first row of a file must name"),
        ("a,b\n1,0\n1,hello\n", "column 'b' holds 1 others, the first is 'hello' at row 2"),
        ("a,b\n1,0\nx,1\n1,0\n", "taken from 'a'"),
        ("a,b\n1,inf\n", "infinite.*item 'b'"),
        ("respondent,item,score\na,q,1\n", "missing is 'response'"),
        ("respondent,item,response\n,q,1\n", "id in column 'respondent'"),
        ("respondent,item,response\na,q,1_0\n", "'1_0'"),
    ],
)
def test_bad_text_files_are_refused(tmp_path, text, message):
    with pytest.raises(ResponsesError, match=message):
        read_text(tmp_path, text)


def test_files_that_are_missing_unknown_or_broken_are_refused(tmp_path):
    with pytest.raises(ResponsesError, match=r"must exist; there is no file .*nowhere'"):
        Responses.read(tmp_path / "nowhere")
    with pytest.raises(ResponsesError, match=r"must exist; there is no file .*nowhere.csv"):
        Responses.read(tmp_path / "nowhere.csv")
    for name in ("r.xlsx", "r", "r.npz.gz"):
        (tmp_path / name).write_bytes(b"x")
        with pytest.raises(ResponsesError, match=r"must end in .npz, .csv"):
            Responses.read(tmp_path / name)
        with pytest.raises(ResponsesError, match=r"must end in .npz, .csv"):
            Responses.from_array([[1]]).save(tmp_path / name)
    (tmp_path / "latin.csv").write_bytes("a,b\né,1\n".encode("latin1"))
    with pytest.raises(ResponsesError, match="UTF-8"):
        Responses.read(tmp_path / "latin.csv")
    whole = gzip.compress(b"a,b\n" + b"1,0\n" * 1000)
    for content in (b"no gzip", whole[:-12], whole[:15] + b"\x00\x00" + whole[17:]):
        (tmp_path / "bad.csv.gz").write_bytes(content)
        with pytest.raises(ResponsesError, match="readable, whole"):
            Responses.read(tmp_path / "bad.csv.gz")
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 nothing PAR1")
    with pytest.raises(ResponsesError, match="Parquet file must be whole"):
        Responses.read(tmp_path / "bad.parquet")
    with pytest.raises(StorageError, match="folder must exist"):
        Responses.from_array([[1]]).save(tmp_path / "absent" / "r.csv")


def test_parquet_without_pyarrow_names_the_extra(tmp_path, monkeypatch):
    (tmp_path / "r.parquet").write_bytes(b"")
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(MissingExtraError, match=r"itemcurve\[io\]"):
        Responses.read(tmp_path / "r.parquet")
    with pytest.raises(MissingExtraError, match=r"itemcurve\[io\]"):
        Responses.from_array([[1]]).save(tmp_path / "s.parquet")


def test_a_parquet_index_written_by_pandas_gives_ids(tmp_path):
    pandas.DataFrame({"q": [1, 0]}, index=["a", "b"]).to_parquet(tmp_path / "r.parquet")
    assert Responses.read(tmp_path / "r.parquet").respondents == ("a", "b")


def test_json_lines_may_be_long_or_wide(tmp_path):
    long = '{"respondent": "a", "item": 1, "response": true}\n\n'
    responses = read_text(tmp_path, long, "r.jsonl")
    assert (responses.items, responses.array().item()) == (("1",), 1)
    wide = '{"model": "a", "q1": 1, "q2": null}\n{"model": "b", "q2": 0.5}\n'
    responses = read_text(tmp_path, wide, "r.jsonl")
    np.testing.assert_array_equal(responses.array(), [[1, NAN], [NAN, 0.5]])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\n", "at least one record"),
        ('{"q": 1}\n{"q": \n', "line 2 of"),
        ("[1, 0]\n", "line 1 .*holds a list"),
        ("[" * 100_000, "line 1"),
        ('{"p": 1, "q": "1"}\n', "column 'q'.*'1' at row 1"),
        ('{"q": {"a": 1}}\n', "one value each"),
        ('{"q": Infinity}\n', "infinite"),
        ('{"p": "a", "q": 1, "q": 0}\n', "a key twice"),
        ('{"p": "a", "q": %s}\n' % ("9" * 400), "numbers.*at row 1"),
        (r'{"p": "\ud800", "q": 1}', "must be Unicode"),
        (r'{"\ud800": 1}', "must be Unicode"),
        (r'{"respondent": "a", "item": "\ud800", "response": 1}', "must be Unicode"),
    ],
)
def test_bad_json_lines_are_refused(tmp_path, text, message):
    with pytest.raises(ResponsesError, match=message):
        read_text(tmp_path, text, "r.jsonl")


def test_records_with_hardly_a_key_in_common_are_refused_before_they_fill_memory(tmp_path):
    lines = (
        "{" + ",".join([f'"respondent":"r{row}"', *(f'"q{row}_{k}":1' for k in range(200))]) + "}"
        for row in range(400)
    )
    with pytest.raises(ResponsesError, match=r"keys in common.*80,001 keys, 201 each"):
        read_text(tmp_path, "\n".join(lines), "r.jsonl")


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("a,b\n0.25,0.5", [[0.25, 0.5]]),
        ("a,b\n0,1\n1,", [[0, 1], [1, NAN]]),
        ("a,b\n0,1\n1,1", [[0, 1], [1, 1]]),
        ("response,respondent,item\n1,a,q1\n0,b,q1", [[1], [0]]),
    ],
)
def test_a_last_row_without_line_break_is_said_to_be_perhaps_cut(tmp_path, text, values):
    with pytest.warns(ResponsesWarning, match="does not end with a line break"):
        found = read_text(tmp_path, text)
    np.testing.assert_array_equal(found.array(), values)
    np.testing.assert_array_equal(read_text(tmp_path, text + "\n").array(), values)


def test_single_digits_without_last_line_break_are_whole(tmp_path):
    rows = "".join(f"r{row},0,1,1,0,{row}\n" for row in range(6))
    assert read_text(tmp_path, f"respondent,a,b,c,d,e\n{rows}"[:-1]).shape == (6, 5)


@pytest.mark.parametrize("suffix", ["csv", "tsv", "csv.gz", "jsonl", "parquet", "npz"])
def test_names_that_a_spreadsheet_would_compute_come_back(tmp_path, suffix):
    names = ["=cmd|x!A1", "@SUM(1)", "'=a", "-2+3", "plain"]
    responses = Responses.from_array(np.eye(5), respondents=names, items=names[::-1])
    responses.save(tmp_path / f"r.{suffix}")
    same(Responses.read(tmp_path / f"r.{suffix}"), responses)
    if suffix == "csv":
        cells = (tmp_path / "r.csv").read_text().replace("\n", ",").split(",")
        assert [cell for cell in cells if cell[:1] in ("=", "@", "-")] == []


def test_names_with_zero_bytes_are_not_written_as_text_that_nobody_can_read(tmp_path):
    with pytest.raises(ResponsesError, match="zero bytes"):
        Responses.from_array([[1]], respondents=["a\0b"]).save(tmp_path / "r.csv")


def test_a_flipped_bit_in_our_parquet_files_is_noticed(tmp_path):
    path = tmp_path / "r.parquet"
    Responses.from_array(np.random.default_rng(3).random((6, 4))).save(path)
    whole = path.read_bytes()
    for place in range(4, len(whole) - 8, 29):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        try:
            found = Responses.read(path)
        except ResponsesError:
            continue
        np.testing.assert_array_equal(
            found.array(), np.random.default_rng(3).random((6, 4)), err_msg=str(place)
        )


def test_errors_are_short_whatever_they_quote(tmp_path):
    for text in ("a,b\n1,%s\n" % ("x" * 100_000), "a,b\nc,%s\n" % ("1" * 400)):
        with pytest.raises(ResponsesError) as raised:
            read_text(tmp_path, text)
        assert len(str(raised.value)) < 1000


def test_npz_files_of_others_are_read_by_shape_and_name(tmp_path):
    scores = np.array([[1, 0, 255], [1, 1, 0]], dtype=np.uint8)
    models, items = np.array(["gpt2", "gpt2"]), np.array([b"x", b"y", b"z"])
    np.savez(tmp_path / "r.npz", R=scores, models=models, items=items, other=np.ones((2, 3)))
    responses = Responses.read(tmp_path / "r.npz")
    assert responses.respondents == ("gpt2", "gpt2 (2)")
    assert responses.items == ("x", "y", "z")
    np.testing.assert_array_equal(responses.array(), [[1, 0, NAN], [1, 1, 0]])


def test_the_only_matrix_of_an_npz_is_taken_and_two_are_refused(tmp_path):
    np.savez(tmp_path / "r.npz", anything=np.eye(2), weights=np.full((2, 2), 2.0))
    assert Responses.read(tmp_path / "r.npz").weight().sum() == 8
    np.savez(tmp_path / "r.npz", a=np.eye(2), b=np.eye(3))
    with pytest.raises(ResponsesError, match=r"holds 2 such: a \(2, 2\) float64"):
        Responses.read(tmp_path / "r.npz")
    bytes_used = np.array([[255, 200]], dtype=np.uint8)
    np.savez(tmp_path / "r.npz", Y=bytes_used)
    assert Responses.read(tmp_path / "r.npz").n_observed == 2


@pytest.mark.parametrize(
    "change",
    [
        {"format": np.array("itemcurve-responses-9")},
        {"rows": np.array([0, 5])},
        {"rows": np.array([0, -1])},
        {"columns": np.array([0, -1])},
        {"rows": np.array([-2, -1])},
        {"columns": np.array([0.5, 0.5])},
        {"columns": np.array([0])},
        {"values": np.array([1.0, np.inf])},
        {"values": np.array([1.0, np.nan])},
        {"values": np.array(["a", "b"])},
        {"weights": np.array([1.0])},
        {"weights": np.array([1.0, -1.0])},
        {"items": np.array([1, 2, 3])},
        {"items": np.frombuffer(b'["a", 1]', dtype=np.uint8)},
        {"items": np.frombuffer(b"[" * 100_000, dtype=np.uint8)},
        {"items": np.frombuffer(b'["a", "a"]', dtype=np.uint8)},
        {"respondents": np.frombuffer(b"[]", dtype=np.uint8)},
    ],
)
def test_our_own_layout_is_checked_as_if_a_stranger_wrote_it(tmp_path, change):
    frame = pandas.DataFrame({"respondent": ["a", "b"], "item": ["q", "q"], "response": [1, 0]})
    arrays = Responses.from_frame(pandas.concat([frame, frame])).pack()
    arrays = {"format": arrays["format"], "respondents": arrays["respondents"]} | {
        "items": arrays["items"],
        "rows": np.array([0, 1]),
        "columns": np.array([0, 0]),
        "values": np.array([1, 0]),
    }
    assert Responses.unpack(arrays).n_observed == 2
    with pytest.raises(ResponsesError):
        Responses.unpack(arrays | change)


def test_public_language_model_matrices_are_read(shared_data):
    responses = Responses.read(shared_data / "data" / "llm" / "mmlu_pro_29x12k.npz")
    assert responses.shape == (29, 12032)
    assert responses.n_observed == 347215
    assert set(np.unique(responses.observed_values())) == {0, 1}
    assert responses.respondents[0] == "DeepSeek-Coder-V2"


@pytest.mark.filterwarnings("ignore::itemcurve.errors.ResponsesWarning")
def test_mutilated_text_files_give_our_own_errors_or_responses(tmp_path):
    rng = np.random.default_rng(11)
    table = Responses.from_array(rng.integers(0, 2, (6, 4)))
    messages = []
    for suffix in ("csv", "jsonl", "parquet"):
        table.save(tmp_path / f"r.{suffix}")
        whole = (tmp_path / f"r.{suffix}").read_bytes()
        for _ in range(200):
            damaged = bytearray(whole[: rng.integers(1, len(whole) + 1)])
            damaged[rng.integers(len(damaged))] ^= 1 << rng.integers(8)
            (tmp_path / f"d.{suffix}").write_bytes(damaged)
            try:
                Responses.read(tmp_path / f"d.{suffix}")
            except ItemcurveError as error:
                messages.append(str(error))
    assert len(messages) > 300
    assert all(message.endswith(".") for message in messages)


def test_json_lines_are_plain_json(tmp_path):
    Responses.from_array([[1, NAN]]).save(tmp_path / "r.jsonl")
    record = json.loads((tmp_path / "r.jsonl").read_text())
    assert record == {"respondent": "respondent_1", "item_1": 1, "item_2": None}


def test_the_responses_of_a_run_folder_are_read(tmp_path):
    written = Responses.from_array([[0, 1], [1, 1]], ["a", "b"], ["p", "q"])
    (tmp_path / "run").mkdir()
    written.save(tmp_path / "run" / "responses.npz")
    same(Responses.read(tmp_path / "run"), written)


def test_a_folder_without_responses_is_refused(tmp_path):
    with pytest.raises(ResponsesError):
        Responses.read(tmp_path)

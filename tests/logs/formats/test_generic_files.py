"""Tables of one's own, and the long table itself."""

from tests.logs.examples import write, write_lines

from itemcurve.logs.formats.columns import LogColumns
from itemcurve.logs.log_folder import read_logs


def read(folder, columns=None):
    return read_logs(folder, columns=columns, cache=False)


def test_lists_of_answers_and_predictions_are_scored_by_their_equality(tmp_path):
    rows = [
        {"question_id": 70, "answer": "I", "pred": "I", "category": "business"},
        {"question_id": 71, "answer": "F", "pred": "A", "category": "law"},
        {"question_id": 72, "answer": "F", "pred": None, "category": "law"},
    ]
    write(tmp_path / "gpt.json", rows)
    columns = LogColumns(
        "@file", "question_id", answer="answer", prediction="pred", group="category"
    )
    logs = read(tmp_path, columns)
    assert logs.respondents == ("gpt",)
    assert logs.select().array().tolist() == [[1.0, 0.0]]
    assert logs.select(group="law").shape == (1, 1)


def test_csv_and_json_lines_of_ones_own_are_mapped_by_columns(tmp_path):
    write(tmp_path / "a.csv", "model,question,ok\nm1,q1,1\nm1,q2,0\nm2,q1,\n")
    write_lines(tmp_path / "b.jsonl", [{"model": "m2", "question": "q2", "ok": True}])
    columns = LogColumns(respondent="model", item="question", value="ok")
    logs = read(tmp_path, columns)
    assert logs.tasks == ("a", "b")
    assert logs.respondents == ("m1", "m2")
    assert logs.frame()["status"].tolist() == ["scored", "scored", "unscored", "scored"]


def test_text_where_a_number_belongs_is_left_out_and_said(tmp_path):
    write(tmp_path / "a.csv", "respondent,item,value\nm1,q1,1\nm1,q2,oops\n")
    logs = read(tmp_path)
    assert logs.files[0].status == "partial"
    assert "'oops', which is no number" in logs.files[0].reason
    assert logs.select().shape == (1, 1)


def test_the_long_table_itself_can_be_read_again(tmp_path):
    write(tmp_path / "a.csv", "respondent,item,value,repeat\nm1,q1,1,1\nm1,q1,0,2\n")
    logs = read(tmp_path)
    (tmp_path / "again").mkdir()
    logs.frame().drop(columns="source").to_csv(tmp_path / "again" / "b.csv", index=False)
    again = read(tmp_path / "again")
    assert again.select().array().tolist() == logs.select().array().tolist() == [[0.5]]

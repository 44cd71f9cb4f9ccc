"""OpenCompass, OpenML, MLflow and W&B, py-irt, Every Eval Ever and tables of one's own."""

import math

import pytest
from tests.logs.examples import opencompass_detail, write, write_lines

from itemcurve.errors import ResponsesError
from itemcurve.logs.formats.columns import Columns
from itemcurve.logs.log_folder import read_logs


def read(folder, columns=None):
    return read_logs(folder, columns=columns, cache=False)


@pytest.mark.parametrize("key", ["correct", "is_correct", "cascade_correct"])
def test_opencompass_says_what_is_correct_under_several_names(tmp_path, key):
    details = [opencompass_detail("0", **{key: True}), opencompass_detail("1", **{key: False})]
    write(tmp_path / "results" / "m" / "toy.json", {"accuracy": 50.0, "details": details})
    logs = read(tmp_path)
    assert (logs.respondents, logs.tasks) == (("m",), ("toy",))
    assert logs.select().array().tolist() == [[1.0, 0.0]]
    assert logs.files[0].reason == ""


def test_opencompass_lists_of_truths_are_repeats(tmp_path):
    details = {"type": "GEN", "0": opencompass_detail("0", correct=[True, False, True, True])}
    write(tmp_path / "m" / "toy.json", {"accuracy": 75.0, "details": details})
    responses = read(tmp_path).select()
    assert responses.array().tolist() == [[0.75]]
    assert responses.weight().toarray().tolist() == [[4.0]]


def test_opencompass_totals_are_percentages(tmp_path):
    details = {"type": "PPL", "0": opencompass_detail("0", correct=True)}
    write(tmp_path / "m" / "toy.json", {"accuracy": 1.0, "details": details})
    assert "reports 0.01, its samples give 1" in read(tmp_path).files[0].reason


def test_opencompass_parts_of_a_large_set_are_one_task(tmp_path):
    for part in range(2):
        details = {"0": opencompass_detail(f"{part}", correct=bool(part))}
        write(tmp_path / "m" / f"big_{part}.json", {"accuracy": 0, "details": details})
    logs = read(tmp_path)
    assert logs.tasks == ("big",)
    assert sorted(item.sample for item in logs.items) == ["0:0", "1:0"]
    assert logs.select().shape == (1, 2)


def test_opencompass_predictions_are_no_scores(tmp_path):
    shown = {"0": {"origin_prompt": "q", "prediction": "B", "gold": "B"}}
    write(tmp_path / "predictions" / "m" / "toy.json", shown)
    options = {"0": {"label: A": {"prompt": "q", "PPL": 1.0}, "prediction": "A"}}
    write(tmp_path / "predictions" / "m" / "ppl.json", options)
    assert [note.status for note in read(tmp_path).files] == ["companion", "companion"]


ARFF = """% a comment
@RELATION openml_task_59_predictions
@ATTRIBUTE repeat NUMERIC
@ATTRIBUTE fold NUMERIC
@ATTRIBUTE row_id NUMERIC
@ATTRIBUTE prediction {a,'b, c'}
@ATTRIBUTE TRUTH {a,'b, c'}
@ATTRIBUTE confidence.a NUMERIC
@ATTRIBUTE 'confidence.b, c' NUMERIC
@DATA
0,0,10,a,a,0.8,0.2
0,1,11,'b, c',a,0.4,0.6
1,0,10,'b, c',a,0.1,0.9
1,1,11,a,a,1.0,0.0
0,2,12,?,a,?,?
"""


@pytest.mark.parametrize("truth", ["correct", "truth"])
def test_openml_compares_labels_because_correct_is_the_true_one(tmp_path, truth):
    write(tmp_path / "predictions.arff", ARFF.replace("TRUTH", truth))
    logs = read(tmp_path)
    responses = logs.select(announce=False)
    assert responses.items == ("openml-task-59/10", "openml-task-59/11")
    assert responses.array().tolist() == [[0.5, 0.5]]
    assert responses.weight().toarray().tolist() == [[2.0, 2.0]]
    brier = logs.frame().query("metric == 'brier' and status == 'scored'")["value"]
    assert brier.iloc[0] == pytest.approx(2 * 0.2**2)
    assert not next(
        e for e in logs.measures if e.measure.metric == "brier"
    ).measure.is_higher_better


def test_openml_regression_is_an_error_where_lower_is_better(tmp_path):
    text = (
        "@RELATION x\n@ATTRIBUTE repeat NUMERIC\n@ATTRIBUTE row_id NUMERIC\n"
        "@ATTRIBUTE prediction NUMERIC\n@ATTRIBUTE truth NUMERIC\n@DATA\n0,3,1.5,1.0\n"
    )
    write(tmp_path / "predictions.arff", text)
    logs = read(tmp_path)
    assert str(logs.choose()[0]) == "x: absolute_error, lower is better"
    assert logs.select().array().tolist() == [[0.5]]


def test_openml_runs_are_named_by_their_description(tmp_path):
    write(tmp_path / "run" / "predictions.arff", ARFF.replace("TRUTH", "correct"))
    write(
        tmp_path / "run" / "description.xml",
        '<oml:run xmlns:oml="http://openml.org/openml"><oml:run_id>7</oml:run_id>'
        "<oml:task_id>31</oml:task_id><oml:flow_name>sklearn.SVC</oml:flow_name></oml:run>",
    )
    logs = read(tmp_path)
    assert (logs.respondents, logs.tasks) == (("sklearn.SVC",), ("openml-task-31",))


MLFLOW = {
    "columns": ["item_id", "inputs", "outputs", "exact_match/v1/score"],
    "data": [["q0", "0+0", "0", 1], ["q1", "1+1", "3", 0]],
}


def test_mlflow_tables_are_of_the_model_that_their_run_names(tmp_path):
    for run in ("one", "two"):
        home = tmp_path / run
        write(home / "artifacts" / "table.json", MLFLOW)
        write(home / "meta.yaml", f"artifact_uri: x\nrun_id: {run}\nlifecycle_stage: active\n")
        write(home / "params" / "model", f"model-{run}")
    responses = read(tmp_path).select()
    assert responses.respondents == ("model-one", "model-two")
    assert responses.array().tolist() == [[1.0, 0.0]] * 2


def test_tables_of_unknown_columns_ask_for_their_names(tmp_path):
    table = {"columns": ["item_id", "prompt", "score"], "data": [["q0", "0+0", 0.37]]}
    write(tmp_path / "samples_0_ab99cf3d87ed993cc970.table.json", table)
    note = read(tmp_path).files[0]
    assert note.status == "unmapped"
    assert "item_id, prompt, score" in note.reason
    logs = read(tmp_path, Columns(respondent="@folder", item="item_id", value="score"))
    assert (logs.respondents, logs.tasks) == ((tmp_path.name,), ("samples",))
    assert logs.select().array().tolist() == [[0.37]]


def test_py_irt_leaves_out_what_was_not_asked(tmp_path):
    lines = [
        {"subject_id": "pedro", "responses": {"q1": 1, "q2": 0}},
        {"subject_id": "ken", "responses": {"q2": 1}},
    ]
    write_lines(tmp_path / "minitest.jsonlines", lines)
    responses = read(tmp_path).select()
    assert responses.items == ("minitest/q1", "minitest/q2")
    assert math.isnan(responses.array()[1, 0])


def eee_sample(name, **evaluation):
    return {
        "schema_version": "0.3.0",
        "evaluation_id": "e",
        "model_id": "org/model",
        "evaluation_name": "bench",
        "sample_id": name,
        "sample_hash": f"{hash(name) & 0xFFFF:064x}",
        "input": {"raw": name},
        "evaluation": evaluation,
        "token_usage": {"total_tokens": 17},
    }


def test_every_eval_ever_keeps_range_direction_and_errors(tmp_path):
    failed = eee_sample("c") | {"error": "timeout", "evaluation": None}
    lines = [eee_sample("a", score=20.0), eee_sample("b", score=None, is_correct=True), failed]
    write_lines(tmp_path / "u_samples.jsonl", lines)
    config = {"metric_name": "loss", "min_score": 0, "max_score": 100, "lower_is_better": True}
    entry = {"evaluation_name": "bench", "metric_config": config}
    write(tmp_path / "u.json", {"evaluation_id": "e", "evaluation_results": [entry]})
    logs = read(tmp_path)
    choice = logs.choose()[0]
    assert (choice.metric, choice.low, choice.high, choice.is_higher_better) == (
        "loss",
        0,
        100,
        False,
    )
    assert logs.select(announce=False).array().tolist() == [[20.0, 1.0]]
    assert logs.select(rescale=True, announce=False).array().tolist() == [[0.8, 0.99]]
    assert logs.summary().errors == {"bench": 1}
    assert logs.rows.cost.tolist() == [17.0] * 3


def test_lists_of_answers_and_predictions_are_scored_by_their_equality(tmp_path):
    rows = [
        {"question_id": 70, "answer": "I", "pred": "I", "category": "business"},
        {"question_id": 71, "answer": "F", "pred": "A", "category": "law"},
        {"question_id": 72, "answer": "F", "pred": None, "category": "law"},
    ]
    write(tmp_path / "gpt.json", rows)
    columns = Columns("@file", "question_id", answer="answer", prediction="pred", group="category")
    logs = read(tmp_path, columns)
    assert logs.respondents == ("gpt",)
    assert logs.select().array().tolist() == [[1.0, 0.0]]
    assert logs.select(group="law").shape == (1, 1)


def test_csv_and_json_lines_of_ones_own_are_mapped_by_columns(tmp_path):
    write(tmp_path / "a.csv", "model,question,ok\nm1,q1,1\nm1,q2,0\nm2,q1,\n")
    write_lines(tmp_path / "b.jsonl", [{"model": "m2", "question": "q2", "ok": True}])
    columns = Columns(respondent="model", item="question", value="ok")
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


def test_a_metric_that_is_not_there_is_refused_with_those_that_are(tmp_path):
    write(tmp_path / "a.csv", "respondent,item,value\nm1,q1,1\n")
    logs = read(tmp_path)
    with pytest.raises(ResponsesError, match="there are value"):
        logs.select(metric="acc")
    with pytest.raises(ResponsesError, match="unknown is 'b'"):
        logs.select(task="b")
    with pytest.raises(ResponsesError, match="Rescaling needs a range"):
        logs.select(rescale=True)

"""Predictions of OpenML runs."""

import pytest
from tests.logs.examples import write

from itemcurve.logs.log_folder import read_logs


def read(folder, columns=None):
    return read_logs(folder, columns=columns, cache=False)


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

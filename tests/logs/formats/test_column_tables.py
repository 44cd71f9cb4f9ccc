"""Tables of MLflow and W&B."""

from tests.logs.examples import write

from itemcurve.logs.formats.columns import LogColumns
from itemcurve.logs.log_folder import read_logs


def read(folder, columns=None):
    return read_logs(folder, columns=columns, cache=False)


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
    logs = read(tmp_path, LogColumns(respondent="@folder", item="item_id", value="score"))
    assert (logs.respondents, logs.tasks) == ((tmp_path.name,), ("samples",))
    assert logs.select().array().tolist() == [[0.37]]

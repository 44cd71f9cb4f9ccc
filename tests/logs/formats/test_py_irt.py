"""Files of py-irt."""

import math

from tests.logs.examples import write_lines

from itemcurve.logs.log_folder import read_logs


def read(folder, columns=None):
    return read_logs(folder, columns=columns, cache=False)


def test_py_irt_leaves_out_what_was_not_asked(tmp_path):
    lines = [
        {"subject_id": "pedro", "responses": {"q1": 1, "q2": 0}},
        {"subject_id": "ken", "responses": {"q2": 1}},
    ]
    write_lines(tmp_path / "minitest.jsonlines", lines)
    responses = read(tmp_path).select()
    assert responses.items == ("minitest/q1", "minitest/q2")
    assert math.isnan(responses.array()[1, 0])

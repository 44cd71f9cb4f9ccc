"""A file is read, or it is said why not; what is no fault of the file ends the reading."""

import pytest

from itemcurve.errors import ResponsesError
from itemcurve.logs import file_reading
from itemcurve.logs.log_folder import read_logs


def test_a_file_is_not_left_out_because_memory_ran_out(tmp_path, monkeypatch):
    for name in ("m1", "m2"):
        line = f'{{"subject_id": "{name}", "responses": {{"q1": 1, "q2": 0}}}}\n'
        (tmp_path / f"{name}.jsonlines").write_text(line)
    find = file_reading._find_reader

    def run_out(source, columns):
        if source.path.name.startswith("m1"):
            raise MemoryError
        return find(source, columns)

    monkeypatch.setattr(file_reading, "_find_reader", run_out)
    with pytest.raises(ResponsesError, match=r"memory that is left.*m1\.jsonlines.*without it"):
        read_logs(tmp_path, cache=False, n_jobs=1)

"""Tables from files."""

import pytest

from itemcurve.errors import EvaluationError
from itemcurve.evaluation.tables.table_files import read_table


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("x,label,label\n1,2,a\n", "'label' occurs more than once"),
        ("x;label\n1;a\n", "separated by commas; the only column"),
    ],
)
def test_headers_that_mislead_are_refused(tmp_path, content, words):
    path = tmp_path / "table.csv"
    path.write_text(content)
    with pytest.raises(EvaluationError, match=words):
        read_table(path)

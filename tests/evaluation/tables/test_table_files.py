"""Tables from files."""

import pytest

from itemcurve.errors import EvaluationError
from itemcurve.evaluation.tables.table_files import read_table


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("x,label,label\n1,2,a\n", "'label' occurs more than once"),
        ("x;label;label\n1;2;a\n", "'label' occurs more than once"),
    ],
)
def test_headers_that_mislead_are_refused(tmp_path, content, words):
    path = tmp_path / "table.csv"
    path.write_text(content)
    with pytest.raises(EvaluationError, match=words):
        read_table(path)


@pytest.mark.parametrize(
    ("content", "word"),
    [
        ("x;label\n1,5;a\n2,25;b\n", "semicolons, numbers have decimal commas"),
        ("x|label\n1.5|a\n2.25|b\n", "bars"),
        ("x\tlabel\n1.5\ta\n2.25\tb\n", "tabs"),
        ('"x";"label"\n1.5;"a"\n2.25;"b"\n', "semicolons"),
    ],
)
def test_other_separators_are_found_and_told(tmp_path, content, word):
    path = tmp_path / "table.csv"
    path.write_text(content)
    found = read_table(path)
    assert found.to_dict("list") == {"x": [1.5, 2.25], "label": ["a", "b"]}
    assert found.attrs["notes"] == (f"Values are separated by {word}.",)


def test_commas_inside_of_words_do_not_make_numbers(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("x;place;label\n1;Rome, Italy;a\n2;Bern, Switzerland;b\n")
    assert read_table(path)["place"].tolist() == ["Rome, Italy", "Bern, Switzerland"]


def test_a_tab_separated_file_of_commas_is_read(tmp_path):
    path = tmp_path / "table.tsv"
    path.write_text("x,label\n1,a\n")
    assert read_table(path).columns.tolist() == ["x", "label"]

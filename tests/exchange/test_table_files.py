"""Tables as CSV, Markdown and LaTeX."""

import io
import shutil
import subprocess

import numpy as np
import pandas
import pytest

import itemcurve as ic
from itemcurve.errors import StorageError


@pytest.fixture(name="evaluation")
def small_evaluation(moons, few):
    return ic.evaluate_classifiers(few, *moons)


def test_csv_has_every_column_and_digit(evaluation, tmp_path):
    board = evaluation.leaderboard()
    path = ic.exchange.write_table(board, tmp_path / "new" / "board.csv")
    again = pandas.read_csv(path)
    pandas.testing.assert_frame_equal(again, board.frame(), check_dtype=False)


def test_markdown_has_what_one_reads(evaluation):
    text = ic.exchange.format_table(evaluation.leaderboard(), "md")
    lines = text.splitlines()
    assert lines[0].startswith("| rank | respondent | tier | skill | 90 % interval | accuracy |")
    assert lines[1].startswith("| ---: | --- | ---: | ---: | --- | ---: |")
    assert len(lines) == 2 + len(evaluation.leaderboard().frame(with_references=True))
    assert len({line.count("|") for line in lines}) == 1


def test_signs_that_mean_something_are_escaped():
    odd = pandas.DataFrame({"a|b": ["x|y", "50 % & _more_\nlines"], "n": [0.12345, np.nan]})
    markdown = ic.exchange.format_table(odd, "md").splitlines()
    assert markdown[0] == "| a\\|b | n |"
    assert markdown[2] == "| x\\|y | 0.123 |"
    assert markdown[3] == "| 50 % & _more_ lines |  |"
    latex = ic.exchange.format_table(odd, "tex")
    assert r"50 \% \& \_more\_ lines &  \\" in latex
    assert r"\begin{tabular}{lr}" in latex


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no LaTeX here")
def test_latex_compiles(evaluation, tmp_path):
    table = ic.exchange.format_table(evaluation.leaderboard(), "tex")
    head = "\\documentclass{article}\\usepackage{booktabs}\\begin{document}"
    (tmp_path / "a.tex").write_text(f"{head}{table}\\end{{document}}")
    subprocess.run(["pdflatex", "-interaction=batchmode", "a.tex"], cwd=tmp_path, check=True)


def test_audits_and_findings_are_tables_too(evaluation, tmp_path):
    for result in (evaluation.audit(), evaluation.findings(), evaluation.fit.items):
        text = ic.exchange.format_table(result, "csv")
        assert len(pandas.read_csv(io.StringIO(text)).columns) >= 4


@pytest.mark.parametrize(
    ("source", "name", "said"),
    [
        (pandas.DataFrame({"a": [1]}), "board.docx", ".csv, .md, .tex"),
        (object(), "board.csv", r"has no .frame\(\)"),
    ],
)
def test_what_cannot_be_written_is_refused(source, name, said, tmp_path):
    with pytest.raises(StorageError, match=said):
        ic.exchange.write_table(source, tmp_path / name)

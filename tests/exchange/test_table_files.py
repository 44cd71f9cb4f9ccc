"""Tables as CSV, Markdown and LaTeX."""

import io
import shutil
import subprocess

import numpy as np
import pandas
import pytest

import itemcurve as ic
from itemcurve.errors import StorageError
from itemcurve.exchange.latex_text import escape_latex


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
def test_latex_compiles_whatever_signs_names_have(evaluation, tmp_path):
    odd = [
        r"a\b & 50 % of $x_1 {#2} ~ ^", "[1] first in its row", "<0.01 | >0.99", "a--b --- c",
        "Café Zürich ½ θ ≥ −1 ± 2 µ … → ²", "* starred", "'single' \"double\" `back`", "",
    ]  # fmt: skip
    results = [
        pandas.DataFrame({text or "empty": [text, *odd] for text in odd[:3]}),
        *(evaluation.leaderboard(), evaluation.audit(), evaluation.findings()),
        *(evaluation.fit.items, evaluation.fit.respondents),
    ]
    tables = "\n\n".join(ic.exchange.format_table(result, "tex") for result in results)
    head = "\\documentclass{article}\n\\usepackage{booktabs}\n\\begin{document}\n\\tiny\n"
    (tmp_path / "a.tex").write_text(f"{head}{tables}\\end{{document}}", encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "a.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-1500:]
    log = (tmp_path / "a.log").read_text(encoding="utf-8", errors="replace")
    assert "Missing character" not in log


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("<0.01 | >0.99", r"\textless{}0.01 \textbar{} \textgreater{}0.99"),
        ("[1]", "{[}1{]}"),
        ("a--b-c–d", "a-{}-b-c--d"),
        ("θ ≥ −1²", r"$\theta$ $\geq$ $-$1$^2$"),
        ("Zürich", "Zürich"),
    ],
)
def test_latex_prints_each_sign_as_it_is(text, written):
    assert escape_latex(text) == written


def test_long_texts_break_their_lines_in_latex(evaluation):
    text = ic.exchange.format_table(evaluation.findings(), "tex")
    assert text.count("p{5cm}") == 2
    assert "concerned" not in text


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

"""Text for terminals: short where it must be, and never misleading."""

import pytest
from rich.cells import cell_len

from itemcurve.cli.layout.terminal import clean, estimate, is_disturbing, number, output, truncate
from itemcurve.cli.progress import fit_progress


@pytest.mark.parametrize("text", ["a", "abcdefgh", "abcdefghijklmnop" * 5, "数学题目" * 9, ""])
@pytest.mark.parametrize("width", [4, 7, 8, 12, 31])
def test_a_shortened_text_keeps_its_beginning_and_fits(text, width):
    short = truncate(text, width)
    assert cell_len(short) <= width
    if cell_len(text) <= width:
        assert short == text
    else:
        assert short.endswith("…")
        assert text.startswith(short[:-1])


def test_signs_that_move_the_cursor_become_visible():
    assert clean("a\x1b[31m\nb\tc\u202e") == "a�[31m�b�c�"
    assert clean("数学 [red]é") == "数学 [red]é"


@pytest.mark.parametrize("sign", ["\x1b", "\0", "\a", "\x9b", "\r", "\u202e", "\u2028"])
def test_no_console_prints_them_whatever_a_command_forgets(sign, capsys):
    output().print(f"one{sign}name\nsecond line", soft_wrap=True)
    assert capsys.readouterr().out == "one�name\nsecond line\n"
    assert is_disturbing(f"one{sign}name")


def test_names_of_all_languages_are_undisturbing():
    assert not any(map(is_disturbing, ["数学 [red]é", "a\u00a0b", "\u3000", "👩\u200d🔬"]))


def test_numbers_are_written_for_people():
    assert number(1.234) == "1.23"
    assert number(float("nan")) == "–"
    assert number(float("-inf")) == "-∞"
    assert number(123456.0) == "1.23e+05"
    assert estimate(1.0, 0.25) == "1.00 ± 0.25"
    assert estimate(0.25, 0.0) == "0.25"
    assert estimate(0.25, float("nan")) == "0.25"


def test_progress_is_silent_where_nobody_watches(capsys):
    with fit_progress(True) as report:
        assert report is None
    assert capsys.readouterr() == ("", "")


def test_progress_counts_on_when_a_method_searches_anew(monkeypatch, capsys):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    with fit_progress(True) as report:
        report(1, -20.0)
        report(1, -12345.678)
    out, err = capsys.readouterr()
    assert out == ""
    assert "iteration 2, objective -12,345.678" in err

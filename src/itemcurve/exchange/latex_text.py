"""Text and columns as LaTeX prints them, in the fonts that it has without further packages."""

from collections.abc import Sequence

# Signs that LaTeX reads as commands, that its default fonts print as others (<, >, |), or that
# would be read as an option of the end of the row before ([).
_SIGNS = {
    "\\": r"\textbackslash{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "[": "{[}",
    "]": "{]}",
    '"': "''",
    "…": r"\dots{}",
    "–": "--",
    "—": "---",
}
_IN_FORMULAS = {
    **{"→": r"\rightarrow", "←": r"\leftarrow", "×": r"\times", "±": r"\pm", "−": "-"},
    **{"≤": r"\leq", "≥": r"\geq", "≈": r"\approx", "≠": r"\neq", "∞": r"\infty", "·": r"\cdot"},
    **{"²": "^2", "³": "^3", "¹": "^1", "½": r"\frac{1}{2}", "°": r"^\circ", "√": r"\surd"},
    **{"α": r"\alpha", "β": r"\beta", "γ": r"\gamma", "δ": r"\delta", "ε": r"\varepsilon"},
    **{"θ": r"\theta", "κ": r"\kappa", "λ": r"\lambda", "μ": r"\mu", "µ": r"\mu", "π": r"\pi"},
    **{"ρ": r"\rho", "σ": r"\sigma", "τ": r"\tau", "φ": r"\phi", "χ": r"\chi", "ω": r"\omega"},
    **{"Γ": r"\Gamma", "Δ": r"\Delta", "Θ": r"\Theta", "Σ": r"\Sigma", "Ω": r"\Omega"},
}
# A column of longer texts breaks its lines; one of shorter ones is as wide as they are.
_LONG = 40
_WIDTH = "5cm"


def escape_latex(text: str) -> str:
    r"""Give a text as LaTeX prints it.

    Letters with accents stay as they are; of other scripts (Chinese, emoji) XeLaTeX and LuaLaTeX
    know what a suitable font has, pdfLaTeX none.

    Examples
    --------
    >>> escape_latex("skill_1 > 90 %")
    'skill\\_1 \\textgreater{} 90 \\%'
    """
    # Two hyphens would join to a dash.
    parts = text.split("--")
    return "-{}-".join("".join(map(_escape_sign, part)) for part in parts)


def _escape_sign(sign: str) -> str:
    formula = _IN_FORMULAS.get(sign)
    return _SIGNS.get(sign, sign) if formula is None else f"${formula}$"


def latex_column(cells: Sequence[str], is_number: bool) -> str:
    """Give the letter of a column: numbers to the right, long texts in lines of their own.

    Examples
    --------
    >>> latex_column(["0.5", "12"], True), latex_column(["short", ""], False)
    ('r', 'l')
    """
    if is_number:
        return "r"
    return f"p{{{_WIDTH}}}" if max(map(len, cells), default=0) > _LONG else "l"

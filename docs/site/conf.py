"""How `make docs` builds the site: the guides beside this folder, the API from docstrings."""

import inspect
import re
import runpy
import shutil
from importlib import import_module
from pathlib import Path
from typing import Any

import itemcurve
from itemcurve.lazy_names import listed_names

SITE = Path(__file__).parent
DOCS, ROOT = SITE.parent, SITE.parents[1]

project = "itemcurve"
author = "The itemcurve authors"
release = version = itemcurve.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
html_theme = "furo"
html_title = f"itemcurve {version}"
html_copy_source = False
html_show_sphinx = False
templates_path: list[str] = []
exclude_patterns = ["conf.py"]
myst_heading_anchors = 3
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "undoc-members": False}
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True

# The order of guides; those not named here come after them, by name.
ORDER = [
    "start",
    "glossary",
    "notebooks",
    "how_to_choose",
    "ratings",
    "evaluate",
    "audit",
    "confusion",
    "robustness",
    "from_logs",
    "health",
    "dimensions",
    "linking",
    "judges",
    "judge_report",
    "compare_models",
    "release_gate",
    "preferences",
    "adaptive",
    "inspect",
    "service",
    "deployment",
    "exchange",
    "psychometrics",
    "plots_and_report",
    "continuous",
    "estimation",
    "larger_than_memory",
    "devices",
    "scaling",
    "promises",
    "papers",
    "claims",
    "study_data",
    "comparison",
]
PROJECT = ("CHANGELOG", "CONTRIBUTING", "SECURITY")
DEVELOPER = ("principles", "notation", "new_model", "new_method", "new_log_format", "new_analysis")
# Pages of the names at the top level, by the package that defines them.
TITLES = {
    "adaptive": "Tests with few items",
    "analysis": "Analyses",
    "bank": "Item banks",
    "dashboard": "Report",
    "datasets": "Data",
    "estimation": "Fitting and measuring",
    "evaluation": "Evaluating estimators",
    "gates": "Gates",
    "logs": "Logs of evaluation harnesses",
    "models": "Models",
    "pairs": "Votes between two",
    "reports": "Saved runs",
    "responses": "Responses",
}


def gather(source: Path) -> None:
    """Lay out the pages: README as the start, the guides, one API page per part."""
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir(parents=True)
    pages = sorted(path.stem for path in DOCS.glob("*.md"))
    guides = [p for p in ORDER if p in pages] + [p for p in pages if p not in ORDER]
    for page in guides:
        text = (DOCS / f"{page}.md").read_text("utf-8")
        (source / f"{page}.md").write_text(_relinked(text, "../"), "utf-8")
    shutil.copytree(DOCS / "api", source / "api")
    if (DOCS / "pictures").is_dir():
        shutil.copytree(DOCS / "pictures", source / "pictures")
    (source / "developer").mkdir()
    for page in DEVELOPER:
        text = (DOCS / "developer" / f"{page}.md").read_text("utf-8")
        (source / "developer" / f"{page}.md").write_text(_relinked(text, "../../", "../"), "utf-8")
    for name in PROJECT:
        text = (ROOT / f"{name}.md").read_text("utf-8")
        (source / f"{name.lower()}.md").write_text(_relinked(text, ""), "utf-8")
    (source / "notebooks").mkdir()
    notebooks = sorted((DOCS / "notebooks").glob("*.ipynb"))
    write = runpy.run_path(str(SITE / "notebook_pages.py"))["write_notebook_page"]
    gallery = [f"notebooks/{write(path, source / 'notebooks')}" for path in notebooks]
    api = _write_api(source)
    readme = _relinked((ROOT / "README.md").read_text("utf-8"), "")
    (source / "index.md").write_text(
        f"{readme}\n{_tree('Guides', guides)}{_tree('Notebooks', gallery)}{_tree('API', api)}"
        f"{_tree('Project', [name.lower() for name in PROJECT])}"
        f"{_tree('Development', [f'developer/{page}' for page in DEVELOPER])}",
        "utf-8",
    )


def _relinked(text: str, up: str, top: str = "") -> str:
    """Turn links inside the project into links inside the site, or into plain words.

    Parameters
    ----------
    up : from the page to the project's own folder.
    top : from the page to the start of the site.
    """
    text = text.replace(f"({up}docs/", f"({top}")
    text = re.sub(r"\((notebooks/\w+)\.ipynb\)", r"(\1.md)", text)
    for name in PROJECT:
        text = text.replace(f"({up}{name}.md)", f"({top}{name.lower()}.md)")
    return re.sub(rf"\[([^\]]+)\]\({re.escape(up)}(?:benchmarks|README)[^)]*\)", r"\1", text)


def _tree(caption: str, pages: list[str]) -> str:
    listed = "\n".join(pages)
    return f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{listed}\n```\n"


def _write_api(source: Path) -> list[str]:
    parts: dict[str, list[str]] = {}
    groups = []
    for name, module in listed_names("itemcurve").items():
        if module == "itemcurve":
            groups.append(name)
        else:
            parts.setdefault(module.split(".")[1], []).append(name)
    pages = []
    for part in sorted(parts, key=TITLES.__getitem__):
        pages.append(f"api_{part}")
        _write_page(source / f"{pages[-1]}.rst", TITLES[part], "itemcurve", parts[part])
    for group in groups:
        module = f"itemcurve.{group}"
        pages.append(f"api_in_{group}")
        _write_page(source / f"{pages[-1]}.rst", module, module, list(listed_names(module)))
    _write_page(
        source / "api_sklearn.rst", "itemcurve.sklearn", "itemcurve.sklearn", ["ItemResponseModel"]
    )
    return [*pages, "api_sklearn"]


def _write_page(path: Path, title: str, module: str, names: list[str]) -> None:
    """List names of a module under a title, after what the module says of itself."""
    lines = [title, "=" * len(title), ""]
    lines += [f".. automodule:: {module}", "   :no-members:", ""] if title == module else []
    lines += [f".. currentmodule:: {module}", ""]
    for name in sorted(names, key=str.lower):
        kind = "class" if inspect.isclass(getattr(import_module(module), name)) else "function"
        lines += [f".. auto{kind}:: {name}", ""]
    path.write_text("\n".join(lines), "utf-8")


_SECTIONS = ("Parameters", "Attributes")


def translate_docstring(
    app: Any, what: str, name: str, thing: object, options: Any, lines: list[str]
) -> None:
    """Docstrings here speak Markdown and write `name : meaning`; Sphinx expects neither."""
    section, found = "", []
    is_example = False
    for index, line in enumerate(lines):
        following = lines[index + 1] if index + 1 < len(lines) else ""
        if following and set(following) == {"-"}:
            section, is_example = line, False
        entry = re.fullmatch(r"([\w, ]+?) : (.+)", line)
        is_example = line.startswith(">>>") or (is_example and bool(line.strip()))
        if is_example:
            found.append(line)
        elif entry and section in _SECTIONS and not line.startswith(" "):
            found += [entry[1], f"    {_literal(entry[2])}"]
        else:
            found.append(_literal(line))
    lines[:] = found


def _literal(line: str) -> str:
    """Code in single backticks becomes a literal; signs that Sphinx would read are kept."""
    parts = re.split(r"(`[^`]+`)", line)
    return "".join(
        f"`{part}`"
        if part.startswith("`")
        else re.sub(r"([*|])|(?<=\w)(_)(?=\W|$)", r"\\\1\2", part)
        for part in parts
    )


def setup(app: Any) -> None:
    """Translate before napoleon does, whose own priority is 500."""
    app.connect("autodoc-process-docstring", translate_docstring, priority=400)

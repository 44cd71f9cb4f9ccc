"""Measure all sections, or some, and rebuild RESULTS.md."""

import argparse
from importlib import import_module

from benchmarks.report import format_tables, load_rows, save_rows, write_report
from benchmarks.section import Options, Section, show_progress

# In the order of RESULTS.md.
_NAMES = (
    "fitting",
    "sizes",
    "start_up",
    "large",
    "larger_than_memory",
    "accelerator",
    "coverage",
    "sides",
    "ratings",
    "real_matrices",
    "recovery",
    "information",
    "bayes",
    "calibration",
    "first_numbers",
    "label_errors",
    "first_hour",
    "wrong_keys",
    "planted_keys",
    "health",
    "adaptive",
    "adaptive_search",
    "sessions",
    "few_items",
    "few_items_scores",
    "few_items_groups",
    "few_items_sequences",
    "paired",
    "dimensions_held_out",
    "dimensions_recovery",
    "score_tables",
    "item_features",
    "false_alarms",
    "ability_alarms",
    "pairs",
    "pairs_recovery",
    "raters",
    "raters_recovery",
    "raters_found",
    "logs",
    "clusters",
    "decodirt",
    "pages",
    "service.figures",
)
SECTIONS: dict[str, Section] = {
    section.name: section
    for section in (import_module(f"benchmarks.{name}").SECTION for name in _NAMES)
}


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.run", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=SECTIONS, help="measure these sections")
    parser.add_argument("--keep-peers", action="store_true", help="reuse rows of other tools")
    parser.add_argument("--small", action="store_true", help="tiny sizes, nothing is written")
    parser.add_argument("--limit", type=float, default=600.0, help="seconds per tool and size")
    parser.add_argument("--py-irt-python", help="interpreter of an environment with py-irt")
    parser.add_argument("--report", action="store_true", help="only rebuild RESULTS.md")
    given = parser.parse_args()
    options = Options(given.keep_peers, given.small, given.limit, given.py_irt_python)
    names = [] if given.report else given.only or list(SECTIONS)
    for name in names:
        _measure(SECTIONS[name], options)
    if not options.small:
        show_progress(f"wrote benchmarks/{write_report(SECTIONS.values()).name}")


def _measure(section: Section, options: Options) -> None:
    show_progress(f"{section.title} …")
    cached = load_rows(section)
    rows = section.measure(options, cached)
    if not options.small and rows is not cached:
        save_rows(section, rows)
    show_progress(format_tables(section, rows))


if __name__ == "__main__":
    main()

"""Draw the pictures of README and docs: `python docs/make_pictures.py`, from the project's root.

The report is photographed in chromium, where there is one.
"""

import shutil
import tempfile
from pathlib import Path

import matplotlib
import pandas

import itemcurve as ic

matplotlib.use("Agg")
PICTURES = Path(__file__).parent / "pictures"


def draw_exam() -> ic.FitResult:
    """Draw an exam with two wrong keys."""
    drawn = ic.simulate("2pl", respondents=300, items=60, seed=4).responses.array()
    for wrong in (12, 40):
        drawn[:, wrong] = 1 - drawn[:, wrong]
    names = [f"question {number}" for number in range(1, 61)]
    students = [f"student {number}" for number in range(1, 301)]
    fit = ic.fit(ic.Responses.from_array(drawn, students, names), "2pl")
    for name, axes in {
        "item_curves": ic.plots.item_curves(
            fit, ["question 13", "question 7", "question 22", "question 53"]
        ),
        "items": ic.plots.item_map(fit),
        "abilities": ic.plots.abilities(fit, most=14),
        "wright_map": ic.plots.wright_map(fit),
        "residuals": ic.plots.residuals(ic.tables.grouped_residuals(fit, items=12)),
    }.items():
        axes.figure.savefig(PICTURES / f"{name}.png", dpi=90)
    return fit


def draw_scores() -> None:
    """Draw one item with scores between 0 and 1."""
    drawn = ic.simulate("beta3", respondents=80, items=40, seed=2)
    fit = ic.fit(drawn.responses, "beta3", method=ic.Marginal(over="respondents"))
    axes = ic.plots.item_curves(fit, ["item_07"])
    axes.figure.savefig(PICTURES / "score_curve.png", dpi=90)


def draw_adaptive_test() -> None:
    """Draw the trace of a test with 20 items."""
    drawn = ic.simulate("2pl", respondents=200, items=300, seed=1)
    fit = ic.fit(drawn.responses)
    answers = dict(zip(fit.bank.items, drawn.responses.array()[0], strict=True))
    test = ic.AdaptiveTest(fit.bank, stop=ic.stopping.max_items(20), respondent="respondent 1")
    while (item := test.next_item()) is not None:
        test.record(item, answers[item])
    ic.plots.adaptive_trace(test).figure.savefig(PICTURES / "adaptive_trace.png", dpi=90)


def evaluate_tumours(path: Path) -> Path:
    """Evaluate eleven classifiers on a table of which twenty labels are wrong; write the report."""
    import numpy as np
    from sklearn.datasets import load_breast_cancer

    table = load_breast_cancer(as_frame=True)
    labels = table.target_names[table.target]
    wrong = np.random.default_rng(0).choice(len(labels), 20, replace=False)
    labels[wrong] = np.where(labels[wrong] == "benign", "malignant", "benign")
    rows = table.frame.drop(columns="target").assign(diagnosis=labels)
    rows.to_csv(path / "tumours.csv", index=False)
    study = ic.evaluate_table(path / "tumours.csv", "diagnosis", cv=5)
    study.save(path / "run")
    return ic.report(path / "run", path / "tumours.html")


def draw_arena() -> None:
    """Draw the strengths of an arena, one of them new and without a loss."""
    votes = ic.pairs.simulate_votes(respondents=12, votes=5000, order=0.3, seed=3).frame()
    new = votes.head(6).assign(respondent_a="newcomer", winner="a")
    columns = ["respondent_a", "respondent_b", "winner"]
    fit = ic.fit_pairs(pandas.concat([votes, new])[columns], on_failure="ignore")
    ic.plots.strengths(fit).figure.savefig(PICTURES / "strengths.png", dpi=90)


def photograph(fit: ic.FitResult) -> None:
    """Photograph the report."""
    chromium = shutil.which("chromium")
    if chromium is None:
        print("No chromium: the report was not photographed.")
        return
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        page_path = ic.report(
            fit, Path(folder) / "report.html", title="An exam with two wrong keys"
        )
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1180, "height": 1010})
        page.goto(f"{page_path.as_uri()}#/run/run/items")
        page.wait_for_selector("html[data-ready=true]")
        page.wait_for_timeout(600)
        page.screenshot(path=PICTURES / "report_items.png")
        page.set_viewport_size({"width": 1180, "height": 700})
        page.goto(evaluate_tumours(Path(folder)).as_uri())
        page.wait_for_selector("html[data-ready=true]")
        page.screenshot(path=PICTURES / "report_first.png")
        browser.close()


if __name__ == "__main__":
    PICTURES.mkdir(exist_ok=True)
    exam = draw_exam()
    draw_scores()
    draw_adaptive_test()
    draw_arena()
    photograph(exam)

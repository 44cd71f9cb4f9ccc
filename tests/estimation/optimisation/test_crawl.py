"""Small steps in a row: towards a maximum, or along a ridge without end."""

from itemcurve.estimation.optimisation.crawl import Crawl


def _steps_until_told(promises: list[float], objective: float) -> int | None:
    crawl = Crawl()
    for count, promised in enumerate(promises, start=1):
        if crawl.goes_on(0.9 * promised, promised, objective):
            return count
    return None


def test_steps_that_promise_as_little_as_those_before_are_a_crawl() -> None:
    assert _steps_until_told([0.16, 0.12, 0.17] * 20, -2e7) == 20


def test_steps_worth_something_of_the_objective_are_none() -> None:
    assert _steps_until_told([0.16] * 60, -2e3) is None


def test_steps_that_shrink_arrive_somewhere() -> None:
    assert _steps_until_told([0.2 * 0.95**k for k in range(200)], -2e7) is None


def test_a_step_worth_something_begins_the_count_anew() -> None:
    assert _steps_until_told(([0.1] * 15 + [1e3]) * 4, -2e7) is None
    assert _steps_until_told([*[0.1] * 15, 1e3, *[0.1] * 20], -2e7) == 36

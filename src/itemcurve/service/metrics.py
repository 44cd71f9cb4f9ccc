"""Counts and times in the text format of Prometheus."""

from collections import defaultdict
from collections.abc import Callable, Mapping

_BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)


class Metrics:
    """What is counted: requests by route and outcome, how long they took, what is at hand now."""

    def __init__(self) -> None:
        self._requests: dict[tuple[str, str, int], int] = defaultdict(int)
        self._seconds: dict[str, list[float]] = {}
        self._gauges: dict[str, tuple[str, Callable[[], float]]] = {}
        self._counts: dict[str, float] = defaultdict(float)

    def observe(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request."""
        self._requests[method, route, status] += 1
        row = self._seconds.setdefault(f"{method} {route}", [0.0] * (len(_BOUNDS) + 2))
        row[-1] += seconds
        row[-2] += 1
        for place, bound in enumerate(_BOUNDS):
            if seconds <= bound:
                row[place] += 1

    def count(self, name: str, number: float = 1.0) -> None:
        """Count something else."""
        self._counts[name] += number

    def add_gauge(self, name: str, help_text: str, value: Callable[[], float]) -> None:
        """Show a number that is looked up when it is asked for."""
        self._gauges[name] = (help_text, value)

    def text(self) -> str:
        """Write everything."""
        lines = ["# TYPE itemcurve_requests_total counter"]
        for (method, route, status), number in sorted(self._requests.items()):
            labels = _labels({"method": method, "route": route, "status": str(status)})
            lines.append(f"itemcurve_requests_total{labels} {number}")
        lines.append("# TYPE itemcurve_request_seconds histogram")
        for name, row in sorted(self._seconds.items()):
            lines += _histogram(name, row)
        for name, total in sorted(self._counts.items()):
            lines += [
                f"# TYPE itemcurve_{name}_total counter",
                f"itemcurve_{name}_total {total:g}",
            ]
        for name, (help_text, value) in sorted(self._gauges.items()):
            lines += [f"# HELP itemcurve_{name} {help_text}", f"# TYPE itemcurve_{name} gauge"]
            lines.append(f"itemcurve_{name} {value():g}")
        return "\n".join(lines) + "\n"


def _histogram(name: str, row: list[float]) -> list[str]:
    method, _, route = name.partition(" ")
    own = {"method": method, "route": route}
    lines = [
        f"itemcurve_request_seconds_bucket{_labels({**own, 'le': f'{bound:g}'})} {count:g}"
        for bound, count in zip((*_BOUNDS, float("inf")), row[:-1], strict=True)
    ]
    lines = [line.replace('le="inf"', 'le="+Inf"') for line in lines]
    return [
        *lines,
        f"itemcurve_request_seconds_sum{_labels(own)} {row[-1]:.6f}",
        f"itemcurve_request_seconds_count{_labels(own)} {row[-2]:g}",
    ]


def _labels(values: Mapping[str, str]) -> str:
    shown = ",".join(f'{name}="{_escaped(value)}"' for name, value in values.items())
    return "{" + shown + "}"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")

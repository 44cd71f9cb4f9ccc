"""Fits and tests as tables of Weights & Biases."""

from typing import Any

from itemcurve.errors import MissingExtraError, ModelError
from itemcurve.exchange.measured_scores import Source
from itemcurve.exchange.mlflow_runs import metrics_of, tables_of


def log_to_wandb(source: Source, run: Any = None) -> None:
    """Log tables of respondents and items, or of a test's answers, and a summary of the numbers.

    Parameters
    ----------
    run : a run of `wandb.init`; the active one when left out.
    """
    try:
        import wandb
    except ImportError:
        raise MissingExtraError(
            "Tables of Weights & Biases need wandb;",
            "it is not installed.",
            "Run: pip install 'itemcurve[wandb]'.",
        ) from None
    target = wandb.run if run is None else run
    if target is None:
        raise ModelError(
            "Tables are logged to a run;", "none is active.", "Call wandb.init() first."
        )
    tables = {name: wandb.Table(dataframe=table) for name, table in tables_of(source).items()}
    target.log({f"itemcurve/{name}": table for name, table in tables.items()})
    target.summary.update({f"itemcurve/{name}": v for name, v in metrics_of(source).items()})

"""Results for other tools: common schemas, model pages, experiment trackers; banks to share.

What other packages are needed for is imported where it is used.
"""

from typing import TYPE_CHECKING

from itemcurve.lazy_names import attach

if TYPE_CHECKING:
    from itemcurve.exchange.bank_card import BankCard as BankCard
    from itemcurve.exchange.bank_card import describe_bank as describe_bank
    from itemcurve.exchange.every_eval_ever_files import (
        write_every_eval_ever as write_every_eval_ever,
    )
    from itemcurve.exchange.hub_results import write_hub_results as write_hub_results
    from itemcurve.exchange.mlflow_runs import load_from_mlflow as load_from_mlflow
    from itemcurve.exchange.mlflow_runs import log_to_mlflow as log_to_mlflow
    from itemcurve.exchange.model_card import model_card_section as model_card_section
    from itemcurve.exchange.shared_banks import load_bank as load_bank
    from itemcurve.exchange.shared_banks import save_bank as save_bank
    from itemcurve.exchange.table_files import format_table as format_table
    from itemcurve.exchange.table_files import write_table as write_table
    from itemcurve.exchange.wandb_tables import log_to_wandb as log_to_wandb
else:
    __getattr__, __dir__ = attach(__name__)

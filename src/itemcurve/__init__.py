"""itemcurve: measure AI systems the way good exams measure people."""

from typing import TYPE_CHECKING

from itemcurve.lazy_names import attach

if TYPE_CHECKING:
    from itemcurve import exchange as exchange
    from itemcurve import judges as judges
    from itemcurve import metrics as metrics
    from itemcurve import noise as noise
    from itemcurve import paired as paired
    from itemcurve import pairs as pairs
    from itemcurve import plots as plots
    from itemcurve import pools as pools
    from itemcurve import priors as priors
    from itemcurve import robustness as robustness
    from itemcurve import selection as selection
    from itemcurve import stopping as stopping
    from itemcurve import tables as tables
    from itemcurve.adaptive.ability.ability_test import AdaptiveTest as AdaptiveTest
    from itemcurve.adaptive.ability.misfit import measure_misfit as measure_misfit
    from itemcurve.adaptive.prediction.score_prediction import predict_scores as predict_scores
    from itemcurve.adaptive.score.item_choice import choose_items as choose_items
    from itemcurve.adaptive.score.precision_plan import plan_precision as plan_precision
    from itemcurve.adaptive.score.score_test import ScoreTest as ScoreTest
    from itemcurve.adaptive.score.short_form import ShortForm as ShortForm
    from itemcurve.adaptive.score.short_form import make_short_form as make_short_form
    from itemcurve.adaptive.simulation.simulated_tests import simulate_tests as simulate_tests
    from itemcurve.analysis.comparison.respondent_comparison import (
        compare_respondents as compare_respondents,
    )
    from itemcurve.analysis.confusion.confusion_matrix import confusion as confusion
    from itemcurve.analysis.confusion.recommendation import recommend as recommend
    from itemcurve.analysis.findings.all_findings import findings as findings
    from itemcurve.analysis.groups.item_differences import dif as dif
    from itemcurve.analysis.health.benchmark_health import health as health
    from itemcurve.analysis.items.item_audit import audit_items as audit_items
    from itemcurve.analysis.items.item_summary import summarise_items as summarise_items
    from itemcurve.analysis.items.short_benchmark import shorten_benchmark as shorten_benchmark
    from itemcurve.analysis.items.verdicts import item_verdicts as item_verdicts
    from itemcurve.analysis.linking.bank_link import link as link
    from itemcurve.analysis.model_fit.fit_comparison import compare as compare
    from itemcurve.analysis.model_fit.item_fit import item_fit as item_fit
    from itemcurve.analysis.model_fit.local_dependence import local_dependence as local_dependence
    from itemcurve.analysis.model_fit.overall_fit import model_fit as model_fit
    from itemcurve.analysis.respondents.leaderboard import build_leaderboard as build_leaderboard
    from itemcurve.analysis.respondents.person_fit import person_fit as person_fit
    from itemcurve.analysis.respondents.ranking import ranking as ranking
    from itemcurve.bank.ability_estimation import score as score
    from itemcurve.bank.item_bank import Bank as Bank
    from itemcurve.dashboard.frozen_run import report as report
    from itemcurve.datasets.dataset_table import load_dataset_table as load_dataset_table
    from itemcurve.datasets.simulation import simulate as simulate
    from itemcurve.estimation.fit import fit as fit
    from itemcurve.estimation.gamma_link import fit_gamma_by_beta3 as fit_gamma_by_beta3
    from itemcurve.estimation.joint.settings import Joint as Joint
    from itemcurve.estimation.marginal.settings import Marginal as Marginal
    from itemcurve.estimation.mcmc.settings import MCMC as MCMC
    from itemcurve.estimation.result import FitResult as FitResult
    from itemcurve.estimation.status import FitStatus as FitStatus
    from itemcurve.estimation.variational.settings import Variational as Variational
    from itemcurve.evaluation.classifiers import evaluate_classifiers as evaluate_classifiers
    from itemcurve.evaluation.evaluation_result import Evaluation as Evaluation
    from itemcurve.evaluation.grading.own_labels import audit_labels as audit_labels
    from itemcurve.evaluation.grading.own_predictions import from_predictions as from_predictions
    from itemcurve.evaluation.regressors import evaluate_regressors as evaluate_regressors
    from itemcurve.evaluation.saved_evaluation import load_evaluation as load_evaluation
    from itemcurve.evaluation.tables.labelled_table import evaluate_table as evaluate_table
    from itemcurve.gates.release_gate import gate as gate
    from itemcurve.logs.formats.columns import LogColumns as LogColumns
    from itemcurve.logs.log_folder import read_logs as read_logs
    from itemcurve.models.boundary import Boundary as Boundary
    from itemcurve.models.catalogue import get_model as get_model
    from itemcurve.models.registration import register_model as register_model
    from itemcurve.pairs.pair_fitting import fit_pairs as fit_pairs
    from itemcurve.reports.other_runs.any_run import load as load
    from itemcurve.responses.chosen_options import ChosenOptions as ChosenOptions
    from itemcurve.responses.matrix import Responses as Responses
else:
    # Each is loaded when it is first used.
    __getattr__, __dir__ = attach(__name__)

__version__ = "0.2.0.dev0"

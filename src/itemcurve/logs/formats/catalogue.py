"""The readers, in the order in which they are asked: one line each."""

from itemcurve.logs.formats.column_tables import ColumnTable
from itemcurve.logs.formats.contract import Reader
from itemcurve.logs.formats.every_eval_ever import EveryEvalEver
from itemcurve.logs.formats.generic_files import GenericFile
from itemcurve.logs.formats.helm.run_folder import HelmRun
from itemcurve.logs.formats.inspect_ai.archive import InspectArchive
from itemcurve.logs.formats.inspect_ai.document import InspectDocument
from itemcurve.logs.formats.lm_eval.samples import LmEvalSamples
from itemcurve.logs.formats.opencompass import OpenCompassResults
from itemcurve.logs.formats.openml.predictions import OpenMLPredictions
from itemcurve.logs.formats.py_irt import PyIrtLines

# What recognises a file by less comes later; a table of anything comes last.
READERS: tuple[Reader, ...] = (
    LmEvalSamples(),
    InspectArchive(),
    InspectDocument(),
    HelmRun(),
    OpenCompassResults(),
    OpenMLPredictions(),
    EveryEvalEver(),
    PyIrtLines(),
    ColumnTable(),
    GenericFile(),
)

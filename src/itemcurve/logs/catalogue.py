"""The readers, in the order in which they are asked: one line each."""

from itemcurve.logs.column_tables import ColumnTable
from itemcurve.logs.contract import Reader
from itemcurve.logs.every_eval_ever import EveryEvalEver
from itemcurve.logs.generic_files import GenericFile
from itemcurve.logs.helm import HelmRun
from itemcurve.logs.inspect_archive import InspectArchive
from itemcurve.logs.inspect_document import InspectDocument
from itemcurve.logs.lm_eval import LmEvalSamples
from itemcurve.logs.opencompass import OpenCompassResults
from itemcurve.logs.openml import OpenMLPredictions
from itemcurve.logs.py_irt import PyIrtLines

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

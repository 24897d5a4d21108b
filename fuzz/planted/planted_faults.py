"""Realistic faults, each as a pass over TVM that makes just this mistake, and beside it a sound pass of the same kind.

`Fault<Name>` must be reported, `Sound<Name>` must not. Each family of faults is a file beside this one.
"""

import pathlib
import runpy
import sys

FOLDER = pathlib.Path(__file__).parent
sys.path.insert(0, str(FOLDER))
sys.modules.pop("planting", None)  # of another run, which registered its passes elsewhere
for family in sorted(FOLDER.glob("faults_of_*.py")):
    runpy.run_path(str(family))

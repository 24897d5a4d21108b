"""Python imports this at its start, by PYTHONPATH: `passdiff record` puts the recorder into the programs that it runs."""

import os
import sys

_here = os.path.dirname(os.path.abspath(__file__))
if os.environ.get("PASSDIFF_RECORD"):
    import passdiff_recorder

    passdiff_recorder.install_when_tvm_is_imported(os.environ["PASSDIFF_RECORD"])

# The program's own customisation, which this file hides.
sys.path[:] = [folder for folder in sys.path if os.path.abspath(folder or ".") != _here]
_own = sys.modules.pop("sitecustomize", None)
try:
    import sitecustomize  # noqa: F401
except ModuleNotFoundError as error:
    if error.name != "sitecustomize":
        raise
finally:
    if _own is not None:
        sys.modules.setdefault("sitecustomize", _own)

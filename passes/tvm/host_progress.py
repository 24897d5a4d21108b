"""The page of memory in which a worker notes how far it got, and which its supervisor reads once the worker is dead."""

import collections
import ctypes
import mmap
import struct

# The layout of struct Progress in adapter/worker.h.
_LAYOUT = struct.Struct("<qiii")

Progress = collections.namedtuple("Progress", ("request", "pipeline", "pass_index", "writing"))
NOWHERE = Progress(0, -1, -1, 0)


class ProgressPage:
    """Shared by all processes forked after it is made."""

    def __init__(self):
        self._memory = mmap.mmap(-1, mmap.PAGESIZE)
        self.write(NOWHERE)

    def read(self):
        return Progress._make(_LAYOUT.unpack_from(self._memory))

    def write(self, progress):
        _LAYOUT.pack_into(self._memory, 0, *progress)

    def begin(self, request):
        """Notes that the worker is building the source module of this request."""
        self.write(NOWHERE._replace(request=request))

    def address(self):
        return ctypes.addressof(ctypes.c_char.from_buffer(self._memory))

"""The host of TVM: the supervisor of PROTOCOL.md, started by passdiff with the user's own Python.

It imports tvm once, loads the adapter into it, says hello, and keeps a worker alive that serves the requests.
"""

import os

# Kernels must not start threads in the supervisor: they would not survive the fork of a worker, which would then hang.
os.environ["TVM_NUM_THREADS"] = "1"
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import argparse
import gc
import inspect
import socket
import sys

import host_compiler
import host_frames
import host_supervisor


def parse_arguments():
    parser = argparse.ArgumentParser(description="passdiff's host for TVM; see PROTOCOL.md")
    parser.add_argument("--adapter", help="libpassdiff_tvm_adapter.so; by default the one beside the folder of this file")
    parser.add_argument("--plugin", action="append", default=[], help="a Python file that registers passes")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    if "PASSDIFF_SOCKET" not in os.environ:
        sys.exit("host.py is started by passdiff, which names a socket in PASSDIFF_SOCKET")
    connection = socket.socket(fileno=int(os.environ["PASSDIFF_SOCKET"]))
    connection.setblocking(True)
    try:
        versions = host_compiler.load(arguments.adapter)
        import host_passes  # only now: these two import tvm, and look the adapter up
        import host_worker

        passes = host_passes.Passes(arguments.plugin)
        listing = passes.listing()
    except host_compiler.HostError as error:
        connection.sendall(host_frames.encode({"hello": 1, "error": error.code, "message": error.message}))
        sys.exit(1)
    connection.sendall(host_frames.encode({"hello": 1, "subject": "tvm", **versions, "passes": listing}))
    # Reading a script of TensorIR, as LegalizeOps does, looks for its source in every module: done here, no worker does it anew.
    inspect.getmodule(main.__code__)
    # What is imported stays: collections would look at it again and again, and write into pages that workers share with the supervisor.
    gc.collect()
    gc.freeze()
    host_supervisor.supervise(connection, lambda page: host_worker.serve(connection, passes, page))


if __name__ == "__main__":
    main()

"""Keeps a worker alive, and tells the client of each death. The worker has the socket; the supervisor only waits."""

import ctypes
import fcntl
import os
import resource
import select
import signal
import sys

import host_frames
from host_progress import NOWHERE, ProgressPage

PR_SET_PDEATHSIG = 1
MAX_IDLE_DEATHS = 5
STDERR_KEPT = 4096
DEFAULT_MEMORY = 8 << 30
POLLRDHUP = 0x2000


def _limit_memory():
    limit = int(os.environ.get("PASSDIFF_WORKER_MEMORY", DEFAULT_MEMORY))
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    if hard != resource.RLIM_INFINITY:
        limit = min(limit, hard)
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _become_worker(serve, page, printed, supervisor):
    status = 1
    try:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != supervisor:
            os._exit(0)  # the supervisor died before prctl took effect
        os.dup2(printed, 1)
        os.dup2(printed, 2)
        _limit_memory()
        serve(page)
        status = 0
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def _wait(connection, worker):
    """The worker's wait status; kills it and returns None once the client is gone."""
    exited = os.pidfd_open(worker)
    poll = select.poll()
    poll.register(exited, select.POLLIN)
    poll.register(connection.fileno(), POLLRDHUP)
    ready = dict(poll.poll())
    os.close(exited)
    if ready.get(connection.fileno(), 0) & (POLLRDHUP | select.POLLHUP | select.POLLERR):
        os.kill(worker, signal.SIGKILL)
        os.waitpid(worker, 0)
        return None
    return os.waitpid(worker, 0)[1]


def _death(worker, status, progress, printed):
    size = os.fstat(printed).st_size
    text = os.pread(printed, STDERR_KEPT, max(0, size - STDERR_KEPT)).decode("utf-8", "replace")
    frame = {"died": worker, "signal": None, "exit": None, "stderr": text}
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        frame["signal"] = signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"
    else:
        frame["exit"] = os.WEXITSTATUS(status)
    frame["request"], frame["progress"], frame["pass"] = progress.request, progress.pipeline, progress.pass_index
    frame["memory"] = "bad_alloc" in text or "MemoryError" in text
    return frame


def supervise(connection, serve):
    """Runs serve(page) in one worker after the other, until the client is gone or a worker ends well."""
    page = ProgressPage()
    idle_deaths = 0
    while idle_deaths < MAX_IDLE_DEATHS:
        page.write(NOWHERE)
        printed = os.memfd_create("passdiff-worker")
        fcntl.fcntl(printed, fcntl.F_SETFL, os.O_APPEND)
        supervisor = os.getpid()
        worker = os.fork()
        if worker == 0:
            _become_worker(serve, page, printed, supervisor)
        status = _wait(connection, worker)
        progress = page.read()
        if status is None or status == 0:
            return
        if progress.writing:
            sys.exit("the worker died in the middle of a frame")  # the client starts a new host
        idle_deaths = idle_deaths + 1 if progress.request == 0 else 0
        connection.sendall(host_frames.encode(_death(worker, status, progress, printed)))
        os.close(printed)
    sys.exit("workers die before they serve any request")

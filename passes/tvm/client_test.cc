#include "passes/tvm/client.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "core/documents/json.h"
#include "passes/tvm/connection.h"

namespace passdiff {
namespace {

namespace fs = std::filesystem;

// A host that speaks the protocol but has no compiler. The name of a pass says what happens to the worker that runs it.
constexpr std::string_view kFakeHost = R"python(
import ctypes, json, os, signal, socket, struct, sys, time
link = socket.socket(fileno=int(os.environ["PASSDIFF_SOCKET"]))
die_with_parent = ctypes.CDLL(None).prctl
here = os.path.dirname(os.path.abspath(__file__))

def send(header, *parts):
    parts = [json.dumps(header).encode(), *parts]
    link.sendall(struct.pack("<I", len(parts)) + b"".join(struct.pack("<I", len(p)) + p for p in parts))

def take(size):
    data = b""
    while len(data) < size:
        more = link.recv(size - len(data))
        if not more: os._exit(0)
        data += more
    return data

def receive():
    count, = struct.unpack("<I", take(4))
    parts = [take(struct.unpack("<I", take(4))[0]) for _ in range(count)]
    return json.loads(parts[0]), parts[1:]

def once(name):
    path = os.path.join(here, name)
    if os.path.exists(path): return False
    open(path, "w").close()
    return True

def run(name, options):
    if name == "Segfault":
        os.kill(os.getpid(), signal.SIGSEGV)
    if name == "Count":
        with open(os.path.join(here, "runs"), "a") as runs: runs.write("run ")
    if name == "Hang":
        while True: pass
    if name == "Eat":
        kept = bytearray(600 << 20)
        for i in range(0, len(kept), 4096): kept[i] = 1
        time.sleep(60)
    if name == "KilledAgain" and any(once(f"killed-{time}") for time in range(4)):
        os.kill(os.getpid(), signal.SIGKILL)
    if name == "LoseHostOnce" and once("lost"):
        die_with_parent(1, 0)  # outlives it, with the socket open
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(60)
    if name == "LoseHost":
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(60)
    if name == "Refuse":
        return {"ok": False, "error": {"kind": "ValueError", "site": "ValueError@a.cc:f", "message": "no"},
                "pass_index": 0, "pass_seconds": 0.5, "input_mutated": False}
    words = {"Unbind": "Var w is not defined.", "Mistype": "Var w has a type that it should not have.",
             "Misplace": "Expression of type R.Tensor(vdevice=1) cannot be assigned to a variable of type R.Tensor(vdevice=1)",
             "Misassign": "Expression of type R.Tensor(ndim=1) cannot be assigned to a variable of type R.Tensor((2,))"}.get(name)
    if words:
        return {"ok": True, "pass_seconds": 0, "input_mutated": False, "well_formed": False, "complaint": words, "module": 1, "snapshots": []}
    if name == "Echo":
        return {"ok": True, "pass_seconds": 0, "input_mutated": True, "well_formed": True, "module": 1, "snapshots": []}
    return {"ok": True, "pass_seconds": 0, "input_mutated": False, "well_formed": None, "unchanged": True, "snapshots": []}

def serve():
    die_with_parent(1, signal.SIGKILL)
    if os.getppid() != supervisor: os._exit(0)
    send({"ready": os.getpid()})
    while True:
        request, parts = receive()
        results = []
        for i, pipeline in enumerate(request["pipelines"]):
            for j, (name, options) in enumerate(pipeline):
                send({"id": request["id"], "progress": i, "pass": j})
                results.append(run(name, options))
        send({"id": request["id"], "built": True, "results": results}, *parts)

send({"hello": 1, "subject": "tvm", "version": "0.0.fake", "ffi": "0", "python": "3", "passes": []})
supervisor = os.getpid()
while True:
    child = os.fork()
    if child == 0: serve()
    _, status = os.waitpid(child, 0)
    code = signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else None
    printed = 'Segfault encountered\n  File "<unknown>", line 0, in tvm::relax::Broken(tvm::Expr)\n'
    send({"died": child, "signal": code, "exit": None if code else os.WEXITSTATUS(status), "stderr": printed})
)python";

class FakeHost : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("passdiff-fake-host-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
    write_host(kFakeHost);
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write_host(std::string_view script) { std::ofstream(folder_ / "host.py") << script; }
  TvmOptions options() {
    return {.python = "python3", .host_folder = folder_, .pause = [this](std::chrono::milliseconds time) {
              pauses_.push_back(time.count());
            }};
  }
  std::unique_ptr<TvmSubject> start() {
    Result<std::unique_ptr<TvmSubject>> subject = TvmSubject::start(options());
    EXPECT_TRUE(subject.ok()) << (subject.ok() ? "" : subject.error().message);
    return subject.ok() ? std::move(subject).value() : nullptr;
  }

  static void kill_supervisor(const TvmSubject& subject) {
    const pid_t supervisor = subject.connection().supervisor();
    ASSERT_GT(supervisor, 1);
    ::kill(supervisor, SIGKILL);
    siginfo_t ended{};
    ::waitid(P_PID, static_cast<id_t>(supervisor), &ended, WEXITED | WNOWAIT);
  }

  fs::path folder_;
  std::vector<std::int64_t> pauses_;  // in milliseconds
};

Module identity_module() {
  const Result<nlohmann::json> document =
      parse_json(R"({"passdiff": 1, "functions": [{"name": "main", "public": true,
      "symbols": [], "vars": [["x", ["t", [2], "float32"], 0]], "params": [0], "pure": true, "attrs": {},
      "result": ["t", [2], "float32"], "body": [[], 0]}], "vdevices": [], "attrs": {}})");
  return module_from_json(document.value()).value();
}

std::vector<TransformReply> run(TvmSubject& subject, const std::vector<Pipeline>& pipelines,
                                double cpu_seconds = 10) {
  return subject.transform(identity_module(), pipelines, {.cpu_seconds = cpu_seconds});
}

bool unchanged(const TransformReply& reply) {
  const auto* transformed = std::get_if<Transformed>(&reply.result);
  return transformed != nullptr && transformed->unchanged && !transformed->target;
}

TEST_F(FakeHost, AnUnchangedTargetIsNotDecoded) {
  const auto subject = start();
  ASSERT_NE(subject, nullptr);
  EXPECT_EQ(subject->version(), "0.0.fake");
  const std::vector<TransformReply> replies = run(*subject, {{{"Identity"}}, {{"Echo"}}});
  EXPECT_TRUE(unchanged(replies[0]));
  const auto* echoed = std::get_if<Transformed>(&replies[1].result);
  ASSERT_NE(echoed, nullptr);
  ASSERT_TRUE(echoed->target) << echoed->unreadable;
  EXPECT_EQ(echoed->target->functions.at(0).name, "main");
  EXPECT_TRUE(replies[1].input_mutated);
  EXPECT_EQ(replies[1].subject_well_formed, true);
}

TEST_F(FakeHost, WhatTheCheckerSaysOfNamesAndTypesHasOurCode) {
  const auto subject = start();
  ASSERT_NE(subject, nullptr);
  const std::vector<TransformReply> replies = run(*subject, {{{"Unbind"}}, {{"Mistype"}}, {{"Misassign"}}, {{"Misplace"}}});
  EXPECT_EQ(replies[0].subject_complaint, "Var w is not defined.");
  EXPECT_EQ(replies[0].subject_fault, "form.undefined-var");
  EXPECT_EQ(replies[1].subject_fault, "");
  EXPECT_EQ(replies[2].subject_fault, "form.wrong-type");
  EXPECT_EQ(replies[3].subject_fault, "") << "a device that is not listed";
}

TEST_F(FakeHost, ARefusalCarriesItsSite) {
  const auto subject = start();
  ASSERT_NE(subject, nullptr);
  const TransformReply reply = run(*subject, {{{"Refuse"}}})[0];
  const auto* refused = std::get_if<Refused>(&reply.result);
  ASSERT_NE(refused, nullptr);
  EXPECT_EQ(refused->site, "ValueError@a.cc:f");
  EXPECT_EQ(reply.seconds_in_pass, 0.5);
}

TEST_F(FakeHost, OptionsThatAreNoJsonAreRefusedWithoutTheHost) {
  const auto subject = start();
  ASSERT_NE(subject, nullptr);
  const TransformReply reply = run(*subject, {{{"Identity", "{"}}})[0];
  ASSERT_TRUE(std::holds_alternative<Refused>(reply.result));
  EXPECT_EQ(std::get<Refused>(reply.result).kind, "subject.options");
}

TEST_F(FakeHost, ACrashCostsItsOwnPipelineOnly) {
  const auto subject = start();
  ASSERT_NE(subject, nullptr);
  const std::vector<TransformReply> replies =
      run(*subject, {{{"Identity"}}, {{"Segfault"}}, {{"Refuse"}}, {{"Identity"}}});
  EXPECT_TRUE(unchanged(replies[0]));
  const auto* crash = std::get_if<Crash>(&replies[1].result);
  ASSERT_NE(crash, nullptr);
  EXPECT_EQ(crash->signal, "SIGSEGV");
  EXPECT_EQ(crash->site, "tvm::relax::Broken");
  EXPECT_TRUE(std::holds_alternative<Refused>(replies[2].result));
  EXPECT_TRUE(unchanged(replies[3]));
}

// Otherwise all that ran in the worker before it would run again.
TEST_F(FakeHost, APassThatKilledAWorkerRunsAfterTheOthersFromThenOn) {
  const auto subject = start();
  ASSERT_NE(subject, nullptr);
  run(*subject, {{{"Segfault"}}});
  const std::vector<TransformReply> replies = run(*subject, {{{"Count"}}, {{"Segfault"}}, {{"Count"}}, {{"Count"}, {"Segfault"}}});
  EXPECT_TRUE(unchanged(replies[0]));
  EXPECT_TRUE(std::holds_alternative<Crash>(replies[1].result));
  EXPECT_TRUE(unchanged(replies[2]));
  EXPECT_TRUE(std::holds_alternative<Crash>(replies[3].result));
  std::ifstream runs(folder_ / "runs");
  const std::vector<std::string> counted{std::istream_iterator<std::string>(runs), {}};
  EXPECT_EQ(counted.size(), 2 + 2) << "once for each that ends, and for the last one alone once more";
}

TEST_F(FakeHost, AStopEndsAHang) {
  std::atomic<bool> stop = false;
  TvmOptions stoppable = options();
  stoppable.stop = &stop;
  const Result<std::unique_ptr<TvmSubject>> subject = TvmSubject::start(stoppable);
  ASSERT_TRUE(subject.ok());
  EXPECT_TRUE(unchanged(run(**subject, {{{"Identity"}}})[0]));
  std::thread stopping([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    stop = true;
  });
  const auto start = std::chrono::steady_clock::now();
  const std::vector<TransformReply> replies = run(**subject, {{{"Identity"}}, {{"Hang"}}}, 60);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  stopping.join();
  for (const TransformReply& reply : replies) {
    const auto* lost = std::get_if<CannotBuild>(&reply.result);
    ASSERT_NE(lost, nullptr);
    EXPECT_EQ(lost->kind, "subject.lost");
  }
  EXPECT_FALSE(unchanged(run(**subject, {{{"Identity"}}})[0])) << "a subject that was told to stop answers";
  EXPECT_EQ((*subject)->restarts(), 0);
}

TEST_F(FakeHost, AHangEndsAtItsCpuDeadline) {
  const auto subject = start();
  ASSERT_NE(subject, nullptr);
  const std::vector<TransformReply> replies = run(*subject, {{{"Hang"}}, {{"Identity"}}}, 0.2);
  EXPECT_TRUE(std::holds_alternative<Timeout>(replies[0].result));
  EXPECT_TRUE(unchanged(replies[1]));
}

TEST_F(FakeHost, AWorkerThatEatsMemoryIsStopped) {
  TvmOptions limited = options();
  limited.memory_bytes = std::uint64_t{300} << 20;
  Result<std::unique_ptr<TvmSubject>> subject = TvmSubject::start(limited);
  ASSERT_TRUE(subject.ok());
  EXPECT_TRUE(std::holds_alternative<MemoryExceeded>(run(**subject, {{{"Eat"}}})[0].result));
}

TEST_F(FakeHost, AWorkerKilledFromOutsideGetsFurtherTries) {
  const auto subject = start();
  ASSERT_NE(subject, nullptr);
  EXPECT_TRUE(unchanged(run(*subject, {{{"KilledAgain"}}})[0]));
}

TEST_F(FakeHost, ALostHostIsStartedAnewInTheMiddleOfARequest) {
  const auto subject = start();
  ASSERT_NE(subject, nullptr);
  const pid_t before = subject->connection().supervisor();
  const std::vector<TransformReply> replies =
      run(*subject, {{{"Identity"}}, {{"LoseHostOnce"}}, {{"Refuse"}}});
  EXPECT_TRUE(unchanged(replies[0]));
  EXPECT_TRUE(unchanged(replies[1]));
  EXPECT_TRUE(std::holds_alternative<Refused>(replies[2].result));
  EXPECT_NE(subject->connection().supervisor(), before);
}

TEST_F(FakeHost, AHostKilledBetweenRequestsIsNotNoticed) {
  const auto subject = start();
  ASSERT_NE(subject, nullptr);
  for (int i = 0; i < 3; ++i) {
    kill_supervisor(*subject);
    EXPECT_TRUE(unchanged(run(*subject, {{{"Identity"}}})[0]));
  }
}

TEST_F(FakeHost, AHostThatCannotBeStartedAgainIsReported) {
  const auto subject = start();
  ASSERT_NE(subject, nullptr);
  write_host("raise SystemExit('worn out')");
  kill_supervisor(*subject);
  const TransformReply reply = run(*subject, {{{"Identity"}}})[0];
  ASSERT_TRUE(std::holds_alternative<CannotBuild>(reply.result));
  const CannotBuild& lost = std::get<CannotBuild>(reply.result);
  EXPECT_EQ(lost.kind, "subject.lost");
  EXPECT_NE(lost.message.find("worn out"), std::string::npos) << lost.message;
}

TEST_F(FakeHost, AHostThatCouldNotBeStartedIsTriedAgainAfterGrowingPauses) {
  const auto subject = start();
  ASSERT_NE(subject, nullptr);
  write_host("raise SystemExit('worn out')");
  kill_supervisor(*subject);
  for (int i = 0; i < 8; ++i) EXPECT_TRUE(std::holds_alternative<CannotBuild>(run(*subject, {{{"Identity"}}})[0].result));
  // Three starts for the first request, one for each other.
  EXPECT_EQ(pauses_, (std::vector<std::int64_t>{100, 200, 400, 800, 1600, 3200, 6400, 10000, 10000}));
  EXPECT_EQ(subject->restarts(), 0);
  write_host(kFakeHost);
  EXPECT_TRUE(unchanged(run(*subject, {{{"Identity"}}})[0]));
  EXPECT_EQ(subject->restarts(), 1);
}

TEST_F(FakeHost, AHostThatIsKilledWhileItStartsIsStartedAgain) {
  const std::string killed = R"python(
import os, signal
with open(__file__ + ".starts", "a+") as starts:
    starts.write("x")
    starts.flush()
    if starts.tell() < 6: os.kill(os.getpid(), signal.SIGKILL)
)python";
  write_host(killed + std::string(kFakeHost));
  const auto subject = start();
  ASSERT_NE(subject, nullptr);
  EXPECT_EQ(pauses_, (std::vector<std::int64_t>{100, 200, 400, 800, 1600}));
  EXPECT_TRUE(unchanged(run(*subject, {{{"Identity"}}})[0]));
  write_host("import os, signal; os.kill(os.getpid(), signal.SIGKILL)");
  kill_supervisor(*subject);
  EXPECT_TRUE(std::holds_alternative<CannotBuild>(run(*subject, {{{"Identity"}}})[0].result)) << "in the end";
}

TEST_F(FakeHost, ARequestThatKillsTheHostIsGivenUpAndTheNextIsServed) {
  const auto subject = start();
  ASSERT_NE(subject, nullptr);
  for (int i = 0; i < 2; ++i) {
    const TransformReply reply = run(*subject, {{{"LoseHost"}}})[0];
    ASSERT_TRUE(std::holds_alternative<CannotBuild>(reply.result));
    EXPECT_EQ(std::get<CannotBuild>(reply.result).kind, "subject.lost");
  }
  EXPECT_TRUE(unchanged(run(*subject, {{{"Identity"}}})[0]));
  EXPECT_EQ(subject->restarts(), 10);
  EXPECT_EQ(pauses_, (std::vector<std::int64_t>{100, 200, 400, 800, 1600, 3200, 6400, 10000, 10000}));
  pauses_.clear();
  kill_supervisor(*subject);
  EXPECT_TRUE(unchanged(run(*subject, {{{"Identity"}}})[0]));
  EXPECT_TRUE(pauses_.empty());  // a reply came in between
}

TEST_F(FakeHost, AMissingPythonIsNamed) {
  TvmOptions missing = options();
  missing.python = "/nowhere/python";
  const Result<std::unique_ptr<TvmSubject>> subject = TvmSubject::start(missing);
  ASSERT_FALSE(subject.ok());
  EXPECT_EQ(subject.error().code, "subject.no-python");
  EXPECT_NE(subject.error().message.find("/nowhere/python"), std::string::npos);
}

TEST_F(FakeHost, AMissingHostIsNamed) {
  TvmOptions missing = options();
  missing.host_folder = "/nowhere";
  const Result<std::unique_ptr<TvmSubject>> subject = TvmSubject::start(missing);
  ASSERT_FALSE(subject.ok());
  EXPECT_EQ(subject.error().code, "subject.no-host");
}

TEST_F(FakeHost, AnErrorInTheHelloBecomesTheSubjects) {
  write_host(R"(
import os, socket, struct
header = b'{"hello": 1, "error": "host.no-tvm", "message": "no module tvm: pip install apache-tvm"}'
socket.socket(fileno=int(os.environ["PASSDIFF_SOCKET"])).sendall(struct.pack("<II", 1, len(header)) + header)
)");
  const Result<std::unique_ptr<TvmSubject>> subject = TvmSubject::start(options());
  ASSERT_FALSE(subject.ok());
  EXPECT_EQ(subject.error().code, "subject.no-tvm");
  EXPECT_EQ(subject.error().message, "no module tvm: pip install apache-tvm");
}

TEST_F(FakeHost, AHostThatSaysNothingIsGivenUp) {
  write_host("import time; time.sleep(60)");
  TvmOptions hasty = options();
  hasty.start_seconds = 0.2;
  const Result<std::unique_ptr<TvmSubject>> subject = TvmSubject::start(hasty);
  ASSERT_FALSE(subject.ok());
  EXPECT_EQ(subject.error().code, "subject.start-timeout");
}

TEST_F(FakeHost, AHostThatEndsAndPrintsNothingIsToldSo) {
  write_host("import sys; sys.exit(4)");
  EXPECT_EQ(TvmSubject::start(options()).error().message,
            "TVM host: it ended before it said hello: it exited with 4 and printed nothing; give the Python that has tvm with --python");
  write_host("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)");
  EXPECT_EQ(TvmSubject::start(options()).error().message, "TVM host: it ended before it said hello: it died of signal 11 and printed nothing");
}

TEST_F(FakeHost, AHostThatTalksNonsenseIsGivenUp) {
  write_host(R"(
import os, socket
socket.socket(fileno=int(os.environ["PASSDIFF_SOCKET"])).sendall(b"\xff" * 100)
)");
  const Result<std::unique_ptr<TvmSubject>> subject = TvmSubject::start(options());
  ASSERT_FALSE(subject.ok());
  EXPECT_EQ(subject.error().code, "subject.start");
}

TEST(CrashSite, SkipsLibcAndPythonAndCutsParameters) {
  const std::string printed =
      "!!!!!!! Segfault encountered !!!!!!!\n"
      "  File \"./signal/../sysdeps/unix/sysv/linux/x86_64/libc_sigaction.c\", line 0, in "
      "0x00007f24bfaf804f\n"
      "  File \"<unknown>\", line 0, in tvm::ffi::Any::cast<tvm::Var>() const\n"
      "  File \"<unknown>\", line 0, in tvm::relax::(anonymous namespace)::Rewriter::operator()(tvm::Expr "
      "const&)\n"
      "  File \"<unknown>\", line 0, in _PyObject_MakeTpCall\n";
  EXPECT_EQ(crash_site(printed), "tvm::relax::(anonymous namespace)::Rewriter::operator()");
}

TEST(CrashSite, IsEmptyWithoutFrames) {
  EXPECT_EQ(crash_site("terminate called\n"), "");
}

}  // namespace
}  // namespace passdiff

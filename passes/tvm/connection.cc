#include "passes/tvm/connection.h"

#include <algorithm>
#include <csignal>
#include <thread>
#include <utility>

#include "passes/tvm/constants.h"

namespace passdiff {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kTick{50};             // how often the CPU time of a busy worker is read
constexpr milliseconds kWorkerStart{30'000};  // a fork takes milliseconds, but the machine may be overloaded
constexpr double kWallPerCpu = 10;  // wall time allowed per CPU time: a worker that only sleeps must end, too
constexpr int kMaxLosses = 5;       // of the host on one request, which is given up then
constexpr int kMaxStarts = 3;       // tried on one request, unless the host did not start for the one before
constexpr int kMaxKilled = 15;      // of these, when others kill the host before it says hello
constexpr milliseconds kFirstPause{100};  // doubled with each start that no reply has followed
constexpr milliseconds kLongestPause{10'000};

// Watches one worker for one request. CPU time and wall time count from the start of each pipeline.
class Watch {
 public:
  Watch(pid_t worker, const HostLimits& limits) : worker_(worker), limits_(limits) { restart(); }

  void restart() {
    cpu_start_.reset();  // the CPU time is first read at the next tick: most pipelines are over by then
    wall_start_ = Clock::now();
  }
  bool due() const { return Clock::now() - last_tick_ >= kTick; }

  // Why the worker must be killed; nothing if it may go on.
  std::optional<Answer::End> tick() {
    last_tick_ = Clock::now();
    const std::optional<double> cpu = cpu_seconds_of(worker_);
    if (cpu && !cpu_start_) cpu_start_ = cpu;
    const double wall = std::chrono::duration<double>(last_tick_ - wall_start_).count();
    if (cpu && *cpu - *cpu_start_ > limits_.cpu_seconds) return Answer::End::timeout;
    if (wall > limits_.cpu_seconds * kWallPerCpu) return Answer::End::timeout;
    if (limits_.memory_bytes != 0 && resident_bytes_of(worker_) > limits_.memory_bytes)
      return Answer::End::memory;
    return std::nullopt;
  }

 private:
  pid_t worker_;
  HostLimits limits_;
  std::optional<double> cpu_start_;
  Clock::time_point wall_start_;
  Clock::time_point last_tick_ = Clock::now();
};

int integer_or(const nlohmann::json& header, const char* key, int otherwise) {
  const auto found = header.find(key);
  return found != header.end() && found->is_number_integer() ? found->get<int>() : otherwise;
}

// The process id in the header, or 0 if there is none that may be signalled: 0 and negative numbers name groups of processes.
pid_t process_in(const nlohmann::json& header, const char* key) {
  const int pid = integer_or(header, key, 0);
  return pid > 1 ? pid : 0;
}

std::string text_or(const nlohmann::json& header, const char* key, std::string otherwise) {
  const auto found = header.find(key);
  return found != header.end() && found->is_string() ? found->get<std::string>() : std::move(otherwise);
}

}  // namespace

Result<std::unique_ptr<HostConnection>> HostConnection::open(HostCommand command, milliseconds start_deadline,
                                                             Pause pause, const std::atomic<bool>* stop) {
  if (!pause) pause = [](milliseconds time) { std::this_thread::sleep_for(time); };
  std::unique_ptr<HostConnection> connection(
      new HostConnection(std::move(command), start_deadline, std::move(pause), stop));
  if (auto error = connection->start_patiently(1)) return *std::move(error);
  connection->starts_ = 0;
  return connection;
}

// At once, not after a pause: the number of a process that has ended may name another one then.
void HostConnection::drop() {
  host_.reset();
  if (worker_ > 1) ::kill(worker_, SIGKILL);  // it may have outlived its supervisor
  worker_ = 0;
}

std::optional<Error> HostConnection::start() {
  std::unique_ptr<HostProcess> host = TRY(HostProcess::start(command_, start_deadline_));
  const nlohmann::json& hello = host->hello();
  if (hello.contains("error")) {
    std::string code = text_or(hello, "error", "host.start");
    if (code.starts_with("host.")) code.replace(0, 4, "subject");
    return Error{code, text_or(hello, "message", "TVM host: " + code)};
  }
  host_ = std::move(host);
  hello_ = host_->hello();
  return std::nullopt;
}

// The first start since a reply needs no pause: most hosts die of one request.
std::optional<Error> HostConnection::start_after_pause() {
  drop();
  if (starts_ > 0) {
    const int doublings = std::min(starts_ - 1, 10);
    pause_(std::min(kFirstPause * (1 << doublings), kLongestPause));
  }
  ++starts_;
  return start();
}

// Whoever kills a host while it starts says nothing of the next start.
std::optional<Error> HostConnection::start_patiently(int most) {
  std::optional<Error> error;
  for (int failures = 0, killed = 0; failures < most && killed < kMaxKilled;) {
    error = start_after_pause();
    if (!error) break;
    ++(error->code == kHostKilled ? killed : failures);
  }
  return error;
}

std::optional<Error> HostConnection::restart() {
  if (stopped()) return failure_ = Error{"subject.lost", "TVM host: it was told to stop"};
  failure_ = start_patiently(failure_ ? 1 : kMaxStarts);
  if (failure_) return failure_;
  ++restarts_;
  if (++losses_ < kMaxLosses) return std::nullopt;
  losses_ = 0;
  return Error{"subject.lost", "TVM host: it died " + std::to_string(kMaxLosses) + " times on one request"};
}

// Waits for the frame that announces a fresh worker, unless one is ready. False if none comes.
bool HostConnection::await_worker() {
  if (!host_) return false;
  const Clock::time_point until = Clock::now() + kWorkerStart;
  HostFrame frame;
  while (worker_ == 0) {
    const milliseconds left = std::chrono::ceil<milliseconds>(until - Clock::now());
    if (left.count() <= 0 || host_->receive(frame, left) != HostProcess::Event::frame) return false;
    worker_ = process_in(frame.header, "ready");
  }
  return true;
}

// Copies what a `died` frame says. It may name the pipeline and the pass at which the worker died, which the worker need not
// have announced then.
void HostConnection::note_died(const nlohmann::json& header, Answer& answer) {
  worker_ = 0;
  answer.signal = text_or(header, "signal", "");
  if (answer.signal.empty()) answer.signal = "exit " + std::to_string(integer_or(header, "exit", -1));
  answer.printed = text_or(header, "stderr", "");
  const auto request = header.find("request");
  const int pipeline = integer_or(header, "progress", -1);
  if (request != header.end() && *request == last_id_ && pipeline >= 0) {
    answer.progress = Answer::Progress{pipeline, std::max(integer_or(header, "pass", 0), 0)};
  }
  const auto memory = header.find("memory");
  if (memory != header.end() && *memory == true) answer.end = Answer::End::memory;
}

// False if the host does not take it.
bool HostConnection::answer_call(const HostFrame& call) {
  const Result<std::vector<Bytes>> results = evaluate_call(call);
  std::vector<std::span<const std::uint8_t>> bodies;
  if (results) bodies.assign(results->begin(), results->end());
  return host_->send({{"id", last_id_}, {"evaluated", static_cast<bool>(results)}}, bodies, kWorkerStart);
}

Answer HostConnection::ask(nlohmann::json header, std::span<const std::span<const std::uint8_t>> bodies,
                           const HostLimits& limits) {
  Answer answer;
  if (stopped() || !await_worker()) return answer;
  const std::uint64_t id = ++last_id_;
  header["id"] = id;
  if (!host_->send(header, bodies, kWorkerStart)) return answer;
  Watch watch(worker_, limits);
  std::optional<Answer::End> killed;
  Clock::time_point killed_at;
  for (;;) {
    const HostProcess::Event event = host_->receive(answer.frame, kTick);
    if (stopped()) {
      drop();
      return {};
    }
    if (event == HostProcess::Event::closed) return answer;
    if (event == HostProcess::Event::quiet && !host_->alive()) return answer;
    if (event == HostProcess::Event::frame) {
      const nlohmann::json& got = answer.frame.header;
      if (got.contains("ready")) {  // the last worker died idle: its `died` was the frame before this
        worker_ = process_in(got, "ready");
      } else if (got.contains("died")) {
        if (process_in(got, "died") != worker_) continue;
        answer.end = Answer::End::died;
        note_died(got, answer);
        if (killed) answer.end = *killed;
        return answer;
      } else if (const auto of = got.find("id"); of != got.end() && *of == id && !killed) {
        if (got.contains("evaluate")) {
          if (!answer_call(answer.frame)) return answer;
          continue;
        }
        if (!got.contains("progress")) {
          losses_ = 0;
          starts_ = 0;
          answer.end = Answer::End::reply;
          return answer;
        }
        const Answer::Progress now{integer_or(got, "progress", 0), integer_or(got, "pass", 0)};
        if (!answer.progress || answer.progress->pipeline != now.pipeline) watch.restart();
        answer.progress = now;
      }
    }
    if (killed) {
      if (Clock::now() - killed_at > kWorkerStart) return answer;
    } else if (event == HostProcess::Event::quiet || watch.due()) {
      killed = watch.tick();
      killed_at = Clock::now();
      if (killed && worker_ > 1) ::kill(worker_, SIGKILL);
    }
  }
}

namespace {

// The name of a C++ function without its parameters. "(anonymous namespace)" and "operator()" are parts of the name.
std::string function_name(std::string_view symbol) {
  int angles = 0;
  for (std::size_t at = 0; at < symbol.size(); ++at) {
    if (symbol[at] == '<') ++angles;
    if (symbol[at] == '>' && (at == 0 || symbol[at - 1] != '-')) --angles;
    if (symbol[at] != '(' || angles > 0) continue;
    constexpr std::string_view kAnonymous = "(anonymous namespace)";
    if (symbol.substr(at).starts_with(kAnonymous)) {
      at += kAnonymous.size() - 1;
    } else if (symbol.substr(0, at).ends_with("operator")) {
      ++at;
    } else {
      return std::string(symbol.substr(0, at));
    }
  }
  return std::string(symbol);
}

bool belongs_to_compiler(std::string_view file, std::string_view function) {
  return !function.empty() && !function.starts_with("0x") && !function.starts_with("_Py") &&
         !function.starts_with("Py") && function != "_start" &&
         file.find("sysdeps") == std::string_view::npos && file.find("/libc") == std::string_view::npos;
}

}  // namespace

std::string crash_site(const std::string& printed) {
  // TVM prints, innermost first: File "src/a.cc", line 0, in tvm::f(int)
  constexpr std::string_view kFile = "File \"";
  constexpr std::string_view kIn = ", in ";
  std::string_view rest = printed;
  // The frames of an earlier error, which was caught, may come first.
  if (const std::size_t start = rest.rfind("Segfault encountered"); start != std::string_view::npos) {
    rest.remove_prefix(start);
  }
  std::string innermost;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const std::size_t file = line.find(kFile);
    const std::size_t in = line.find(kIn);
    if (file == std::string_view::npos || in == std::string_view::npos || in < file) continue;
    const std::string_view function = line.substr(in + kIn.size());
    if (!belongs_to_compiler(line.substr(file, in - file), function)) continue;
    const std::string name = function_name(function);
    // Frames of TVM's runtime occur in every trace: they are the site only if there are no others.
    if (innermost.empty()) innermost = name;
    if (name.starts_with("tvm::") && !name.starts_with("tvm::ffi::") && !name.starts_with("tvm::runtime::")) {
      return name;
    }
  }
  return innermost;
}

}  // namespace passdiff

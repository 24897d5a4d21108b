#include "passes/tvm/host_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string_view>
#include <thread>

#include <fmt/format.h>

#include "passes/tvm/c_strings.h"

extern char** environ;

namespace passdiff {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t kKeptOutput = 4096;
constexpr milliseconds kExitAfterClose{1000};  // how long a host that has closed its socket may take to end

// Environment variables that the host does not get: they make Python behave otherwise than in a script, or differ from run to
// run. PYTHONPATH and PYTHONHOME stay, since a TVM built from source is usually found by them.
constexpr std::string_view kDroppedVariables[] = {
    "PYTHONINSPECT=",    "PYTHONSTARTUP=",   "PYTHONOPTIMIZE=",       "PYTHONWARNINGS=", "PYTHONHASHSEED=",
    "PYTHONBREAKPOINT=", "TVM_NUM_THREADS=", "OPENBLAS_NUM_THREADS=", "PASSDIFF_SOCKET="};

// Settings of glibc's allocator, unless the user has some: by default it hands freed memory back to the kernel again and again while modules
// are made and dropped, which costs 3 % of a campaign (measured with `bench --passes all`).
constexpr std::array<std::string_view, 3> kAllocatorSettings = {"MALLOC_TRIM_THRESHOLD_=134217728", "MALLOC_TOP_PAD_=16777216",
                                                                "MALLOC_MMAP_THRESHOLD_=33554432"};

void keep_freed_memory(std::vector<std::string>& variables) {
  for (const std::string_view setting : kAllocatorSettings) {
    const std::string_view name = setting.substr(0, setting.find('=') + 1);
    if (std::none_of(variables.begin(), variables.end(), [&](const std::string& text) { return text.starts_with(name); }))
      variables.emplace_back(setting);
  }
}

std::vector<std::string> host_environment(int socket) {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    if (std::none_of(std::begin(kDroppedVariables), std::end(kDroppedVariables),
                     [&](std::string_view name) { return text.starts_with(name); })) {
      variables.emplace_back(text);
    }
  }
  variables.emplace_back("PYTHONHASHSEED=0");
  // Threads would not survive the fork of a worker, and their CPU time would be counted as that of a pass.
  variables.emplace_back("TVM_NUM_THREADS=1");
  variables.emplace_back("OPENBLAS_NUM_THREADS=1");
  keep_freed_memory(variables);
  variables.push_back("PASSDIFF_SOCKET=" + std::to_string(socket));
  return variables;
}

// Two connected file descriptors, closed by the destructor unless they were taken.
struct Pair {
  int parent = -1;
  int child = -1;
  ~Pair() {
    if (parent >= 0) ::close(parent);
    if (child >= 0) ::close(child);
  }
  int take_parent() { return std::exchange(parent, -1); }
};

bool open_socket(Pair& pair) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
  pair.parent = ends[0];
  pair.child = ends[1];
  return ::fcntl(pair.parent, F_SETFL, O_NONBLOCK) == 0;
}

bool open_pipe(Pair& pair, bool nonblocking) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return false;
  pair.parent = ends[0];
  pair.child = ends[1];
  return !nonblocking || ::fcntl(pair.parent, F_SETFL, O_NONBLOCK) == 0;
}

// Runs in the child after fork, and therefore only calls what is safe between fork and exec. Reports through `failure` why exec
// failed.
[[noreturn]] void become_host(const char* file, char* const* argv, char** environment, pid_t parent,
                              int socket, int output, int failure) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);  // the parent died before prctl took effect
  const int null = ::open("/dev/null", O_RDONLY);
  if (null >= 0) ::dup2(null, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  ::fcntl(socket, F_SETFD, 0);
  environ = environment;
  ::execvp(file, argv);
  const int reason = errno;
  [[maybe_unused]] const ssize_t written = ::write(failure, &reason, sizeof reason);
  ::_exit(127);
}

std::string last_line(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  const std::size_t newline = text.rfind('\n');
  return std::string(newline == std::string_view::npos ? text : text.substr(newline + 1));
}

}  // namespace

Result<std::unique_ptr<HostProcess>> HostProcess::start(const HostCommand& command, milliseconds deadline) {
  Pair socket, output, failure;
  if (!open_socket(socket) || !open_pipe(output, true) || !open_pipe(failure, false)) {
    return Error{"subject.start", std::string("TVM host: no socket or pipe: ") + std::strerror(errno)};
  }
  std::vector<std::string> arguments = command.arguments;
  arguments.insert(arguments.begin(), command.python);
  std::vector<std::string> variables = host_environment(socket.child);
  const std::vector<char*> argv = c_strings(arguments);
  std::vector<char*> environment = c_strings(variables);
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) return Error{"subject.start", std::string("TVM host: fork failed: ") + std::strerror(errno)};
  if (pid == 0) {
    become_host(argv[0], argv.data(), environment.data(), parent, socket.child, output.child, failure.child);
  }
  std::unique_ptr<HostProcess> host(new HostProcess(pid, socket.take_parent(), output.take_parent()));
  ::close(std::exchange(socket.child, -1));
  ::close(std::exchange(output.child, -1));
  ::close(std::exchange(failure.child, -1));
  int reason = 0;
  ssize_t got = 0;
  do {
    got = ::read(failure.parent, &reason, sizeof reason);
  } while (got < 0 && errno == EINTR);
  if (got == static_cast<ssize_t>(sizeof reason)) {
    return Error{"subject.no-python", "TVM host: cannot run Python '" + command.python +
                                          "': " + std::strerror(reason) +
                                          "; give the Python that has tvm with --python"};
  }
  TRY_VOID(host->read_hello(deadline));
  return host;
}

HostProcess::~HostProcess() {
  ::close(socket_);
  ::kill(pid_, SIGKILL);  // the supervisor has no state to save, and its worker dies with it
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  ::close(output_);
}

std::optional<Error> HostProcess::read_hello(milliseconds deadline) {
  HostFrame frame;
  switch (receive(frame, deadline)) {
    case Event::frame:
      break;
    case Event::quiet:
      return Error{"subject.start-timeout", "TVM host: no answer within " +
                                                std::to_string(deadline.count() / 1000) + " s of its start"};
    case Event::closed:
      drain_output();
      if (was_killed()) return Error{std::string(kHostKilled), "TVM host: it was killed before it said hello"};
      return Error{"subject.start", "TVM host: it ended before it said hello: " + (last_line(printed_).empty() ? how_it_ended() : last_line(printed_))};
  }
  if (!frame.header.contains("hello")) {
    return Error{"subject.protocol", "TVM host: its first frame is no hello (PROTOCOL.md)"};
  }
  hello_ = std::move(frame.header);
  return std::nullopt;
}

bool HostProcess::alive() const {
  siginfo_t ended{};
  return ::waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         ended.si_pid == 0;
}

siginfo_t HostProcess::end_of_process() const {
  siginfo_t ended{};
  const Clock::time_point until = Clock::now() + kExitAfterClose;
  while (::waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid == 0 &&
         Clock::now() < until) {
    std::this_thread::sleep_for(milliseconds(10));
  }
  return ended;
}

bool HostProcess::was_killed() const {
  const siginfo_t ended = end_of_process();
  return ended.si_pid == pid_ && ended.si_code == CLD_KILLED && ended.si_status == SIGKILL;
}

std::string HostProcess::how_it_ended() const {
  const siginfo_t ended = end_of_process();
  if (ended.si_pid != pid_) return "it closed its socket and printed nothing";
  if (ended.si_code != CLD_EXITED) return fmt::format("it died of signal {} and printed nothing", ended.si_status);
  return fmt::format("it exited with {} and printed nothing; give the Python that has tvm with --python", ended.si_status);
}

void HostProcess::drain_output() {
  std::array<char, 4096> chunk;
  for (;;) {
    const ssize_t got = ::read(output_, chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return;
    printed_.append(chunk.data(), static_cast<std::size_t>(got));
    if (printed_.size() > 2 * kKeptOutput) printed_.erase(0, printed_.size() - kKeptOutput);
  }
}

bool HostProcess::send(const nlohmann::json& header, std::span<const std::span<const std::uint8_t>> bodies,
                       milliseconds patience) {
  FrameWriter writer(header, bodies);
  const Clock::time_point until = Clock::now() + patience;
  for (;;) {
    switch (writer.write(socket_)) {
      case FrameWriter::State::done:
        return true;
      case FrameWriter::State::closed:
        return false;
      case FrameWriter::State::blocked:
        break;
    }
    const milliseconds left = std::chrono::duration_cast<milliseconds>(until - Clock::now());
    if (left.count() <= 0) return false;
    std::array<pollfd, 2> waited = {{{socket_, POLLOUT, 0}, {output_, POLLIN, 0}}};
    ::poll(waited.data(), waited.size(), static_cast<int>(std::min<std::int64_t>(left.count(), 1000)));
    if ((waited[1].revents & POLLIN) != 0) drain_output();
  }
}

HostProcess::Event HostProcess::receive(HostFrame& frame, milliseconds patience) {
  const Clock::time_point until = Clock::now() + patience;
  for (;;) {
    const Result<bool> got = reader_.next(frame);
    if (!got) return Event::closed;
    if (*got) return Event::frame;
    switch (reader_.fill(socket_)) {
      case FrameReader::Fill::some:
        continue;
      case FrameReader::Fill::closed:
        return Event::closed;
      case FrameReader::Fill::none:
        break;
    }
    const milliseconds left = std::chrono::ceil<milliseconds>(until - Clock::now());
    if (left.count() <= 0) return Event::quiet;
    std::array<pollfd, 2> waited = {{{socket_, POLLIN, 0}, {output_, POLLIN, 0}}};
    ::poll(waited.data(), waited.size(), static_cast<int>(std::min<std::int64_t>(left.count(), 60'000)));
    if ((waited[1].revents & POLLIN) != 0) drain_output();
    if ((waited[1].revents & POLLIN) == 0 && (waited[1].revents & POLLHUP) != 0 && waited[0].revents == 0) {
      return Event::closed;  // its output is closed and the socket is silent: the host is gone
    }
  }
}

std::optional<double> cpu_seconds_of(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  if (!std::getline(file, text)) return std::nullopt;
  // The second field is the program's name in parentheses. The name may hold spaces and parentheses itself.
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  unsigned long user = 0;
  unsigned long system = 0;
  if (std::sscanf(text.c_str() + name_end + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user,
                  &system) != 2) {
    return std::nullopt;
  }
  return static_cast<double>(user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

std::uint64_t resident_bytes_of(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/statm");
  std::uint64_t total = 0;
  std::uint64_t resident = 0;
  file >> total >> resident;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace passdiff

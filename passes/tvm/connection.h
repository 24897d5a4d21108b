// A connection to a host: sends requests with deadlines, notices workers that die, and starts the supervisor anew.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/result.h"
#include "passes/tvm/host_process.h"

namespace passdiff {

// How one request ended.
struct Answer {
  enum class End {
    reply,    // `frame` is the reply, until the next request
    died,     // the worker died by itself: `signal` and `printed`
    timeout,  // the client killed the worker, which had passed its deadline
    memory,   // the client killed the worker, which used too much memory
    lost,     // the whole host is gone, or does not follow the protocol
  };
  struct Progress {
    int pipeline = 0;
    int pass = 0;
  };
  End end = End::lost;
  HostFrame frame;
  std::optional<Progress> progress;  // the last one the worker announced
  std::string signal;                // "SIGSEGV", or "exit 1"
  std::string printed;               // the end of the worker's standard error
};

// Whether the worker died of a SIGKILL that we did not send: it may have nothing to do with the request.
inline bool killed_by_others(const Answer& answer) {
  return answer.end == Answer::End::died && answer.signal == "SIGKILL";
}
// After so many of these on one request, or at one pipeline, we take the sender for the kernel, which has run out of memory.
inline constexpr int kMostKills = 4;

struct HostLimits {
  double cpu_seconds = 10;  // CPU time of the worker for each pipeline
  std::uint64_t memory_bytes = 0;
};

class HostConnection {
 public:
  // Waits before the host is started again.
  using Pause = std::function<void(std::chrono::milliseconds)>;

  // Fails as HostProcess::start does, or with what the host's hello complains of: subject.no-tvm,
  // subject.adapter, ... An empty `pause` sleeps. Once `stop` (which may be null) is set, a request that waits ends within a tick, the host is
  // killed, and no further request is made: all of them are `lost`.
  static Result<std::unique_ptr<HostConnection>> open(HostCommand command,
                                                      std::chrono::milliseconds start_deadline,
                                                      Pause pause = nullptr,
                                                      const std::atomic<bool>* stop = nullptr);

  const nlohmann::json& hello() const { return hello_; }
  pid_t supervisor() const { return host_ ? host_->pid() : 0; }

  // Sends one request and waits for its end. The header's "id" is filled in.
  Answer ask(nlohmann::json header, std::span<const std::span<const std::uint8_t>> bodies,
             const HostLimits& limits);
  // Starts the host anew after an answer `lost`, however often that has been: after a pause that grows, to ten
  // seconds, with each start since the last reply. Returns an error if the host does not start (the next call
  // tries again), or if it died several times on one request: it is running then, and the next request may go
  // well. After a stop it is not started.
  std::optional<Error> restart();
  // Why the host could not be started when that was last tried; nothing if it could.
  const std::optional<Error>& failure() const { return failure_; }
  // How often the host was started again.
  std::int64_t restarts() const { return restarts_; }

 private:
  HostConnection(HostCommand command, std::chrono::milliseconds start_deadline, Pause pause, const std::atomic<bool>* stop)
      : command_(std::move(command)), start_deadline_(start_deadline), pause_(std::move(pause)), stop_(stop) {}
  bool stopped() const { return stop_ != nullptr && *stop_; }
  void drop();
  std::optional<Error> start();
  std::optional<Error> start_after_pause();
  // Starts the host until it is there, or could not be started `most` times, or was killed many times while it started.
  std::optional<Error> start_patiently(int most);
  bool await_worker();
  bool answer_call(const HostFrame& call);
  void note_died(const nlohmann::json& header, Answer& answer);

  HostCommand command_;
  std::chrono::milliseconds start_deadline_;
  std::unique_ptr<HostProcess> host_;
  nlohmann::json hello_;
  pid_t worker_ = 0;  // 0: none is ready
  std::uint64_t last_id_ = 0;
  Pause pause_;
  const std::atomic<bool>* stop_;
  int losses_ = 0;  // of the host on the request that is being tried
  int starts_ = 0;  // since the last reply
  std::int64_t restarts_ = 0;
  std::optional<Error> failure_;
};

// The compiler's innermost function in what a dying worker printed; empty if it printed no frames. Without
// addresses, arguments and lines, so that it is the same from run to run.
std::string crash_site(const std::string& printed);

}  // namespace passdiff

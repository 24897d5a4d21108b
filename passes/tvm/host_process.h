// The process of a compiler's host: its start, its socket, its end. Requests and replies are up to the caller.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "passes/tvm/frames.h"

namespace passdiff {

struct HostCommand {
  std::string python;                  // looked up in PATH if it has no slash
  std::vector<std::string> arguments;  // the script first
};

// The code of the error of a host that somebody killed while it started.
inline constexpr std::string_view kHostKilled = "subject.killed";

// A running supervisor. It dies with the thread that started it, and with this object.
class HostProcess {
 public:
  enum class Event { frame, quiet, closed };

  // Starts the host and reads its hello, without judging it. Fails with subject.no-python, subject.start, subject.start-timeout,
  // subject.protocol or kHostKilled.
  static Result<std::unique_ptr<HostProcess>> start(const HostCommand& command,
                                                    std::chrono::milliseconds deadline);
  ~HostProcess();
  HostProcess(const HostProcess&) = delete;
  HostProcess& operator=(const HostProcess&) = delete;

  const nlohmann::json& hello() const { return hello_; }
  pid_t pid() const { return pid_; }
  // False once the supervisor has ended, even if a worker still holds the socket.
  bool alive() const;
  // Writes a whole frame; false if the host is gone or does not read it for `patience`.
  bool send(const nlohmann::json& header, std::span<const std::span<const std::uint8_t>> bodies,
            std::chrono::milliseconds patience);
  // Waits for the next frame, at most for `patience`. `closed`: the host is gone, or what it sent is no frame.
  Event receive(HostFrame& frame, std::chrono::milliseconds patience);
  // The end of what the host printed.
  const std::string& printed() const { return printed_; }

 private:
  HostProcess(pid_t pid, int socket, int output) : pid_(pid), socket_(socket), output_(output) {}
  std::optional<Error> read_hello(std::chrono::milliseconds deadline);
  // How the process ended; its si_pid is 0 if it goes on for longer than a host that has closed its socket may.
  siginfo_t end_of_process() const;
  // Whether it ends, or has ended, by SIGKILL.
  bool was_killed() const;
  // The same in words, of a host that printed nothing.
  std::string how_it_ended() const;
  void drain_output();

  pid_t pid_;
  int socket_;
  int output_;  // the host's standard output and error
  FrameReader reader_;
  nlohmann::json hello_;
  std::string printed_;
};

// User and system time that a process has taken so far, in seconds; nothing if it is gone.
std::optional<double> cpu_seconds_of(pid_t pid);
// The resident memory of a process in bytes; 0 if it is gone.
std::uint64_t resident_bytes_of(pid_t pid);

}  // namespace passdiff

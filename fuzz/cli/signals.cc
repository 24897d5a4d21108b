#include "fuzz/cli/signals.h"

#include <csignal>
#include <cstdint>
#include <ctime>

namespace passdiff {
namespace {

// What comes sooner is the first signal once more: `timeout` sends it to the process and to the group that the process is in.
constexpr std::int64_t kSoonestSecond = 300'000'000;  // nanoseconds

std::atomic<bool> stop = false;
std::atomic<std::int64_t> stopped_at = 0;
static_assert(std::atomic<std::int64_t>::is_always_lock_free, "a handler of signals needs it");

std::int64_t now() {
  std::timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);  // which a handler may call
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

void request_stop(int signal) {
  if (!stop.exchange(true)) {
    stopped_at = now();
  } else if (now() - stopped_at >= kSoonestSecond) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

}  // namespace

void stop_on_signals() {
  std::signal(SIGINT, request_stop);
  std::signal(SIGTERM, request_stop);
}

const std::atomic<bool>& stop_requested() {
  return stop;
}

}  // namespace passdiff

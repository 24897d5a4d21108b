#include "fuzz/cli/signals.h"

#include <csignal>

namespace passdiff {
namespace {

std::atomic<bool> stop = false;

void request_stop(int signal) {
  if (stop.exchange(true)) {
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

// The worker's end of the protocol: it sends frames to the client, and notes its progress in a page that the supervisor reads.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace passdiff {

// The page shared with the supervisor, which reads it when the worker is dead. host_progress.py has the same layout.
struct Progress {
  std::int64_t request = 0;
  std::int32_t pipeline = -1;  // -1: the source is still being built
  std::int32_t pass = -1;
  std::int32_t writing = 0;  // not 0 while a frame is being sent: the socket then holds a part of it
};

class Worker {
 public:
  using Frame = std::vector<std::vector<std::uint8_t>>;  // the header, then the bodies

  void connect(int socket, Progress* page) {
    socket_ = socket;
    if (page != nullptr) page_ = page;
  }
  // Notes where the worker is. Tells the client, too, if nothing was sent for a while, since deadlines count from the start of each
  // pipeline.
  void at(std::int64_t request, std::int32_t pipeline, std::int32_t pass);
  void send(std::span<const std::uint8_t> frame);
  // The next frame from the client. Ends the process if the client is gone; throws for what is no frame.
  Frame receive();

 private:
  using Clock = std::chrono::steady_clock;

  int socket_ = -1;
  Clock::time_point announced_;
  Progress own_page_;
  Progress* page_ = &own_page_;
};

Worker& worker();

// A frame of a header, which is part 0, and bodies.
std::vector<std::uint8_t> make_frame(std::string_view header, std::span<const std::vector<std::uint8_t>> bodies);

}  // namespace passdiff

#include "passes/tvm/adapter/worker.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <string>

#include "passes/tvm/frames.h"

namespace passdiff {
namespace {

// How long the worker may be silent. A frame for every pass would cost the client as much as a quick pass takes, while deadlines are in
// seconds.
constexpr std::chrono::milliseconds kSilence{20};

// The size up to which the kernel sends a frame in one step, which a signal cannot interrupt: it fits the socket's buffer.
constexpr std::size_t kAtOnce = 64 << 10;

void put_u32(std::vector<std::uint8_t>& out, std::size_t value) {
  for (int shift = 0; shift < 32; shift += 8) out.push_back(static_cast<std::uint8_t>(value >> shift));
}

template <class Part>
void put_part(std::vector<std::uint8_t>& out, const Part& part) {
  put_u32(out, part.size());
  out.insert(out.end(), part.begin(), part.end());
}

}  // namespace

std::vector<std::uint8_t> make_frame(std::string_view header, std::span<const std::vector<std::uint8_t>> bodies) {
  std::size_t size = 8 + header.size();
  for (const std::vector<std::uint8_t>& body : bodies) size += 4 + body.size();
  std::vector<std::uint8_t> frame;
  frame.reserve(size);
  put_u32(frame, 1 + bodies.size());
  put_part(frame, header);
  for (const std::vector<std::uint8_t>& body : bodies) put_part(frame, body);
  return frame;
}

void Worker::send(std::span<const std::uint8_t> frame) {
  if (socket_ < 0) return;
  page_->writing = frame.size() > kAtOnce ? 1 : 0;
  while (!frame.empty()) {
    const ssize_t sent = ::send(socket_, frame.data(), frame.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) ::_exit(0);  // the client is gone
    frame = frame.subspan(static_cast<std::size_t>(sent));
  }
  page_->writing = 0;
}

Worker::Frame Worker::receive() {
  const auto read = [&](void* into, std::size_t size) {
    auto* at = static_cast<std::uint8_t*>(into);
    while (size > 0) {
      const ssize_t got = ::recv(socket_, at, size, 0);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) ::_exit(0);
      at += got;
      size -= static_cast<std::size_t>(got);
    }
  };
  const auto read_u32 = [&] {
    std::uint32_t value = 0;
    read(&value, sizeof value);
    return value;
  };
  const std::uint32_t count = read_u32();
  if (count == 0 || count > kMaxFrameParts) throw std::runtime_error("a frame of " + std::to_string(count) + " parts");
  Frame parts(count);
  for (std::vector<std::uint8_t>& part : parts) {
    const std::uint32_t size = read_u32();
    if (size > kMaxFrameBytes) throw std::runtime_error("a part that is too large");
    part.resize(size);
    read(part.data(), part.size());
  }
  return parts;
}

void Worker::at(std::int64_t request, std::int32_t pipeline, std::int32_t pass) {
  page_->request = request;
  page_->pipeline = pipeline;
  page_->pass = pass;
  const Clock::time_point now = Clock::now();
  if (pipeline >= 0 && now - announced_ >= kSilence) {
    send(make_frame("{\"id\":" + std::to_string(request) + ",\"progress\":" + std::to_string(pipeline) +
                        ",\"pass\":" + std::to_string(pass) + "}",
                    {}));
    announced_ = now;
  }
  if (pipeline < 0) announced_ = now;
}

Worker& worker() {
  static Worker instance;
  return instance;
}

}  // namespace passdiff

// Frames of the host protocol (PROTOCOL.md): a JSON header and binary bodies over a stream socket.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "core/result.h"

namespace passdiff {

inline constexpr std::size_t kMaxFrameBytes = std::size_t{256} << 20;
inline constexpr std::uint32_t kMaxFrameParts = 4096;

using Bytes = std::vector<std::uint8_t>;

// A frame as received. The bodies are views into the reader's buffer: they hold until the reader's next call.
struct HostFrame {
  nlohmann::json header;
  std::vector<std::span<const std::uint8_t>> bodies;  // part 1 is bodies[0]

  // The body that the header names by part number; frame.part if there is none.
  Result<std::span<const std::uint8_t>> body(const nlohmann::json& part) const;
};

// Cuts the bytes of a non-blocking socket into frames. What arrives is not trusted.
class FrameReader {
 public:
  enum class Fill { some, none, closed };

  // Takes what the socket has; none if it would block, closed at its end or on an error.
  Fill fill(int fd);
  // The next whole frame, true; or false if more bytes are needed. frame.size and frame.header if it is no
  // frame.
  Result<bool> next(HostFrame& frame);
  void clear();

 private:
  void compact();

  Bytes buffer_;
  std::size_t begin_ = 0;  // of the first frame not yet handed out
  std::size_t end_ = 0;
};

// A frame being written: lengths and bodies are sent from where they stand. Bodies must outlive it.
class FrameWriter {
 public:
  enum class State { done, blocked, closed };

  FrameWriter(const nlohmann::json& header, std::span<const std::span<const std::uint8_t>> bodies);
  FrameWriter(const FrameWriter&) = delete;  // its pieces point into it
  FrameWriter& operator=(const FrameWriter&) = delete;
  // Writes on; blocked if the non-blocking socket takes no more for now.
  State write(int fd);

 private:
  std::string header_;
  std::vector<std::uint32_t> lengths_;
  std::vector<std::span<const std::uint8_t>> pieces_;
  std::size_t piece_ = 0;
  std::size_t offset_ = 0;
};

}  // namespace passdiff

// Frames of the host protocol (PROTOCOL.md): a JSON header and binary bodies over a stream socket.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "core/result.h"

namespace passdiff {

inline constexpr std::size_t kMaxFrameBytes = std::size_t{1} << 30;
inline constexpr std::uint32_t kMaxFrameParts = 4096;

using Bytes = std::vector<std::uint8_t>;

// A frame as received. The bodies are views into the reader's buffer: they hold until the reader's next call.
struct HostFrame {
  nlohmann::json header;
  std::vector<std::span<const std::uint8_t>> bodies;  // bodies[0] is part 1

  // The body that the header names by part number; frame.part if there is none.
  Result<std::span<const std::uint8_t>> body(const nlohmann::json& part) const;
};

// Cuts the bytes of a non-blocking socket into frames. The bytes are not trusted: sizes are checked.
class FrameReader {
 public:
  enum class Fill { some, none, closed };

  // Reads what the socket has; `none` if it has nothing now, `closed` at its end or on an error.
  Fill fill(int fd);
  // True with the next whole frame; false if more bytes are needed. Fails with frame.size or frame.header if the bytes are no
  // frame.
  Result<bool> next(HostFrame& frame);
  void clear();

 private:
  void compact();

  Bytes buffer_;
  std::size_t begin_ = 0;  // where the first frame that next() has not returned begins
  std::size_t end_ = 0;
};

// A frame that is being written, without copying its bodies, which must outlive it.
class FrameWriter {
 public:
  enum class State { done, blocked, closed };

  FrameWriter(const nlohmann::json& header, std::span<const std::span<const std::uint8_t>> bodies);
  FrameWriter(const FrameWriter&) = delete;  // its pieces point into it
  FrameWriter& operator=(const FrameWriter&) = delete;
  // Writes as much as the non-blocking socket takes; `blocked` if that is not all.
  State write(int fd);

 private:
  std::string header_;
  std::vector<std::uint32_t> lengths_;
  std::vector<std::span<const std::uint8_t>> pieces_;
  std::size_t piece_ = 0;
  std::size_t offset_ = 0;
};

}  // namespace passdiff

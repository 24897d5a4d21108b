#include "passes/tvm/frames.h"

#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>

#include "core/documents/json.h"

namespace passdiff {
namespace {

static_assert(std::endian::native == std::endian::little, "lengths are sent as they lie in memory");

constexpr std::size_t kReadBytes = 1 << 16;
constexpr std::size_t kMaxPieces = 64;  // well below IOV_MAX

std::uint32_t read_u32(const std::uint8_t* at) {
  std::uint32_t value = 0;
  std::memcpy(&value, at, sizeof value);
  return value;
}

Error bad_frame(std::string code, std::string what) {
  return {std::move(code), "frame: " + std::move(what)};
}

}  // namespace

Result<std::span<const std::uint8_t>> HostFrame::body(const nlohmann::json& part) const {
  if (!part.is_number_unsigned() || part.get<std::uint64_t>() == 0 ||
      part.get<std::uint64_t>() > bodies.size()) {
    return bad_frame("frame.part",
                     "part " + part.dump() + " of a frame with " + std::to_string(bodies.size()) + " bodies");
  }
  return bodies[part.get<std::size_t>() - 1];
}

void FrameReader::clear() {
  begin_ = end_ = 0;
}

void FrameReader::compact() {
  if (begin_ == 0) return;
  if (end_ > begin_) std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
}

FrameReader::Fill FrameReader::fill(int fd) {
  compact();
  // Grows geometrically, so that a frame of many megabytes is not read in small steps.
  if (buffer_.size() < end_ + kReadBytes) buffer_.resize(std::max(end_ + kReadBytes, buffer_.size() * 2));
  for (;;) {
    const ssize_t got = ::recv(fd, buffer_.data() + end_, buffer_.size() - end_, 0);
    if (got > 0) {
      end_ += static_cast<std::size_t>(got);
      return Fill::some;
    }
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return Fill::none;
    return Fill::closed;
  }
}

Result<bool> FrameReader::next(HostFrame& frame) {
  const std::uint8_t* data = buffer_.data() + begin_;
  const std::size_t size = end_ - begin_;
  if (size < 4) return false;
  const std::uint32_t parts = read_u32(data);
  if (parts == 0 || parts > kMaxFrameParts) return bad_frame("frame.size", std::to_string(parts) + " parts");
  frame.bodies.clear();
  std::size_t at = 4;
  std::string_view header;
  for (std::uint32_t part = 0; part < parts; ++part) {
    if (size - at < 4) return false;
    const std::size_t length = read_u32(data + at);
    at += 4;
    if (length > kMaxFrameBytes - at) return bad_frame("frame.size", "more than 1 GiB");
    if (size - at < length) return false;
    if (part == 0) {
      header = {reinterpret_cast<const char*>(data + at), length};
    } else {
      frame.bodies.emplace_back(data + at, length);
    }
    at += length;
  }
  begin_ += at;
  Result<nlohmann::json> document = parse_json(header);
  if (!document || !document->is_object()) return bad_frame("frame.header", "the header is no JSON object");
  frame.header = std::move(document).value();
  return true;
}

FrameWriter::FrameWriter(const nlohmann::json& header, std::span<const std::span<const std::uint8_t>> bodies)
    : header_(header.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)) {
  const auto bytes_of = [](const std::uint32_t& number) {
    return std::span(reinterpret_cast<const std::uint8_t*>(&number), sizeof number);
  };
  lengths_.reserve(bodies.size() + 2);  // never grows: pieces point into it
  lengths_.push_back(static_cast<std::uint32_t>(bodies.size() + 1));
  pieces_.push_back(bytes_of(lengths_.back()));
  lengths_.push_back(static_cast<std::uint32_t>(header_.size()));
  pieces_.push_back(bytes_of(lengths_.back()));
  pieces_.emplace_back(reinterpret_cast<const std::uint8_t*>(header_.data()), header_.size());
  for (const std::span<const std::uint8_t> body : bodies) {
    lengths_.push_back(static_cast<std::uint32_t>(body.size()));
    pieces_.push_back(bytes_of(lengths_.back()));
    if (!body.empty()) pieces_.push_back(body);
  }
}

FrameWriter::State FrameWriter::write(int fd) {
  while (piece_ < pieces_.size()) {
    std::array<iovec, kMaxPieces> vectors;
    const std::size_t count = std::min(kMaxPieces, pieces_.size() - piece_);
    for (std::size_t i = 0; i < count; ++i) {
      std::span<const std::uint8_t> piece = pieces_[piece_ + i];
      if (i == 0) piece = piece.subspan(offset_);
      vectors[i] = {const_cast<std::uint8_t*>(piece.data()), piece.size()};
    }
    msghdr message{};
    message.msg_iov = vectors.data();
    message.msg_iovlen = count;
    const ssize_t sent = ::sendmsg(fd, &message, MSG_NOSIGNAL);
    if (sent < 0) {
      if (errno == EINTR) continue;
      return errno == EAGAIN || errno == EWOULDBLOCK ? State::blocked : State::closed;
    }
    offset_ += static_cast<std::size_t>(sent);
    while (piece_ < pieces_.size() && offset_ >= pieces_[piece_].size()) offset_ -= pieces_[piece_++].size();
  }
  return State::done;
}

}  // namespace passdiff

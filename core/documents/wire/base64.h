// Base64 (RFC 4648, section 4), padded: how documents hold the bytes of tensors.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace passdiff {

std::string base64_encode(std::span<const std::uint8_t> bytes);
// Fails with json.base64. Each byte string has one encoding only: other padding, and bits that are set beyond the end, are refused.
Result<std::vector<std::uint8_t>> base64_decode(std::string_view text);

}  // namespace passdiff

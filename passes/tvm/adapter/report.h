// Errors as the ERROR of PROTOCOL.md.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "passes/tvm/adapter/ffi.h"

namespace passdiff {

// The object {"kind", "site", "message"}. The site has no line numbers, so that it stays the same when another part of the file changes.
nlohmann::json error_report(const std::string& kind, const std::string& site, std::string_view message);
nlohmann::json error_report(const ffi::Error& error);
// Runs `work`; returns the report of what it threw, or nothing if it did not throw.
std::optional<nlohmann::json> attempt(const std::function<void()>& work);
std::string to_text(const nlohmann::json& document);

}  // namespace passdiff

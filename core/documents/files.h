// Files as a whole, which other programs may read while they are written.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "core/result.h"

namespace passdiff {

// All that stands in a file; empty if it cannot be read.
std::string text_of(const std::filesystem::path& file);
// Writes a file as a whole or not at all, in a folder that is made if there is none. Fails with case.write.
std::optional<Error> write_whole(const std::filesystem::path& file, std::string_view text);
// Makes the folder if there is none. Fails with case.write if no files can be written there.
std::optional<Error> make_writable(const std::filesystem::path& folder);
// Appends a line to a file, which is made if there is none, with its folder. Fails with case.write.
std::optional<Error> append_line(const std::filesystem::path& file, std::string_view line);

}  // namespace passdiff

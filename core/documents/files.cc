#include "core/documents/files.h"

#include <unistd.h>
#include <fstream>
#include <iterator>
#include <system_error>

#include <fmt/format.h>

namespace passdiff {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

std::optional<Error> write_whole(const fs::path& file, std::string_view text) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  // Other processes may write the same file at the same time.
  const fs::path temporary = fmt::format("{}.{}.partial", file.string(), getpid());
  std::ofstream stream(temporary, std::ios::binary);
  stream << text;
  stream.close();
  std::string failure;
  if (stream) {
    fs::rename(temporary, file, error);
    failure = error ? error.message() : "";
  } else {
    failure = "cannot be written";
  }
  if (failure.empty()) return std::nullopt;
  fs::remove(temporary, error);
  return Error{"case.write", fmt::format("{}: {}", file.string(), failure)};
}

std::optional<Error> make_writable(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  // Permissions do not tell all: no file can be made in /sys, by whomever.
  const fs::path probe = folder / fmt::format("{}.partial", getpid());
  const bool made = !error && std::ofstream(probe).is_open();
  fs::remove(probe, error);
  if (!made) return Error{"case.write", folder.string() + ": no files can be written there"};
  return std::nullopt;
}

std::optional<Error> append_line(const fs::path& file, std::string_view line) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  std::ofstream stream(file, std::ios::binary | std::ios::app);
  stream << line << '\n';
  stream.close();
  if (!stream) return Error{"case.write", file.string() + ": cannot be written"};
  return std::nullopt;
}

}  // namespace passdiff

#include "passes/tvm/location.h"

#include <cstdlib>
#include <optional>
#include <system_error>

namespace passdiff {
namespace {

namespace fs = std::filesystem;

fs::path running_binary() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error);
}

// The path `relative` in the folder of the running binary or in a folder above it, if it exists.
std::optional<fs::path> find_above_binary(const fs::path& relative) {
  std::error_code error;
  for (fs::path folder = running_binary().parent_path(); !folder.empty(); folder = folder.parent_path()) {
    if (fs::exists(folder / relative, error)) return folder / relative;
    if (folder == folder.parent_path()) break;
  }
  return std::nullopt;
}

}  // namespace

std::string default_tvm_python() {
  if (const char* chosen = std::getenv("PASSDIFF_PYTHON"); chosen != nullptr && *chosen != '\0')
    return chosen;
  for (const char* place : {"venv/bin/python", "build/venv/bin/python"}) {
    if (const std::optional<fs::path> found = find_above_binary(place)) return found->string();
  }
  return "python3";
}

fs::path default_host_folder() {
  if (const char* chosen = std::getenv("PASSDIFF_HOST_DIR"); chosen != nullptr && *chosen != '\0')
    return chosen;
  for (const char* place : {"tvm_host/host.py", "passes/tvm/host.py"}) {
    if (const std::optional<fs::path> found = find_above_binary(place)) return found->parent_path();
  }
  return "tvm_host";
}

}  // namespace passdiff

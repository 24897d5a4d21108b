#include "fuzz/cli/locations.h"

#include <system_error>

namespace passdiff {

std::filesystem::path default_known_folder() {
  std::error_code error;
  const std::filesystem::path binary = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return {};
  // build/<preset>/passdiff
  std::filesystem::path known = binary.parent_path().parent_path().parent_path() / "corpus" / "known";
  return std::filesystem::is_directory(known, error) ? known : std::filesystem::path();
}

}  // namespace passdiff

// Where the project's own files are, found from the binary.
#pragma once

#include <filesystem>

namespace passdiff {

// corpus/known of the source tree that the binary was built in; empty if there is none.
std::filesystem::path default_known_folder();

}  // namespace passdiff

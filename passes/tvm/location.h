// Where the host and the Python that runs it are found.
#pragma once

#include <filesystem>
#include <string>

namespace passdiff {

// $PASSDIFF_PYTHON; else the project's own venv, in a folder above the running binary; else python3 of PATH.
std::string default_tvm_python();
// $PASSDIFF_HOST_DIR; else tvm_host/ beside the running binary or in a folder above it; else passes/tvm of
// the sources in a folder above it.
std::filesystem::path default_host_folder();

}  // namespace passdiff

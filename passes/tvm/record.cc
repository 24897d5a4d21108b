#include "passes/tvm/record.h"

#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <system_error>

#include "passes/tvm/c_strings.h"
#include "passes/tvm/location.h"

extern char** environ;

namespace passdiff {
namespace {

namespace fs = std::filesystem;

// The environment of this process, in which Python imports the recorder first.
std::vector<std::string> recording_environment(const fs::path& recorder, const fs::path& folder) {
  std::vector<std::string> variables;
  std::string path = "PYTHONPATH=" + recorder.string();
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    if (text.starts_with("PYTHONPATH=")) {
      const std::string_view before = text.substr(text.find('=') + 1);
      if (!before.empty()) path += ":" + std::string(before);  // an empty entry would name the current folder
    } else if (!text.starts_with("PASSDIFF_RECORD=")) {
      variables.emplace_back(text);
    }
  }
  variables.push_back(std::move(path));
  variables.push_back("PASSDIFF_RECORD=" + folder.string());
  return variables;
}

int exit_code_of(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

// Starts the command with the default handling of the signals that this process ignores. Returns 0 or the error's number.
int spawn(std::vector<std::string> command, std::vector<std::string> variables, pid_t& child) {
  const std::vector<char*> argv = c_strings(command);
  const std::vector<char*> environment = c_strings(variables);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t defaults;
  ::sigemptyset(&defaults);
  for (const int signal : {SIGINT, SIGPIPE}) ::sigaddset(&defaults, signal);
  ::posix_spawnattr_setsigdefault(&attributes, &defaults);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  const int error = ::posix_spawnp(&child, argv[0], nullptr, &attributes, argv.data(), environment.data());
  ::posix_spawnattr_destroy(&attributes);
  return error;
}

}  // namespace

Result<int> record_command(const std::vector<std::string>& command, const fs::path& folder) {
  const fs::path recorder = fs::absolute(default_host_folder() / "recorder");
  std::error_code error;
  if (!fs::exists(recorder / "sitecustomize.py", error)) {
    return Error{"record.recorder", recorder.string() +
                                        ": the recorder is not here; build passdiff_tvm_host, or set "
                                        "PASSDIFF_HOST_DIR to the folder passes/tvm of the sources"};
  }
  fs::create_directories(folder, error);
  if (error) return Error{"record.folder", folder.string() + ": cannot be made: " + error.message()};
  pid_t child = 0;
  const auto interrupted = std::signal(SIGINT, SIG_IGN);
  const int failure = spawn(command, recording_environment(recorder, fs::absolute(folder)), child);
  const int code = failure == 0 ? exit_code_of(child) : 0;
  std::signal(SIGINT, interrupted);
  if (failure != 0) return Error{"record.command", command[0] + ": cannot be run: " + std::strerror(failure)};
  return code;
}

}  // namespace passdiff

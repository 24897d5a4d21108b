// Recording: running a Python program so that each application of a TVM pass in it is written as a case folder.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/result.h"

namespace passdiff {

// Runs the command to its end with the recorder (recorder/passdiff_recorder.py) in every Python that it starts, and writes to `folder`,
// which is made if need be. What earlier runs recorded there stays. Returns the exit code of the command: 128 and the signal's number
// if it died of one. An interrupt from the terminal ends the command, not this process. Fails with record.recorder, record.command.
Result<int> record_command(const std::vector<std::string>& command, const std::filesystem::path& folder);

}  // namespace passdiff

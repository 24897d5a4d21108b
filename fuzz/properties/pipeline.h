// Pipelines of one pass, as a campaign draws them.
#pragma once

#include <string_view>

#include "oracle/check.h"

namespace passdiff {

// The pass, behind the passes that it needs, with options drawn for the module; empty if it is not meant for this module.
Pipeline pipeline_of(const Subject& subject, std::string_view pass, const Module& module, Choices& choices);

// Options that make every check on every case, without asking the subject's machine to confirm findings.
CheckOptions every_check();

}  // namespace passdiff

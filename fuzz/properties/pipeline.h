// Pipelines of one pass, as a campaign draws them.
#pragma once

#include <string_view>

#include "oracle/check.h"

namespace passdiff {

// The pass, and before it those that it needs, with options drawn for the module. Nothing if it is meant for
// other modules.
Pipeline pipeline_of(const Subject& subject, std::string_view pass, const Module& module, Choices& choices);

// Every check that needs no second opinion, on every case.
CheckOptions every_check();

}  // namespace passdiff

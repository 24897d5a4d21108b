// Cases of distributed tensors: a function whose values are to be spread over the devices of a mesh, as annotations say.
#pragma once

#include "core/gen/config.h"

namespace passdiff {

// Leaves the ops alone in the configuration through which TVM's PropagateSharding follows the axes of tensors, and the structure that it takes.
void restrict_to_sharding(Config& config);
// Gives the module a mesh, and its function `main` annotations of all its parameters, which every tensor must descend from, and of some values.
// Some contradict each other: how a pass redistributes, or refuses, is to be seen, too.
void annotate_shardings(Choices& choices, Module& module);

}  // namespace passdiff

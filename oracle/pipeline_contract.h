// What a pipeline as a whole promises.
#pragma once

#include <vector>

#include "passes/pass.h"

namespace passdiff {

// The contract of a whole pipeline: each property is that of its weakest pass.
struct PipelineContract {
  Contract joined;
  std::vector<Contract> each;

  // Whether some pass makes its target be called otherwise than its source.
  bool changes_calls() const;
};
PipelineContract contract_of_pipeline(const Subject& subject, const Pipeline& pipeline);

// The worst accuracy that the library functions of the module's ops owe, in ulps of the result; at least 1.
double library_accuracy(const Module& module);

}  // namespace passdiff

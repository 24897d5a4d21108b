// What makes two findings the same: the key that reduction preserves, and the signature that names a bug.
#pragma once

#include <string>

#include "core/ir/module.h"
#include "oracle/verdict.h"

namespace passdiff {

// (check, culprit, symptom, throw site), as one line.
std::string key_of(const Verdict& verdict);

// The ops of the entry function in order of first use, each once: "matmul(2,1) permute_dims". Ranks of the tensor
// operands distinguish what passes forget to check; dims, dtypes and names do not.
std::string op_pattern(const Module& module, std::string_view entry);

// The key and the op pattern of the reduced module.
std::string signature_of(const Verdict& verdict, const Module& reduced, std::string_view entry);

// A folder name made of a signature: the pass, the symptom, a few words of the pattern, a short hash.
std::string slug_of(const Verdict& verdict, const std::string& signature);

}  // namespace passdiff

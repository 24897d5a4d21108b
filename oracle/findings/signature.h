// When two findings are the same: the key, which reduction preserves, and the signature, which names a bug.
#pragma once

#include <string>

#include "core/ir/module.h"
#include "oracle/verdict.h"

namespace passdiff {

// The key (check, culprit, symptom, site), as one line.
std::string key_of(const Verdict& verdict);

// The kinds of operation in the entry function, sorted, each once: "matmul permute_dims". Where there are
// several, elementwise ops count as "unary" and "binary": which of them feeds a pattern is chance.
std::string op_pattern(const Module& module, std::string_view entry);

// The key and the op pattern of the reduced module.
std::string signature_of(const Verdict& verdict, const Module& reduced, std::string_view entry);

// A folder name made of a signature: the pass, the symptom, a few words of the pattern, a short hash.
std::string slug_of(const Verdict& verdict, const std::string& signature);

}  // namespace passdiff

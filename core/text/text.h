// TVMScript, the text of modules: printed for TVM's parser and ours, and read in the subset that the IR has.
#pragma once

#include <string>
#include <string_view>

#include "core/ir/module.h"
#include "core/result.h"

namespace passdiff {

// Symbolic dims are quoted in signatures and declared in the body (`n = T.int64()`), and any value is
// R.Object: what the parsers of 0.25, 0.26 and 0.27 all accept (R.call_packed says ty_args, which 0.25 does
// not know).
std::string print(const Module& module);
// For TVM's parser where it does not read print(module): inferred types with dims such as min(n, 2) are not annotated (TVM
// infers them in another form, does not see that they are equal, and declares a second variable), and tensors without
// elements come from numpy, called np.
std::string print_for_tvm(const Module& module);
// One line, for messages: `R.add(x, lv)`.
std::string print(const ExprPtr& expr);
// True if TVM's parser reads print(module) back as the same module. False, for one, for R.Shape([]) as a
// parameter's type.
bool has_faithful_text(const Module& module);

// Reads what print writes and what TVM's printer writes (0.25 to 0.27), comments and the usual imports
// included: one module class (@I.ir_module), or bare @R.function definitions. Never executes anything.
// Errors: parse.* with line and column, type.* where a call does not type. Input is capped at 4 MiB and
// nesting at 200.
Result<Module> parse_text(std::string_view text);

}  // namespace passdiff

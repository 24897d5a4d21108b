// TVMScript, the text of modules: printed for TVM's parser and ours, and read in the subset that the IR has.
#pragma once

#include <string>
#include <string_view>

#include "core/ir/module.h"
#include "core/result.h"

namespace passdiff {

// What a module's text needs beside the parser: scalar constants of NaN or infinity, for one, have no TVMScript.
std::string print(const Module& module);
std::string print(const Function& function, std::string_view name = "main");
// One line, for messages: `R.add(x, lv)`.
std::string print(const ExprPtr& expr);
// True if TVM's parser reads print(module) back as the same module.
bool has_faithful_text(const Module& module);

// Reads what print writes and what TVM's printer writes (0.25 to 0.27), comments and the usual imports included: one
// module class (@I.ir_module), or bare @R.function definitions. Never executes anything. Errors: parse.* with line and
// column, type.* where a call does not type. Input is capped at 4 MiB and nesting at 200.
Result<Module> parse_text(std::string_view text);

}  // namespace passdiff

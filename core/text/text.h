// Modules as text: TVMScript, printed for TVM's parser and ours, and parsed as far as the IR goes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/ir/module.h"
#include "core/result.h"
#include "core/tensor/tensor_ptr.h"

namespace passdiff {

// The module as TVMScript that the parsers of TVM 0.25, 0.26 and 0.27 all accept, but for the ty_args of
// R.call_packed, which 0.25 does not know, and for calls of intrinsics that TVMScript would fold, which name ops as 0.27 does. Symbolic dims are quoted in signatures and declared in the body, as
// `n = T.int64()`; the type of any value is R.Object, which newer versions call R.Any.
std::string print(const Module& module);
// The module as TVMScript for TVM's parser alone, where it refuses print(module). Inferred types with dims such as
// min(n, 2) are not annotated: TVM infers them in another form, does not see that the two are equal, and declares a
// second variable. Tensors without elements come from numpy, which is called np, and so do packed ones.
std::string print_for_tvm(const Module& module);
// A tensor whose elements are packed as an expression of TVM's Python, which takes no such tensor from numpy: a view of its bytes.
std::string packed_tensor(const Tensor& tensor);
// A line of a text.
struct TextLine {
  int number;        // from 1
  std::string text;  // without margin and end
};
// The line of print(module) at which a statement of a function of TensorIR begins. Statements count from 0, each before those inside of
// it. Nothing if the module has no such function or statement.
std::optional<TextLine> line_of_statement(const Module& module, std::string_view function, int statement);
// One function of TensorIR, with the declarations of its symbolic sizes before it.
std::string print(const GlobalPrimFunc& function);
// An expression in one line, for messages: `R.add(x, lv)`.
std::string print(const ExprPtr& expr);
// The op's name in TVMScript, where it stands after `R.`: "nn.relu" for relax.nn.relu.
std::string_view script_name(const Op& op);
// Does TVM's parser read print(module) back as the same module? It does not, for example, if a parameter has the type
// R.Shape([]).
bool has_faithful_text(const Module& module);

// The module that TVMScript describes, as print writes it or as the printers of TVM 0.25 to 0.27 do: a module class
// (@I.ir_module), or functions (@R.function) alone, with imports and comments. Nothing of the text is executed.
// Fails with parse.* and line and column, or with type.* where a call does not type. Text is limited to 4 MiB,
// nesting to 200.
Result<Module> parse_text(std::string_view text);

}  // namespace passdiff

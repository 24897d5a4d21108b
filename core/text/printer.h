// The parts that make up the printed text. Internal to core/text: others use text.h.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/ir/module.h"

namespace passdiff {

struct OpDef;  // core/ops/op.h
struct Param;  // core/ops/op.h

// Does `holds` hold of the type or, if it is a tuple, of a field at any depth?
template <class Holds>
bool any_field(const Type& type, Holds holds) {
  if (holds(type)) return true;
  const TupleType* tuple = type.as_tuple();
  return tuple != nullptr && std::any_of(tuple->fields.begin(), tuple->fields.end(),
                                         [&](const Type& field) { return any_field(field, holds); });
}
// Is R.Shape([]) the type or a field of it? TVM's parser reads it as a shape of unknown rank.
bool has_empty_shape(const Type& type);

// Names as they are printed: Python identifiers, each given once. One table per global function.
class PrintNames {
 public:
  // The name of a variable or symbolic variable, by its address. It is made from `wanted` when it is first asked for.
  const std::string& of(const void* node, std::string_view wanted);
  bool known(const void* node) const { return names_.contains(node); }

 private:
  std::unordered_map<const void*, std::string> names_;
  std::unordered_set<std::string> used_;
};

// `wanted` with other characters in place of those that identifiers cannot have; never empty, never a name that has a
// meaning of its own in TVMScript (R, T, cls, ...).
std::string to_identifier(std::string_view wanted);
// Is to_identifier(name) the name itself?
bool is_printable_name(std::string_view name);

// In the annotations of parameters and results a symbolic dimension is a string: it is declared only in the body.
enum class DimStyle { plain, quoted };

// Prints types and expressions with what they need to know of the function and the module around them.
struct PrintContext {
  const Module* module = nullptr;  // for the names of vdevices; null if an expression is printed alone
  PrintNames names;
  bool plain_tvm = false;  // as print_for_tvm says
  // Symbolic variables declared so far, by the function being printed and those around it.
  std::unordered_set<const SymVarNode*> declared_symbols;

  std::string dim(const Dim& dim);
  std::string type(const Type& type, DimStyle style = DimStyle::plain);
  std::string expr(const ExprPtr& expr);
  std::string vdevice(int index) const;  // "llvm:1:global": the second virtual device of that target
  std::string var(const Var& var) { return names.of(var.get(), var->name); }

 private:
  std::string dim(const Dim& dim, int precedence);
  std::string shape(const Shape& shape, DimStyle style);
  std::string tensor(const TensorType& type, DimStyle style);
  std::string tuple(const TupleType& type, DimStyle style);
  std::string callable(const FuncType& type, DimStyle style);
  std::string call(const Call& call);
  std::string op_call(const OpDef& op, const Call& call);
  std::optional<std::string> positional(const OpDef& op, std::size_t at, const ExprPtr& value);
  std::string types(const OpDef& op, const std::vector<Type>& declared);
  // With these arguments before those of the call.
  std::string function_call(std::string_view callee, std::vector<std::string> args, const Call& call);
  std::string tuple(const Tuple& tuple);
  std::string operand(const ExprPtr& expr);
  std::string prim(const PrimValue& value);
  std::string attr(const Param& param, const AttrValue& value);
  std::string device(VDeviceRef ref) const;
};

// How TVMScript names one of the module's meshes: "mesh[0]".
std::string mesh_name(int index);

// Literals.
std::string quote(std::string_view text);
std::string tuple_literal(const std::vector<std::string>& fields);  // (a, b), (a,)
std::string float_literal(double value, DType dtype);  // reads back as the same value of the dtype
std::string attr_literal(const AttrValue& value);      // of a function's or module's attributes
std::string dict_literal(const NamedAttrs& attrs);     // {"a": 1}
// R.const([[1, 2]], "int64"). What nested lists cannot say (has_list_form) is an array of numpy for `plain_tvm`,
// else a list with the shape as a third argument.
std::string constant_literal(const Tensor& tensor, bool plain_tvm = false);
// Do nested lists show the shape? Not if an axis of size 0 stands before another one.
bool has_list_form(const Tensor& tensor);
// [[1, 2]], or the one element of a tensor of rank 0.
std::string list_literal(const Tensor& tensor);

}  // namespace passdiff

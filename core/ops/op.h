// OpDef: everything that passdiff knows about one op, in one row of the op table.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/ir/expr.h"
#include "core/result.h"
#include "core/tensor/undefined.h"

namespace passdiff {

class Choices;       // core/choices/choices.h
class Scope;         // core/ops/scope.h
struct Value;        // core/tensor/value.h
struct EvalContext;  // core/tensor/value.h

// What a parameter takes. The first group are operands (Call::args), the second attributes (Call::attrs).
enum class ParamKind : std::uint8_t {
  tensor,     // any tensor expression
  tensors,    // a tuple of tensors
  fill,       // a tensor of rank 0, for which text may write a number (R.full's fill_value)
  shape,      // a ShapeExpr or a variable of ShapeType
  new_shape,  // the same, where TVM's builder reads a size of 0 as that of the operand's axis (R.reshape)
  prim,       // a PrimValue
  prims,      // a tuple of PrimValues
  callee,     // what the call calls: a function of the host, of the module, or a closure; text: "name", cls.f, f
  format,     // a StringImm, in text the keyword `format` after all operands
  values,     // any number of operands of any kind; the last operand
  attr_bool,
  attr_int,
  attr_float,
  attr_number,  // a bool, an integer or a float, of the dtype that the op says (R.layout_transform's pad_value)
  attr_ints,    // list of integers
  attr_floats,  // list of floats, some or all of which may be held as integers
  attr_string,
  attr_dtype,
  attr_vdevice,
  attr_device,  // a runtime device, named by the module's vdevice on it (R.hint_on_device); TVMScript: R.device(...)
  attr_mesh,
  attr_int_or_ints,  // split's indices_or_sections
  attr_index_map,    // R.layout_transform's index_map; TVMScript: T.index_map(lambda i, j: (j, i))
  attr_map,          // R.call_tir_with_grad's te_grad_kwargs: a dict
};
constexpr bool is_operand(ParamKind kind) {
  return kind <= ParamKind::values;
}

// One parameter, in the order of TVM's Python function.
struct Param {
  std::string_view name;  // TVM's name, of the Python parameter and of the field of the attrs object
  ParamKind kind;
  bool optional = false;                                  // None is allowed (operands: may be left out)
  std::optional<AttrValue> default_value = std::nullopt;  // attributes only; without one it must be given
  std::vector<std::string_view> words = {};               // the strings that an attr_string takes; empty: any
  bool in_text = true;  // false: TVM's class has such a field, its Python function no such parameter
};

// A call that a generation rule proposes: operands and attributes in table order.
struct CallDraft {
  std::vector<ExprPtr> args;
  Attrs attrs;

  CallDraft(std::vector<ExprPtr> operands, Attrs attributes = {})
      : args(std::move(operands)), attrs(std::move(attributes)) {}
  template <class S>
    requires requires { S::fields(); }
  CallDraft(std::vector<ExprPtr> operands, const S& attributes);  // core/ops/attributes.h
};

struct OpDef : Op {
  std::vector<Param> params;  // operands and attributes; operands come first
  // Element i of the result depends on element i of the (broadcast) operands alone.
  bool elementwise = false;
  // Only passes make calls of it: it has no generation rule.
  bool pass_made = false;
  // How often it is generated, relative to other ops: more for those that most rewrites match.
  unsigned weight = 1;
  // One case in so many may call it: 1, or more where the compiler's passes take long over its kernel.
  unsigned one_in = 1;
  std::span<const UndefinedRule> undefined;  // the rules it can break, and no other
  // Each element of a float result is a sum of products of elements of the operands, at most one of each, which TVM adds up in
  // the result's dtype: errors are bounded by the number of the products and the sum of their magnitudes.
  bool multilinear = false;
  // Accuracy that TVM's implementation owes, in ulps of the result dtype; 0: correctly rounded. Source in the row's file.
  double ulps = 0;
  // TVM's class of the attributes ("relax.attrs.MatmulAttrs"), for ops that do not tell TVM's reflection theirs.
  std::string_view attrs_class = {};
  // The text's keyword for the types that a call declares of its result ("ty_args"); empty: calls may declare one, of which the virtual device
  // alone counts.
  std::string_view type_args = {};

  // The attributes as TVM's builder function completes them (one stride for all axes, a layout that is another's default); null if
  // it leaves them alone. make_call calls it: attributes of calls are complete.
  Attrs (*complete)(const Attrs& attrs) = nullptr;
  // Result type from the operands' types (the expressions themselves are at hand where shapes and scalars matter).
  // Operands are well-formed expressions with types; fails with type.* codes.
  Result<Type> (*infer)(std::span<const ExprPtr> args, const Attrs& attrs);
  // The same for ops whose calls declare types; `infer` is null then.
  Result<Type> (*infer_declared)(std::span<const ExprPtr> args, const std::vector<Type>& type_args) = nullptr;
  // The result. Operands have the inferred types. Symbolic dims never occur in values; only the dtype of `result` is
  // used. Reports undefined behaviour to context.log and then returns any value. Null for ops that are no function of their
  // operands: the interpreter performs those that it knows (core/eval/host_ops.cc), the others have no meaning here.
  Value (*eval)(std::span<const Value> args, const Attrs& attrs, const Type& result, EvalContext& context);
  // A call of this op on what is in scope; nothing if the scope has nothing suitable.
  std::optional<CallDraft> (*generate)(Choices& choices, Scope& scope);

  std::size_t operand_count() const;  // leading operand parameters
  std::span<const Param> operands() const { return std::span(params).first(operand_count()); }
  std::span<const Param> attributes() const { return std::span(params).subspan(operand_count()); }
};

// The rows of the files in core/ops/table, joined by the build (cmake/rows.cmake).
std::vector<OpDef> joined_ops();
// All ops, sorted by name.
std::span<const OpDef> all_ops();
const OpDef* find_op(std::string_view name);  // "relax.take", or null
// The op that is called; null if something else is, or the expression is no call. Every Op is an OpDef.
const OpDef* called_op(const Call& call);
const OpDef* called_op(const ExprPtr& expr);
// Does an attribute's value have the kind that its parameter asks for? None fits optional parameters; operands take none.
bool takes(const Param& param, const AttrValue& value);
// The attributes of a call that gives none but the defaults; CHECKs that all have one.
Attrs default_attrs(const OpDef& op);

// The type of a call; fails as infer does, with type.arity, or with type.attribute (an attribute of the wrong kind).
Result<Type> infer_call(const OpDef& op, std::span<const ExprPtr> args, const Attrs& attrs,
                        const std::vector<Type>& type_args = {});
// The call as a typed expression, its attributes completed; fails as infer_call does.
Result<ExprPtr> make_call(const OpDef& op, std::vector<ExprPtr> args, Attrs attrs, std::vector<Type> type_args = {});

}  // namespace passdiff

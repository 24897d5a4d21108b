// Shared by the steps of reduction: the parts of the entry function, the values of its variables, what is
// used.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/documents/case.h"
#include "core/form/rebuild.h"
#include "core/ir/queries.h"

namespace passdiff {

using VarValues = std::unordered_map<const VarNode*, Value>;

const GlobalFunction& entry_of(const TestCase& test);
std::size_t count_params(const TestCase& test);  // of the entry function
inline std::size_t count_one(const TestCase&) {  // for a step that can be taken in one way
  return 1;
}
std::size_t count_functions(const TestCase& test);  // of Relax
// Bindings of the entry function outside branches and inner functions, in order.
std::vector<const Binding*> top_bindings(const TestCase& test);

// A binding of the module, and the global function that it is in.
struct BindingSite {
  const GlobalFunction* function;
  const Binding* binding;
  bool nested;  // inside a branch or a local function
};
// All bindings of the module in the order in which they stand, each before those inside its value.
std::vector<BindingSite> all_bindings(const TestCase& test);
std::size_t count_bindings_of_all(const TestCase& test);
// The values of the entry function's variables on the case's arguments; nothing if the execution does not
// return.
std::optional<VarValues> trace(const TestCase& test);

// One block of all bindings of a sequence.
Block one_block(const SeqExpr& seq, bool dataflow);
// Is the variable used anywhere in the function?
bool is_used(const GlobalFunction& function, const VarNode* var);

// Removes the functions that the entry does not reach.
void drop_unreachable(TestCase& test);

// The case with its module edited; nothing if the edited module does not type.
std::optional<TestCase> rebuilt(const TestCase& test, const Edits& edits);
// A constant of zeros of this type; nothing if it is not the type of a tensor of static shape.
std::optional<ExprPtr> zeros_of(const Type& type);
// The case with `function` as its entry function, and all else as it is.
TestCase with_entry(const TestCase& test, Function function);
// The case with one more parameter of the entry function, whose argument is `value`: a weight, or the last
// input.
TestCase with_parameter(const TestCase& test, const Var& param, Value value, bool weight);
// The `num_input` of a function, or the number of its parameters.
std::int64_t inputs_of(const Function& function);
// The variables of the entry function, parameters among them, that depend on its inputs and not on its
// weights alone.
VarSet input_dependent(const TestCase& test);
// The most exact type that a value has; nothing for functions.
std::optional<Type> static_type_of(const Value& value);

using SymbolValues = std::unordered_map<const SymVarNode*, std::int64_t>;
// The values that the case's arguments give to the symbolic dims of the entry function's parameters.
SymbolValues symbol_values(const TestCase& test);
// The sizes of a shape; nothing if they are not known, or negative.
std::optional<std::vector<std::int64_t>> sizes_of(const Shape& shape, const SymbolValues& symbols);
// A value of the type whose elements are all zero; nothing if there is none or its sizes are not known.
std::optional<Value> zero_value(const Type& type, const SymbolValues& symbols);
// The value with every tensor in it mapped.
Value map_tensors(const Value& value, const std::function<TensorPtr(const TensorPtr&)>& map);

// A tensor whose elements are element(index), a double that must be representable in the dtype.
TensorPtr filled(DType dtype, const std::vector<std::int64_t>& shape,
                 const std::function<double(std::size_t)>& element);

}  // namespace passdiff

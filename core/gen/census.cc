#include "core/gen/census.h"

#include "core/ir/walk.h"
#include "core/ops/op.h"
#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

std::string rank_name(std::size_t rank) {
  return "rank " + std::to_string(rank);
}

void merge(Census::Counts& into, const Census::Counts& counts) {
  for (const auto& [name, count] : counts) into[name] += count;
}

}  // namespace

void Census::add(const TestCase& test) {
  std::size_t with_num_input = 0;
  for (const GlobalFunction& global : test.module.functions) {
    note(!global.is_public, "private function");
    note(!global.is_public && !global.function->attrs.empty(), "attribute of a private function");
    note(global.is_public && global.name != test.entry, "second public function");
    if (global.function->attrs.contains("num_input")) ++with_num_input;
    add_function(*global.function);
  }
  note(with_num_input > 1, "two functions with num_input");
  note(with_num_input == 0, "no num_input");
  note(!test.module.vdevices.empty(), "vdevices");
  note(!test.module.attrs.empty(), "module attributes");
  for (const Value& argument : test.arguments) add_argument(argument);
}

void Census::add(const Census& other) {
  merge(ops_, other.ops_);
  merge(dtypes_, other.dtypes_);
  merge(ranks_, other.ranks_);
  merge(features_, other.features_);
}

std::int64_t Census::count(const std::string& name) const {
  for (const Counts* counts : {&ops_, &dtypes_, &ranks_, &features_}) {
    const auto found = counts->find(name);
    if (found != counts->end()) return found->second;
  }
  return 0;
}

void Census::add_type(const Type& type) {
  const TensorType* tensor = type.as_tensor();
  if (tensor == nullptr) return;
  if (tensor->rank != kUnknownRank) ++ranks_[rank_name(static_cast<std::size_t>(tensor->rank))];
  if (tensor->dtype) ++dtypes_[std::string(dtype_name(*tensor->dtype))];
}

void Census::add_argument(const Value& argument) {
  const TensorPtr* tensor = argument.as_tensor();
  if (tensor == nullptr) return;
  note((*tensor)->size() == 0, "empty argument");
  ++ranks_[rank_name((*tensor)->rank())];
  ++dtypes_[std::string(dtype_name((*tensor)->dtype))];
}

void Census::add_function(const Function& function) {
  params_.clear();
  used_.clear();
  for (const Var& param : function.params) {
    note(has_symbolic_dims(param->type), "symbolic parameter");
    note(param->type.as_tuple() != nullptr, "tuple parameter");
    note(param->type.as_shape() != nullptr, "shape parameter");
    const TensorType* tensor = param->type.as_tensor();
    note(tensor != nullptr && tensor->vdevice.has_value(), "parameter on a vdevice");
    params_.insert(param.get());
  }
  add_body(function.body);
  add_result(function.body.result);
  for (const Var& param : function.params) note(!used_.contains(param.get()), "unused parameter");
}

void Census::add_result(const ExprPtr& result) {
  const Tuple* tuple = as<Tuple>(result);
  note(tuple != nullptr, "tuple returned");
  note(as<Var>(result) != nullptr && params_.contains(as<Var>(result)->get()), "bare parameter returned");
  if (tuple == nullptr) return;
  std::set<const VarNode*> seen;
  for (const ExprPtr& field : tuple->fields) {
    note(as<Constant>(field) != nullptr, "constant returned");
    note(as<Tuple>(field) != nullptr, "nested tuple returned");
    const Var* var = as<Var>(field);
    if (var == nullptr) continue;
    note(params_.contains(var->get()), "parameter returned in a tuple");
    note(!seen.insert(var->get()).second, "the same variable returned twice");
    note(used_.contains(var->get()), "value used and returned");
  }
}

void Census::add_body(const SeqExpr& body) {
  note(body.blocks.size() > 1, "several blocks");
  for_each_binding(body, [this](const Binding& binding, const Block& block) {
    note(block.dataflow, "dataflow block");
    note(!block.dataflow, "plain block");
    note(block.dataflow && binding.var->dataflow, "dataflow variable");
    add_binding(binding);
    for_each_expr<Enter::none>(binding.value, [this](const ExprPtr& expr) {
      if (const Var* var = as<Var>(expr)) used_.insert(var->get());
    });
  });
}

void Census::add_binding(const Binding& binding) {
  const ExprPtr& value = binding.value;
  const TensorType* type = binding.var->type.as_tensor();
  add_type(binding.var->type);
  note(type != nullptr && !type->shape.has_value(), "unknown shape");
  note(binding.match_cast.has_value(), "match_cast");
  note(as<Var>(value) != nullptr && !binding.match_cast, "alias");
  note(as<Constant>(value) != nullptr, "bound constant");
  note(as<Tuple>(value) != nullptr, "tuple made");
  note(as<TupleGetItem>(value) != nullptr, "tuple indexed");
  note(as<If>(value) != nullptr, "if");
  note(as<FunctionPtr>(value) != nullptr, "local function");
  if (const Call* call = as<Call>(value)) add_call(*call);
}

void Census::add_call(const Call& call) {
  note(std::holds_alternative<GlobalRef>(call.callee), "call of a function");
  note(std::holds_alternative<ExprPtr>(call.callee), "call of a local function");
  const OpDef* op = called_op(call);
  if (op == nullptr) return;
  ++ops_[std::string(op->name)];
  bool all_constant = !call.args.empty();
  for (const ExprPtr& arg : call.args) all_constant = all_constant && as<Constant>(arg) != nullptr;
  note(all_constant, "call on constants");
  for (const AttrValue& attr : call.attrs) {
    const std::int64_t* number = std::get_if<std::int64_t>(&attr);
    note(number != nullptr && *number < 0, "negative axis");
  }
}

}  // namespace passdiff

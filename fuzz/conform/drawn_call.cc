#include "fuzz/conform/drawn_call.h"

#include <algorithm>
#include <functional>

#include "core/eval/interpret.h"
#include "core/form/builder.h"
#include "core/ir/queries.h"
#include "core/text/text.h"
#include "fuzz/conform/call_scope.h"

namespace passdiff {
namespace {

constexpr std::size_t kBytes = 512;  // a call with five operands uses about a hundred

std::uint64_t hash_of(std::string_view text) {  // FNV-1a: ops draw independently of each other
  std::uint64_t hash = 0xCBF29CE484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  return hash;
}

// Results that round on their way, sums above all, leave the range of their dtype within if operands are
// huge.
Reach reach_of(const OpDef& op) {
  return op.elementwise || op.ulps == 0 ? Reach::extreme : Reach::modest;
}

// The parameters of a function that makes this call, in the order in which they occur.
std::vector<Var> parameters_of(const ExprPtr& call) {
  std::vector<Var> params;
  for_each_use(call, [&](const Var& var) {
    if (std::find(params.begin(), params.end(), var) == params.end()) params.push_back(var);
  });
  return params;
}

// Adds a parameter whose shape is the symbolic dim that the call mentions, if no other parameter's shape has
// it as a size.
void bind_symbols(const ExprPtr& call, std::vector<Var>& params) {
  std::vector<SymVar> bound;
  for (const Var& param : params) {
    const TensorType* tensor = param->type.as_tensor();
    if (tensor == nullptr || !tensor->shape) continue;
    for (const Dim& dim : *tensor->shape) {
      if (dim.as_var() != nullptr) bound.push_back(*dim.as_var());
    }
  }
  const auto bind = [&](const SymVar& symbol) {
    if (std::find(bound.begin(), bound.end(), symbol) != bound.end()) return;
    bound.push_back(symbol);
    params.push_back(make_var("size", tensor_type({Dim(symbol)}, DType::float32)));
  };
  for_each_symbol(call, bind);
  for_each_sym_var(call->type, bind);
}

FunctionPtr function_of(const ExprPtr& call, const std::vector<Var>& params) {
  SeqBuilder body;
  body.begin_block(true);
  const Var result = body.emit(call, true, "gv");
  return make_function(params, body.finish(var_expr(result)));
}

// The values of the call's operands, which the interpreter computes from the arguments.
std::vector<Value> operands_of(const DrawnCall& call) {
  const GlobalFunction& entry = *call.test.module.find(call.test.entry);
  SeqBuilder body;
  Module module;
  module.functions.push_back(
      {"main", make_function(entry.function->params, body.finish(make_tuple(as<Call>(call.call)->args)))});
  const Outcome outcome = interpret(module, "main", call.test.arguments);
  const auto* returned = std::get_if<Returned>(&outcome);
  return returned == nullptr ? std::vector<Value>() : returned->value.tuple().fields;
}

const std::vector<VDevice> kVDevices = {{.target = "llvm", .id = 0}, {.target = "llvm", .id = 1}};

}  // namespace

DrawnCall typed_call(const OpDef& op, ExprPtr call, std::vector<VDevice> vdevices) {
  DrawnCall made{.op = &op, .call = std::move(call)};
  std::vector<Var> params = parameters_of(made.call);
  bind_symbols(made.call, params);
  made.test.module.functions.push_back({"main", function_of(made.call, params)});
  made.test.module.vdevices = std::move(vdevices);
  return made;
}

std::optional<DrawnCall> draw_call(const OpDef& op, std::uint64_t seed, std::uint64_t index) {
  const std::vector<std::uint8_t> bytes = campaign_bytes(seed ^ hash_of(op.name), index, kBytes);
  Choices choices(bytes);
  CallScope scope(choices, reach_of(op));
  std::optional<CallDraft> draft = op.generate(choices, scope);
  if (!draft) return std::nullopt;
  Result<ExprPtr> call = make_call(op, std::move(draft->args), std::move(draft->attrs));
  if (!call) return std::nullopt;
  DrawnCall drawn =
      typed_call(op, *std::move(call), scope.vdevice_count() > 0 ? kVDevices : std::vector<VDevice>());
  drawn.index = index;
  for (const Var& param : drawn.test.module.functions[0].function->params) {
    const bool is_size = param->name == "size";
    const std::vector<std::int64_t> size = {scope.size()};
    drawn.test.arguments.push_back(is_size ? Value(make_tensor(zeros(DType::float32, size)))
                                           : scope.value_of(param));
  }
  drawn.operands = operands_of(drawn);
  return drawn;
}

Result<DrawnCall> call_in(const TestCase& test) {
  const GlobalFunction* entry = test.module.find(test.entry);
  const std::vector<Block>* blocks = entry == nullptr ? nullptr : &entry->function->body.blocks;
  const bool one = blocks != nullptr && blocks->size() == 1 && blocks->front().bindings.size() == 1;
  const OpDef* op = one ? called_op(blocks->front().bindings.front().value) : nullptr;
  if (op == nullptr)
    return Error{"conform.case", test.entry + ": not a function that makes one call of an op"};
  DrawnCall call{.op = op, .test = test, .call = blocks->front().bindings.front().value};
  call.operands = operands_of(call);
  return call;
}

Outcome evaluate(const DrawnCall& call) {
  return interpret(call.test.module, call.test.entry, call.test.arguments);
}

Value evaluate(const DrawnCall& call, std::span<const Value> operands, const Rounding& rounding) {
  EvalContext context;
  context.rounding = rounding;
  return call.op->eval(operands, as<Call>(call.call)->attrs, call.call->type, context);
}

std::string to_string(const DrawnCall& call) {
  std::string text = print(call.call);
  for (const Var& param : call.test.module.functions[0].function->params)
    text += "; " + param->name + ": " + to_string(param->type);
  return text;
}

std::string dtypes_of(const DrawnCall& call) {
  std::string names;
  const auto add = [&](const Type& type) {
    const TensorType* tensor = type.as_tensor();
    if (tensor == nullptr || !tensor->dtype) return;
    names += (names.empty() ? "" : ", ") + std::string(dtype_name(*tensor->dtype));
  };
  for (const ExprPtr& arg : as<Call>(call.call)->args) {
    if (const auto* tuple = as<Tuple>(arg); tuple != nullptr && !tuple->fields.empty()) {
      add(tuple->fields[0]->type);
    } else {
      add(arg->type);
    }
  }
  if (names.empty()) add(call.call->type);
  return names;
}

}  // namespace passdiff

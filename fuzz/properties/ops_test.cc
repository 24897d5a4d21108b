// Every row of the op table, by calls that its own rule draws: types, values, documents.
#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "core/eval/interpret.h"
#include "core/ir/structural.h"
#include "core/ops/test_scope.h"
#include "core/form/builder.h"
#include "core/documents/json.h"
#include "core/text/text.h"
#include "core/form/well_formed.h"
#include "fuzz/properties/property.h"

namespace passdiff {
namespace {

constexpr int kCallsPerOp = 200;

// One call of one op, with the values of its operands.
struct DrawnCall {
  CallDraft draft;
  Type type;
  std::vector<Value> operands;
};

std::optional<DrawnCall> draw_call(const OpDef& op, const Bytes& bytes, bool undefined) {
  Choices choices(bytes);
  TestScope scope(undefined);
  std::optional<CallDraft> draft = op.generate(choices, scope);
  if (!draft) return std::nullopt;
  DrawnCall call{*std::move(draft), {}, {}};
  const Result<Type> type = infer_call(op, call.draft.args, call.draft.attrs);
  if (!type) RC_FAIL(std::string(op.name) + ": " + type.error().message);
  call.type = *type;
  for (const ExprPtr& arg : call.draft.args) call.operands.push_back(scope.value_of(arg));
  return call;
}

// Calls `check` for calls that each op's generation rule draws; ops that only passes emit have no rule.
template <class Check>
void for_each_op(bool undefined, Check check) {
  for (const OpDef& op : all_ops()) {
    if (op.pass_made) continue;
    SCOPED_TRACE(std::string(op.name));
    expect_holds(kCallsPerOp, [&](const RandomBytes& drawn) {
      const std::optional<DrawnCall> call = draw_call(op, drawn.bytes, undefined);
      if (!call) return;
      RC_LOG() << print(make_call(op, call->draft.args, call->draft.attrs).value()) << "\n";
      for (const Value& operand : call->operands) RC_LOG() << "  on " << to_string(operand) << "\n";
      check(op, *call);
    });
  }
}

struct Computed {
  Value value;
  EvalContext context;
};
Computed compute(const OpDef& op, const DrawnCall& call, const std::vector<Value>& operands) {
  Computed computed;
  computed.value = op.eval(operands, call.draft.attrs, call.type, computed.context);
  return computed;
}
Value value_of(const OpDef& op, const DrawnCall& call, const std::vector<Value>& operands) {
  return compute(op, call, operands).value;
}

// The size of the one symbolic dim that TestScope has.
constexpr std::int64_t kSizeOfN = 3;
bool has_type(const Value& value, const Type& type) {
  return passdiff::has_type(value, type, [](const SymVar&) { return std::optional(kSizeOfN); });
}

TEST(Ops, EvaluationGivesTheInferredTypeAndOnlyListedUndefinedBehaviour) {
  for (const bool undefined : {false, true}) {
    for_each_op(undefined, [&](const OpDef& op, const DrawnCall& call) {
      const Computed computed = compute(op, call, call.operands);
      // A call that reports undefined behaviour, which ends the run, may return any value.
      RC_ASSERT(computed.context.log.must_stop() || has_type(computed.value, call.type));
      RC_ASSERT(undefined || computed.context.log.empty());
      for (const UndefinedRecord& record : computed.context.log.records()) {
        RC_ASSERT(std::count(op.undefined.begin(), op.undefined.end(), record.rule) == 1);
      }
      RC_ASSERT(bit_equal(computed.value, value_of(op, call, call.operands)));
    });
  }
}

// The same type with its shape, its rank or its dtype unknown, one at a time.
std::vector<Type> blurred(const Type& type) {
  const TensorType* tensor = type.as_tensor();
  if (tensor == nullptr) return {};
  std::vector<Type> less;
  if (tensor->shape) less.push_back(tensor_type_of_rank(tensor->rank, tensor->dtype));
  if (tensor->rank != kUnknownRank) less.push_back(tensor_type_of_rank(kUnknownRank, tensor->dtype));
  if (tensor->dtype) less.push_back(TensorType{tensor->shape, tensor->rank, std::nullopt, tensor->vdevice});
  return less;
}

// Ops whose rule in TVM, which ours follows, contradicts itself. squeeze: an axis whose size is known not to
// be 1 is kept, one of unknown size is counted as removed (src/relax/op/tensor/manipulate.cc,
// InferTypeSqueeze).
bool is_incoherent(const OpDef& op) {
  return op.name == "relax.squeeze";
}

TEST(Ops, InferenceFromLessKnownOperandsHoldsForTheSameValue) {
  for_each_op(false, [](const OpDef& op, const DrawnCall& call) {
    if (is_incoherent(op)) return;
    const Value value = value_of(op, call, call.operands);
    for (std::size_t i = 0; i < call.draft.args.size(); ++i) {
      for (const Type& type : blurred(call.draft.args[i]->type)) {
        std::vector<ExprPtr> args = call.draft.args;
        args[i] = var_expr(make_var("blurred", type));
        const Result<Type> inferred = infer_call(op, args, call.draft.attrs);
        if (!inferred) continue;  // some ops need to know all of a type
        RC_LOG() << "operand " << i << " as " << to_string(type) << ": " << to_string(*inferred) << "\n";
        RC_ASSERT(has_type(value, *inferred));
        RC_ASSERT(compatible(*inferred, call.type));
      }
    }
  });
}

// The call as a function of the variables that it uses.
Module module_of(const OpDef& op, const DrawnCall& call, std::vector<Value>& arguments) {
  std::vector<Var> params;
  const auto add = [&](const ExprPtr& expr, const Value& value) {
    const Var* var = as<Var>(expr);
    if (var == nullptr || std::count(params.begin(), params.end(), *var) > 0) return;
    params.push_back(*var);
    arguments.push_back(value);
  };
  for (std::size_t i = 0; i < call.draft.args.size(); ++i) {
    add(call.draft.args[i], call.operands[i]);
    if (const Tuple* tuple = as<Tuple>(call.draft.args[i])) {
      for (std::size_t k = 0; k < tuple->fields.size(); ++k)
        add(tuple->fields[k], call.operands[i].tuple().fields[k]);
    }
  }
  SeqBuilder builder;
  builder.begin_block(true);
  const Var result = builder.emit(make_call(op, call.draft.args, call.draft.attrs).value());
  Module module{.functions = {}, .vdevices = {VDevice{}, VDevice{.id = 1}}, .attrs = {}};
  module.functions.push_back({"main", make_function(std::move(params), builder.finish(var_expr(result)))});
  return module;
}

TEST(Ops, AModuleOfOneCallComputesWhatTheOpDoesAndSurvivesItsDocuments) {
  for_each_op(false, [](const OpDef& op, const DrawnCall& call) {
    std::vector<Value> arguments;
    const Module module = module_of(op, call, arguments);
    // A call may mention the scope's symbolic dim although no parameter of the function defines it.
    if (const auto fault = well_formed(module)) return RC_ASSERT(fault->code == "form.undefined-symbol");
    const Result<Module> text = parse_text(print(module));
    const Result<Module> wire = module_from_cbor(module_to_cbor(module));
    RC_ASSERT(text.ok());
    RC_ASSERT(structural_equal(*text, module));
    RC_ASSERT(wire.ok());
    RC_ASSERT(structural_equal(*wire, module));
    const Outcome outcome = interpret(*text, "main", arguments);
    const auto* returned = std::get_if<Returned>(&outcome);
    if (returned == nullptr) RC_FAIL(to_string(outcome));
    RC_ASSERT(bit_equal(returned->value, value_of(op, call, call.operands)));
  });
}

// The tensor with another element i: one, which every op takes.
Tensor with_element(Tensor tensor, std::size_t i) {
  std::visit([&](auto& values) { values.data()[i] = values.data()[i] == 1 ? 2 : 1; }, tensor.values);
  if (tensor.dtype == DType::boolean) std::get<Tensor::Ints>(tensor.values).data()[i] %= 2;
  return tensor;
}
bool same_element(const Tensor& a, const Tensor& b, std::size_t i) {
  const double left = as_double(a, i);
  const double right = as_double(b, i);
  return left == right || (std::isnan(left) && std::isnan(right));
}

TEST(Ops, ElementwiseOnesChangeOneElementForOneElement) {
  for_each_op(false, [](const OpDef& op, const DrawnCall& call) {
    if (!op.elementwise) return;
    const Value before = value_of(op, call, call.operands);
    for (std::size_t k = 0; k < call.operands.size(); ++k) {
      if (!call.operands[k].as_tensor()) continue;
      const Tensor& operand = call.operands[k].tensor();
      if (operand.shape() != before.tensor().shape() || operand.size() == 0) continue;
      const std::size_t changed = operand.size() / 2;
      std::vector<Value> operands = call.operands;
      operands[k] = make_tensor(with_element(operand, changed));
      const Value after = value_of(op, call, operands);
      for (std::size_t i = 0; i < operand.size(); ++i) {
        RC_ASSERT(i == changed || same_element(before.tensor(), after.tensor(), i));
      }
    }
  });
}

}  // namespace
}  // namespace passdiff

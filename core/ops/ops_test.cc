// Properties of every row of the op table: a new op adds nothing here.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "core/choices/choices.h"
#include "core/ops/elementwise.h"
#include "core/ops/test_scope.h"

namespace passdiff {
namespace {

constexpr std::uint64_t kDraws = 400;

// One call that an op's rule made, evaluated.
struct Drawn {
  CallDraft call;
  Type type;
  std::vector<Value> operands;
  Value result;
  EvalContext context;
};

// NaN, infinities, extremes, and types that hide a shape or a rank: what a rule may find beside its own
// tensors.
void add_odd_entries(Choices& choices, TestScope& scope) {
  Tensor odd = zeros(DType::float32, {{2, 3}});
  const double values[] = {NAN, INFINITY, -INFINITY, -0.0, 0x1p100, -2.5};
  std::copy(std::begin(values), std::end(values), std::get<Tensor::Floats>(odd.values).data());
  scope.add(tensor_type({2, 3}, DType::float32), std::move(odd));
  const auto small = [&](DType dtype, std::vector<std::int64_t> shape) {
    return filled_tensor(choices, dtype, shape, FillSpec());
  };
  scope.add(tensor_type_of_rank(2, DType::float32), small(DType::float32, {2, 3}));
  scope.add(tensor_type_of_rank(kUnknownRank, DType::int32), small(DType::int32, {3}));
  scope.add(tensor_type({2, 3}, DType::float16, 0), small(DType::float16, {2, 3}));
  scope.add(tensor_type({2, 3}, DType::float16, 1), small(DType::float16, {2, 3}));
}

// Calls `check` with each call that the rule of `op` makes in kDraws tries; returns their number.
int for_each_draw(const OpDef& op, bool undefined,
                  const std::function<void(const Drawn&, const TestScope&)>& check) {
  int made = 0;
  // One failing call per op says enough.
  const auto failures = [] {
    return testing::UnitTest::GetInstance()->current_test_info()->result()->total_part_count();
  };
  const int failures_before = failures();
  for (std::uint64_t i = 0; i < kDraws && failures() == failures_before; ++i) {
    SCOPED_TRACE(std::string(op.name) + ", draw " + std::to_string(i));
    const std::vector<std::uint8_t> bytes = campaign_bytes(0, i, 128);
    Choices choices(bytes);
    TestScope scope(undefined);
    add_odd_entries(choices, scope);
    std::optional<CallDraft> call = op.generate(choices, scope);
    if (!call) continue;
    ++made;
    Result<Type> type = infer_call(op, call->args, call->attrs);
    EXPECT_TRUE(type.ok()) << (type.ok() ? "" : type.error().message);
    if (!type) return made;
    Drawn drawn{*std::move(call), *type, {}, {}, {}};
    for (const ExprPtr& arg : drawn.call.args) drawn.operands.push_back(scope.value_of(arg));
    drawn.result = op.eval(drawn.operands, drawn.call.attrs, drawn.type, drawn.context);
    check(drawn, scope);
  }
  return made;
}

bool has_sizes(const std::vector<std::int64_t>& dims, const std::optional<Shape>& shape, int rank,
               const TestScope& scope) {
  if (rank != kUnknownRank && rank != std::ssize(dims)) return false;
  const auto fits = [&](std::int64_t size, const Dim& dim) { return size == scope.size_of(dim); };
  return !shape || std::equal(dims.begin(), dims.end(), shape->begin(), shape->end(), fits);
}

bool has_type(const Value& value, const Type& type, const TestScope& scope) {
  if (const TupleType* tuple = type.as_tuple()) {
    const TupleValue* fields = value.as_tuple();
    return fields && std::equal(fields->fields.begin(), fields->fields.end(), tuple->fields.begin(),
                                tuple->fields.end(), [&](const Value& field, const Type& field_type) {
                                  return has_type(field, field_type, scope);
                                });
  }
  if (const ShapeType* shape = type.as_shape()) {
    const auto* dims = std::get_if<ShapeValue>(&value.node);
    return dims && has_sizes(dims->dims, shape->values, shape->rank, scope);
  }
  if (const PrimType* prim = type.as_prim()) {
    const auto* scalar = std::get_if<ScalarValue>(&value.node);
    return scalar && scalar->dtype == prim->dtype;
  }
  const TensorPtr* tensor = value.as_tensor();
  const TensorType* declared = type.as_tensor();
  if (!tensor || !declared) return false;
  return (!declared->dtype || *declared->dtype == (*tensor)->dtype) &&
         has_sizes((*tensor)->shape(), declared->shape, declared->rank, scope) &&
         (*tensor)->values.index() == static_cast<std::size_t>(storage_of((*tensor)->dtype));
}

Value evaluate_again(const OpDef& op, const Drawn& drawn, std::vector<Value> operands) {
  EvalContext context;
  return op.eval(operands, drawn.call.attrs, drawn.type, context);
}

// Element i of x broadcast to `extents`, as a tensor of rank 0.
Value element_of(const Tensor& x, const Extents& extents, std::size_t i) {
  const Tensor all = map_elements(x.dtype, extents, [](auto value) { return value; }, x);
  return std::visit(
      [&](const auto& values) -> Value {
        auto element = values;
        element.resize(Extents());
        element.data()[0] = values.data()[i];
        return make_tensor(Tensor{x.dtype, std::move(element)});
      },
      all.values);
}

void check_elementwise(const OpDef& op, const Drawn& drawn) {
  const Tensor& result = drawn.result.tensor();
  for (const std::size_t i : {std::size_t{0}, result.size() / 2, result.size() - 1}) {
    if (result.size() == 0) return;
    std::vector<Value> operands;
    for (const Value& operand : drawn.operands) {
      operands.push_back(operand.as_tensor() ? element_of(operand.tensor(), extents_of(result), i) : operand);
    }
    EXPECT_TRUE(bit_equal(evaluate_again(op, drawn, operands), element_of(result, extents_of(result), i)))
        << "element " << i << " of " << to_string(result);
  }
}

void check_associative(const OpDef& op, const Drawn& drawn) {
  const Value& a = drawn.operands[0];
  const Value& b = drawn.operands[1];
  if (is_float(a.tensor().dtype)) return;
  const Value left = evaluate_again(op, drawn, {drawn.result, a});
  const Value right = evaluate_again(op, drawn, {a, evaluate_again(op, drawn, {b, a})});
  EXPECT_TRUE(bit_equal(left, right)) << to_string(left) << " and " << to_string(right);
}

void collect_elements(const Value& value, std::set<double>& elements, bool& has_nan) {
  if (const TupleValue* tuple = value.as_tuple()) {
    for (const Value& field : tuple->fields) collect_elements(field, elements, has_nan);
  } else if (value.as_tensor()) {
    for (std::size_t i = 0; i < value.tensor().size(); ++i) {
      const double element = as_double(value.tensor(), i);
      std::isnan(element) ? void(has_nan = true) : void(elements.insert(element));
    }
  }
}

void check_data_movement(const Drawn& drawn) {
  std::set<double> given;
  std::set<double> moved;
  bool given_nan = false;
  bool moved_nan = false;
  for (const Value& operand : drawn.operands) collect_elements(operand, given, given_nan);
  collect_elements(drawn.result, moved, moved_nan);
  EXPECT_TRUE(std::includes(given.begin(), given.end(), moved.begin(), moved.end()))
      << to_string(drawn.result);
  EXPECT_TRUE(given_nan || !moved_nan);
}

// Laws that some ops obey. Nothing but this test relies on them, so that they stand here and not in the rows.
constexpr std::string_view kCommutative[] = {"relax.add",         "relax.bitwise_and", "relax.bitwise_or",
                                             "relax.bitwise_xor", "relax.equal",       "relax.log_add_exp",
                                             "relax.logical_and", "relax.logical_or",  "relax.logical_xor",
                                             "relax.multiply",    "relax.not_equal"};
// Over integers; maximum and minimum are not commutative, since NaN and the zeros tell their operands apart.
constexpr std::string_view kAssociative[] = {"relax.add", "relax.maximum", "relax.minimum", "relax.multiply"};
constexpr std::string_view kIdempotent[] = {
    "relax.abs", "relax.astype", "relax.ceil", "relax.clip", "relax.floor", "relax.hint_on_device",
    "relax.nn.relu", "relax.ones_like", "relax.round", "relax.sign", "relax.sort", "relax.to_vdevice",
    "relax.tril", "relax.triu", "relax.trunc", "relax.zeros_like"};
// The elements of the result are elements of the operands.
constexpr std::string_view kDataMovement[] = {
    "relax.broadcast_to", "relax.concat", "relax.dynamic_strided_slice", "relax.expand_dims",
    "relax.flatten", "relax.flip", "relax.gather_elements", "relax.gather_nd", "relax.grad.no_grad",
    "relax.hint_on_device", "relax.index_tensor", "relax.maximum", "relax.memory.ensure_zero_offset",
    "relax.meshgrid", "relax.minimum", "relax.permute_dims", "relax.repeat", "relax.reshape",
    "relax.reverse_sequence", "relax.slice_scatter", "relax.sort", "relax.split", "relax.squeeze",
    "relax.stack", "relax.strided_slice", "relax.tile", "relax.to_vdevice", "relax.where"};

template <std::size_t N>
bool is_in(const OpDef& op, const std::string_view (&names)[N]) {
  return std::find(std::begin(names), std::end(names), op.name) != std::end(names);
}

void check_laws(const OpDef& op, const Drawn& drawn) {
  if (op.elementwise) check_elementwise(op, drawn);
  if (is_in(op, kCommutative)) {
    const Value swapped = evaluate_again(op, drawn, {drawn.operands[1], drawn.operands[0]});
    EXPECT_TRUE(bit_equal(swapped, drawn.result)) << to_string(swapped);
  }
  if (is_in(op, kAssociative)) check_associative(op, drawn);
  if (is_in(op, kIdempotent)) {
    std::vector<Value> operands = drawn.operands;
    operands[0] = drawn.result;
    const Value again = evaluate_again(op, drawn, operands);
    EXPECT_TRUE(bit_equal(again, drawn.result)) << to_string(again);
  }
  if (is_in(op, kDataMovement)) check_data_movement(drawn);
}

bool lists(const OpDef& op, UndefinedRule rule) {
  return std::find(op.undefined.begin(), op.undefined.end(), rule) != op.undefined.end();
}

TEST(AllOps, AreSortedAndFoundByName) {
  ASSERT_FALSE(all_ops().empty());
  for (std::size_t i = 1; i < all_ops().size(); ++i) EXPECT_LT(all_ops()[i - 1].name, all_ops()[i].name);
  for (const OpDef& op : all_ops()) EXPECT_EQ(find_op(op.name), &op);
  EXPECT_EQ(find_op("relax.no_such_op"), nullptr);
}

TEST(AllOps, TakeOperandsBeforeAttributesAndTheirOwnDefaults) {
  for (const OpDef& op : all_ops()) {
    for (const Param& param : op.attributes())
      EXPECT_FALSE(is_operand(param.kind)) << op.name << " " << param.name;
    for_each_draw(op, false, [&](const Drawn& drawn, const TestScope&) {
      Attrs attrs = drawn.call.attrs;
      for (std::size_t i = 0; i < attrs.size(); ++i) {
        if (op.attributes()[i].default_value) attrs[i] = *op.attributes()[i].default_value;
      }
      const Result<Type> type = infer_call(op, drawn.call.args, attrs);
      EXPECT_TRUE(type.ok() || type.error().code != "type.attribute") << op.name;
    });
  }
}

TEST(AllOps, GenerateCallsThatAreDefinedAndEvaluateToTheInferredType) {
  for (const OpDef& op : all_ops()) {
    const int made = for_each_draw(op, false, [&](const Drawn& drawn, const TestScope& scope) {
      EXPECT_TRUE(drawn.context.log.empty()) << drawn.context.log.records().front().detail;
      EXPECT_TRUE(has_type(drawn.result, drawn.type, scope))
          << to_string(drawn.result) << " is no " << to_string(drawn.type);
    });
    if (op.pass_made) {
      EXPECT_EQ(made, 0) << op.name;
    } else {
      EXPECT_GT(made, static_cast<int>(kDraws) / 2) << op.name;
    }
  }
}

TEST(AllOps, AreEvaluatedAlikeWhereTheResultIsDeclaredAnObject) {
  for (const OpDef& op : all_ops()) {
    for_each_draw(op, false, [&](const Drawn& drawn, const TestScope&) {
      EvalContext context;
      const Value value = op.eval(drawn.operands, drawn.call.attrs, object_type(), context);
      // Without a declared type an op may not know its result; what it knows is what it says with one.
      const TensorPtr* tensor = value.as_tensor();
      if (tensor && *tensor) EXPECT_TRUE(bit_equal(value, drawn.result)) << to_string(value);
    });
  }
}

TEST(AllOps, ObeyTheirLaws) {
  for (const OpDef& op : all_ops()) {
    for_each_draw(op, false, [&](const Drawn& drawn, const TestScope&) { check_laws(op, drawn); });
  }
}

TEST(AllOps, ReachEveryUndefinedRuleTheyListAndNoOther) {
  for (const OpDef& op : all_ops()) {
    std::set<UndefinedRule> reached;
    for_each_draw(op, true, [&](const Drawn& drawn, const TestScope&) {
      for (const UndefinedRecord& record : drawn.context.log.records()) {
        reached.insert(record.rule);
        EXPECT_TRUE(lists(op, record.rule)) << rule_name(record.rule);
      }
    });
    for (const UndefinedRule rule : op.undefined)
      EXPECT_TRUE(op.pass_made || reached.count(rule)) << op.name << " " << rule_name(rule);
  }
}

TEST(AllOps, EvaluateAlikeTwiceFromTheSameBytes) {
  for (const OpDef& op : all_ops()) {
    std::vector<Value> first;
    for_each_draw(op, true, [&](const Drawn& drawn, const TestScope&) { first.push_back(drawn.result); });
    std::size_t next = 0;
    for_each_draw(op, true, [&](const Drawn& drawn, const TestScope&) {
      ASSERT_LT(next, first.size());
      EXPECT_TRUE(bit_equal(drawn.result, first[next++])) << op.name;
    });
  }
}

}  // namespace
}  // namespace passdiff

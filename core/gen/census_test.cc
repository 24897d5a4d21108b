// Does the generator reach what passes react to? Each op, each idiom, each structural feature, in a few
// thousand cases.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>

#include "core/gen/generate.h"
#include "core/gen/graph_builder.h"
#include "core/ir/walk.h"
#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

constexpr std::uint64_t kCases = 4000;

// Counts features of one module; names are what the test expects below.
class Census {
 public:
  void add(const TestCase& test) {
    std::size_t with_num_input = 0;
    for (const GlobalFunction& global : test.module.functions) {
      note(!global.is_public, "private function");
      note(global.is_public && global.name != test.entry, "second public function");
      if (global.function->attrs.contains("num_input")) ++with_num_input;
      add_function(*global.function);
    }
    note(with_num_input > 1, "two functions with num_input");
    note(with_num_input == 0, "no num_input");
    note(!test.module.vdevices.empty(), "vdevices");
    note(!test.module.attrs.empty(), "module attributes");
    for (const Value& argument : test.arguments) {
      const TensorPtr* tensor = argument.as_tensor();
      if (tensor == nullptr) continue;
      note((*tensor)->size() == 0, "empty argument");
      ++counts_["rank " + std::to_string((*tensor)->rank())];
      ++counts_[std::string(dtype_name((*tensor)->dtype))];
    }
  }
  int count(const std::string& feature) const {
    const auto found = counts_.find(feature);
    return found == counts_.end() ? 0 : found->second;
  }

 private:
  void note(bool holds, const std::string& feature) { counts_[feature] += holds ? 1 : 0; }

  void add_function(const Function& function) {
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

  void add_result(const ExprPtr& result) {
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

  void add_body(const SeqExpr& body) {
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

  void add_binding(const Binding& binding) {
    const ExprPtr& value = binding.value;
    const TensorType* type = binding.var->type.as_tensor();
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

  void add_call(const Call& call) {
    note(std::holds_alternative<GlobalRef>(call.callee), "call of a function");
    note(std::holds_alternative<ExprPtr>(call.callee), "call of a local function");
    const OpDef* op = called_op(call);
    if (op == nullptr) return;
    ++counts_[std::string(op->name)];
    bool all_constant = !call.args.empty();
    for (const ExprPtr& arg : call.args) all_constant = all_constant && as<Constant>(arg) != nullptr;
    note(all_constant, "call on constants");
    for (const AttrValue& attr : call.attrs) {
      const std::int64_t* number = std::get_if<std::int64_t>(&attr);
      note(number != nullptr && *number < 0, "negative axis");
    }
  }

  std::map<std::string, int> counts_;
  std::set<const VarNode*> params_;
  std::set<const VarNode*> used_;
};

Census census_of(std::uint64_t cases) {
  Census census;
  // Variables are told apart by address: modules stay alive until the end.
  static std::vector<TestCase> alive;
  for (std::uint64_t i = 0; i < cases; ++i) {
    const std::vector<std::uint8_t> bytes = campaign_bytes(7, i, 512);
    Choices choices(bytes);
    alive.push_back(generate_test_case(choices));
    census.add(alive.back());
  }
  return census;
}

TEST(Census, FindsEveryOpAndEveryFeature) {
  const Census census = census_of(kCases);
  for (const OpDef& op : all_ops()) {
    if (!op.pass_made) EXPECT_GT(census.count(std::string(op.name)), 5) << op.name;
  }
  for (const char* feature : {"private function",
                              "second public function",
                              "two functions with num_input",
                              "no num_input",
                              "vdevices",
                              "module attributes",
                              "empty argument",
                              "rank 0",
                              "rank 1",
                              "rank 2",
                              "rank 3",
                              "rank 4",
                              "rank 5",
                              "symbolic parameter",
                              "tuple parameter",
                              "shape parameter",
                              "parameter on a vdevice",
                              "unused parameter",
                              "tuple returned",
                              "bare parameter returned",
                              "constant returned",
                              "nested tuple returned",
                              "parameter returned in a tuple",
                              "the same variable returned twice",
                              "value used and returned",
                              "several blocks",
                              "dataflow block",
                              "plain block",
                              "dataflow variable",
                              "unknown shape",
                              "match_cast",
                              "alias",
                              "bound constant",
                              "tuple made",
                              "tuple indexed",
                              "if",
                              "local function",
                              "call of a function",
                              "call of a local function",
                              "call on constants",
                              "negative axis"}) {
    EXPECT_GT(census.count(feature), 5) << feature;
  }
  for (const DType dtype : all_dtypes()) {
    if (!is_float8(dtype)) EXPECT_GT(census.count(std::string(dtype_name(dtype))), 5) << dtype_name(dtype);
  }
}

// An idiom by itself on an empty graph: how often it makes at least two bindings.
int made_by(const Idiom& idiom, std::uint64_t cases) {
  int made = 0;
  GenerateOptions options;
  for (std::uint64_t i = 0; i < cases; ++i) {
    const std::vector<std::uint8_t> bytes = campaign_bytes(3, i, 256);
    Choices choices(bytes);
    Config config = draw_config(choices, options);
    config.vdevices = 2;
    CaseDraft draft{.config = config, .options = options, .module = {}, .known_functions = {}};
    FunctionDraft function;
    GraphBuilder graph(draft, function);
    idiom.make(choices, graph);
    made += graph.binding_count() >= 2 ? 1 : 0;
  }
  return made;
}

TEST(Census, EveryIdiomMostlyMakesItsPattern) {
  for (const Idiom& idiom : idiom_table()) EXPECT_GT(made_by(idiom, 200), 100) << idiom.name;
}

}  // namespace
}  // namespace passdiff

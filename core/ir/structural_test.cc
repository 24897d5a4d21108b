#include "core/ir/structural.h"

#include <gtest/gtest.h>

#include <limits>

#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

// The names in a function that returns the dataflow binding y = (x, c).
struct Names {
  std::string param = "x";
  std::string bound = "y";
  std::string symbol = "n";
  bool dataflow = false;
  double constant = 1;
};

FunctionPtr pairing(const Names& names) {
  const Dim n(make_sym_var(names.symbol));
  const Var x = make_var(names.param, tensor_type({n}, DType::float32));
  Tensor one = zeros(DType::float32, {});
  std::get<Tensor::Floats>(one.values).data()[0] = names.constant;
  const ExprPtr constant = make_expr(Constant{make_tensor(one)}, tensor_type({}, DType::float32));
  const Type pair = tuple_type({x->type, constant->type});
  const Var y = make_var(names.bound, pair, names.dataflow);
  const SeqExpr body{
      {Block{names.dataflow, {Binding{y, make_expr(Tuple{{var_expr(x), constant}}, pair), {}}}}},
      var_expr(y)};
  return std::make_shared<const Function>(Function{{x}, body, pair, true, {}});
}

Module module_of(std::vector<std::pair<std::string, FunctionPtr>> functions) {
  Module module;
  for (auto& [name, function] : functions) module.functions.push_back({name, function, true});
  return module;
}

TEST(StructuralEqual, IgnoresNamesOfVariablesAndSymbols) {
  const Module a = module_of({{"main", pairing({})}});
  const Module b = module_of({{"main", pairing({.param = "p", .bound = "q", .symbol = "k"})}});
  EXPECT_TRUE(structural_equal(a, b));
  EXPECT_EQ(structural_hash(a), structural_hash(b));
}

TEST(StructuralEqual, SeesConstantsBlocksAndFunctionNames) {
  const Module a = module_of({{"main", pairing({})}});
  for (const Module& b : {module_of({{"main", pairing({.constant = 2})}}), module_of({{"f", pairing({})}}),
                          module_of({{"main", pairing({.dataflow = true})}})}) {
    EXPECT_FALSE(structural_equal(a, b));
    EXPECT_NE(structural_hash(a), structural_hash(b));
  }
}

TEST(StructuralEqual, TellsNegativeZeroFromZeroAndTakesNaNAsNaN) {
  EXPECT_FALSE(structural_equal(*pairing({.constant = 0.0}), *pairing({.constant = -0.0})));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(structural_equal(*pairing({.constant = nan}), *pairing({.constant = -nan})));
}

TEST(StructuralEqual, IgnoresTheOrderOfFunctionsOnly) {
  const FunctionPtr one = pairing({});
  const FunctionPtr two = pairing({.constant = 2});
  EXPECT_TRUE(structural_equal(module_of({{"f", one}, {"g", two}}), module_of({{"g", two}, {"f", one}})));
  EXPECT_FALSE(structural_equal(module_of({{"f", one}, {"g", two}}), module_of({{"f", two}, {"g", one}})));
}

TEST(StructuralEqual, SeesWhatModulesThatShareTheirFunctionsHaveBeside) {
  const Module one = module_of({{"f", pairing({})}});
  Module other = one;
  EXPECT_TRUE(structural_equal(one, other));
  other.attrs.emplace("name", AttrValue(std::int64_t{1}));
  EXPECT_FALSE(structural_equal(one, other));
  other = one;
  other.functions[0].is_public = !one.functions[0].is_public;
  EXPECT_FALSE(structural_equal(one, other));
}

TEST(StructuralEqual, SeesWhichVariableIsUsed) {
  const Type type = tensor_type({2}, DType::float32);
  const Var a = make_var("a", type);
  const Var b = make_var("b", type);
  const Function first{{a, b}, SeqExpr{{}, var_expr(a)}, type, true, {}};
  const Function second{{a, b}, SeqExpr{{}, var_expr(b)}, type, true, {}};
  EXPECT_FALSE(structural_equal(first, second));
}

TEST(StructuralHash, DependsOnContentAlone) {
  EXPECT_EQ(structural_hash(Module{}), structural_hash(Module{}));
  EXPECT_NE(structural_hash(Module{}), structural_hash(module_of({{"main", pairing({})}})));
}

// Equal modules have equal hashes, whether they share their functions or not.
TEST(StructuralHashes, AreThoseOfTheContent) {
  StructuralHashes hashes;
  const FunctionPtr one = pairing({});
  const FunctionPtr two = pairing({.constant = 2});
  const std::uint64_t both = hashes.of(module_of({{"f", one}, {"g", two}}));
  EXPECT_EQ(hashes.of(module_of({{"g", two}, {"f", one}})), both);
  EXPECT_EQ(hashes.of(module_of({{"f", pairing({})}, {"g", pairing({.constant = 2})}})), both);
  EXPECT_EQ(StructuralHashes().of(module_of({{"f", one}, {"g", two}})), both);
  EXPECT_NE(hashes.of(module_of({{"f", two}, {"g", one}})), both);
  EXPECT_NE(hashes.of(module_of({{"f", one}})), both);
}

TEST(Module, CountsBindingsAndKnowsIdentifiers) {
  EXPECT_EQ(count_bindings(module_of({{"f", pairing({})}, {"g", pairing({})}})), 2);
  EXPECT_TRUE(is_identifier("lv_1"));
  EXPECT_FALSE(is_identifier("1lv"));
  EXPECT_FALSE(is_identifier("lambda"));
  EXPECT_FALSE(is_identifier("a.b"));
}

}  // namespace
}  // namespace passdiff

#include "core/documents/json.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "core/ir/structural.h"
#include "core/ops/op.h"
#include "core/form/builder.h"
#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

using nlohmann::json;
using Bytes = std::vector<std::uint8_t>;

// main(x: (n, 3), w: (3,)): a dataflow block, a branch, a constant, a match_cast and an unusual attribute.
Module sample() {
  const SymVar n = make_sym_var("n");
  const SymVar m = make_sym_var("m");
  const Var x = make_var("x", tensor_type({n, 3}, DType::float32));
  const Var w = make_var("w", tensor_type({3}, DType::float32));
  const OpDef& add = *find_op("relax.add");
  SeqBuilder seq;
  seq.begin_block(true);
  const Var sum = seq.emit(*make_call(add, {var_expr(x), var_expr(w)}, {}), false);
  const Var one = seq.emit(
      make_constant(*from_bytes(DType::float32, std::vector<std::int64_t>{1}, Bytes{0, 0, 0x80, 0x3F})));
  const Var out = seq.emit(*make_call(add, {var_expr(sum), var_expr(one)}, {}));
  seq.begin_block(false);
  const Var cast = seq.emit_match_cast(var_expr(out), tensor_type({m, 3}, DType::float32));
  const ExprPtr yes = make_constant(wrap_ints(DType::boolean, Tensor::Ints::from_shape({})));
  const Var pick = seq.emit(*make_if(yes, {{}, var_expr(cast)}, {{}, var_expr(cast)}));
  const Var pair = seq.emit(make_tuple({var_expr(pick), make_prim(Dim(n) * 2), make_shape({n, 4})}));
  Module module;
  module.functions.push_back(
      {"main", make_function({x, w}, seq.finish(var_expr(pair)), true, {{"num_input", std::int64_t{1}}})});
  module.vdevices = {{"cuda", 1, "shared"}};
  module.attrs = {
      {"scale", std::numeric_limits<double>::infinity()}, {"flag", true}, {"layout", DType::int8}};
  return module;
}

TEST(Json, ModuleSurvivesJsonAndCbor) {
  const Module module = sample();
  const auto back = module_from_json(*parse_json(to_json(module).dump()));
  ASSERT_TRUE(back.ok()) << back.error().message;
  EXPECT_TRUE(structural_equal(module, *back));
  EXPECT_EQ(back->vdevices, module.vdevices);
  EXPECT_EQ(back->attrs, module.attrs);
  const auto wire = module_from_cbor(module_to_cbor(module));
  ASSERT_TRUE(wire.ok()) << wire.error().message;
  EXPECT_TRUE(structural_equal(module, *wire));
  EXPECT_EQ(module_to_cbor(*wire), module_to_cbor(module));
}

TEST(Json, VariableThatIsNeverBoundIsReadableForTheVerdict) {
  Module module = sample();
  Function function = *module.functions[0].function;
  function.body.result = var_expr(make_var("lost", tensor_type({2}, DType::float32)));
  module.functions[0].function = std::make_shared<const Function>(function);
  EXPECT_TRUE(module_from_cbor(module_to_cbor(module)).ok());
}

TEST(Json, FaultsAreReportedWithTheirPath) {
  const json good = to_json(sample());
  const auto fault = [&](const char* pointer, const json& value) {
    json bad = good;
    bad[json::json_pointer(pointer)] = value;
    const auto result = module_from_json(bad);
    return result.ok() ? std::string("accepted") : result.error().code + " " + result.error().message;
  };
  EXPECT_EQ(fault("/functions/0/params/0", 99),
            "json.index functions[0].params[0]: index 99 into a table of " +
                std::to_string(good["functions"][0]["vars"].size()));
  EXPECT_EQ(fault("/functions/0/params/0", -1).substr(0, 10), "json.index");
  EXPECT_EQ(fault("/functions/0/vars/0/1/2", "float31"),
            "json.name functions[0].vars[0][1][2]: no dtype is called \"float31\"");
  EXPECT_EQ(fault("/functions/0/vars/0/1/1/0/1", 7).substr(0, 10), "json.index");
  EXPECT_EQ(fault("/functions/0/extra", 1), "json.field functions[0]: unknown field \"extra\"");
  EXPECT_EQ(fault("/functions/0/body/1", json::array({"op", "relax.nonsense", json::array(), json::array()})),
            "json.unknown-op functions[0].body[1]: op \"relax.nonsense\" is not in the table");
  EXPECT_EQ(fault("/functions/0/body/1", json::array({"const", "int8", {1000000, 1000000, 1000000}, ""}))
                .substr(0, 6),
            "tensor");
  EXPECT_EQ(fault("/functions/0/body/1", json::array({"const", "int8", {1}, "!!!!"})).substr(0, 11),
            "json.base64");
  EXPECT_EQ(fault("/passdiff", 2).substr(0, 12), "json.version");
  EXPECT_EQ(fault("/vdevices", 3), "json.type vdevices: expected an array");
  EXPECT_EQ(module_from_json(json::array()).error().code, "json.type");
}

TEST(Json, CallOfAnUnknownFunctionIsReadableForTheVerdict) {
  json document = to_json(sample());
  document["functions"][0]["body"][1] = json::array({"call", {"global", "nobody"}, json::array({0})});
  EXPECT_TRUE(module_from_json(document).ok());
}

TEST(Json, AnIllTypedCallHasTheTypeThatItsVariableDeclares) {
  const Result<json> document = parse_json(R"({"passdiff": 1, "functions": [{"name": "main", "public": true,
      "symbols": [], "vars": [["x", ["t", [2], "int8"], 0], ["y", ["t", [3], "int8"], 0], ["z", ["t", [7], "int8"], 0]],
      "params": [0, 1], "pure": true, "attrs": {}, "result": ["t", [7], "int8"],
      "body": [[[0, [[2, ["op", "relax.add", [0, 1], []]]]]], 2]}], "vdevices": [], "attrs": {}})");
  const Result<Module> module = module_from_json(*document);
  ASSERT_TRUE(module.ok()) << module.error().message;
  const Binding& binding = module->functions[0].function->body.blocks[0].bindings[0];
  EXPECT_TRUE(equal(binding.value->type, tensor_type({7}, DType::int8)));
}

TEST(Json, TheClassOfAnOpsAttributesMayBeLeftOut) {
  const Var x = make_var("x", tensor_type({2, 2}, DType::float32));
  SeqBuilder seq;
  seq.begin_block(true);
  const OpDef& matmul = *find_op("relax.matmul");
  const Var product = seq.emit(*make_call(matmul, {var_expr(x), var_expr(x)}, default_attrs(matmul)));
  Module module;
  module.functions.push_back({"main", make_function({x}, seq.finish(var_expr(product)))});
  json document = to_json(module);
  json& call = document[json::json_pointer("/functions/0/body/0/0/1/0/1")];
  ASSERT_EQ(call.size(), 5U) << call;
  EXPECT_EQ(call[4], "relax.attrs.MatmulAttrs");
  call.erase(4);
  const auto back = module_from_json(document);
  ASSERT_TRUE(back.ok()) << back.error().message;
  EXPECT_TRUE(structural_equal(module, *back));
}

TEST(Json, AFunctionIsCalledBeforeItIsRead) {
  const Result<json> document = parse_json(R"({"passdiff": 1, "functions": [
      {"name": "main", "public": true, "symbols": ["n"], "vars": [["x", ["t", [["s", 0]], "int8"], 0]], "params": [0],
       "pure": true, "attrs": {}, "result": ["t", [["s", 0]], "int8"], "body": [[], ["call", ["global", "same"], [0]]]},
      {"name": "same", "public": false, "symbols": ["m"], "vars": [["x", ["t", [["s", 0]], "int8"], 0]], "params": [0],
       "pure": true, "attrs": {}, "result": ["t", [["s", 0]], "int8"], "body": [[], 0]}], "vdevices": [], "attrs": {}})");
  const Result<Module> module = module_from_json(*document);
  ASSERT_TRUE(module.ok()) << module.error().message;
  const Function& main = *module->functions[0].function;
  EXPECT_TRUE(equal(main.body.result->type, main.params[0]->type));
}

TEST(Json, ValuesOfAllKindsSurvive) {
  const TensorPtr tensor = make_tensor(
      *from_bytes(DType::float16, std::vector<std::int64_t>{2, 1}, Bytes{0x00, 0x7E, 0x00, 0x3C}));
  const Value value = TupleValue{{tensor, ShapeValue{{2, -1}}, ScalarValue{DType::int64, std::int64_t{-5}},
                                  ScalarValue{DType::float32, -std::numeric_limits<double>::infinity()},
                                  std::string("hé"), DType::uint8, Value()}};
  const auto back = value_from_json(*parse_json(value_to_json(value).dump()));
  ASSERT_TRUE(back.ok()) << back.error().message;
  EXPECT_TRUE(bit_equal(value, *back));
  EXPECT_EQ(value_from_json({{"prim", "int8"}, {"value", 128}}).error().code, "json.number");
  EXPECT_EQ(value_from_json({{"tensor", "int8"}, {"shape", {-1}}, {"data", ""}}).error().code,
            "tensor.shape");
  EXPECT_EQ(value_from_json({{"tensor", "int8"}}).error().code, "json.field");
}

TEST(Json, TypesNameTheirSymbols) {
  const Type type =
      tuple_type({tensor_type({make_sym_var("n"), 2}, DType::int8), tensor_type_of_rank(3, std::nullopt)});
  EXPECT_EQ(to_json(type).dump(), R"(["tuple",[["t",[["s","n"],2],"int8"],["t",3,null]]])");
}

TEST(Json, TreesThatNoTextHasAreRefused) {
  json deep = json::array();
  for (int i = 0; i < 600; ++i) deep = json::array({deep});
  EXPECT_EQ(module_from_json(deep).error().code, "json.depth");
  for (const json& odd : {json(std::numeric_limits<double>::quiet_NaN()), json::binary({1, 2}),
                          json(std::numeric_limits<std::uint64_t>::max())}) {
    EXPECT_EQ(value_from_json({{"prim", "float32"}, {"value", odd}}).error().code, "json.syntax") << odd.type_name();
  }
}

TEST(Json, DeepAndBrokenTextIsRefused) {
  EXPECT_EQ(parse_json(std::string(100'000, '[')).error().code, "json.depth");
  EXPECT_EQ(parse_json("[1, 2").error().code, "json.syntax");
  EXPECT_EQ(parse_json("1e999").error().code, "json.syntax");
  EXPECT_TRUE(parse_json(R"("[[[\"[[[")").ok());
}

TEST(Cbor, EveryPrefixOfADocumentIsRefused) {
  const Bytes whole = module_to_cbor(sample());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(module_from_cbor(std::span(whole).first(size)).ok()) << size;
  }
}

TEST(Cbor, AnySingleWrongByteIsReadOrRefused) {
  Bytes bytes = module_to_cbor(sample());
  int accepted = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const std::uint8_t flip : {0x01, 0x20, 0x80, 0xFF}) {
      bytes[i] ^= flip;
      accepted += module_from_cbor(bytes).ok() ? 1 : 0;
      bytes[i] ^= flip;
    }
  }
  EXPECT_GT(accepted, 0);  // letters of names, elements of constants
}

TEST(Cbor, OtherWritersEncodingsAreRead) {
  // {"a": [-1, 1.5]} with the length of the array in eight bytes and the number as a half.
  const Bytes bytes = {0xA1, 0x61, 'a', 0x9B, 0, 0, 0, 0, 0, 0, 0, 2, 0x20, 0xF9, 0x3E, 0x00};
  EXPECT_EQ(*parse_cbor(bytes), json({{"a", {-1, 1.5}}}));
  EXPECT_EQ(*parse_cbor(to_cbor(json({{"b", {1, 2.5, nullptr, true}}}))),
            json({{"b", {1, 2.5, nullptr, true}}}));
}

}  // namespace
}  // namespace passdiff

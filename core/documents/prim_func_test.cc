// Functions of TensorIR in module documents.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/documents/json.h"
#include "core/documents/wire/schema.h"
#include "core/form/builder.h"
#include "core/ir/structural.h"
#include "core/ir/tir/structural.h"

namespace passdiff::tir {
namespace {

using nlohmann::json;
using Bytes = std::vector<std::uint8_t>;

constexpr ScalarType kFloat = number_type(DType::float32);
constexpr ScalarType kInt = number_type(DType::int64);
constexpr ScalarType kFourFloats = number_type(DType::float32, 4);

Expr load(const Buffer& buffer, std::vector<Expr> indices) {
  return make_expr(BufferLoad{buffer, std::move(indices), nullptr}, kFloat);
}
Expr truth() {
  return int_imm(1, DType::boolean);
}
Stmt store(const Buffer& buffer, const Expr& index, const Expr& value) {
  return make_stmt(BufferStore{buffer, value, {index}, nullptr});
}

struct Sample {
  Var n = make_var("n", kInt);
  Var i = make_var("i", kInt);
  Buffer a = std::make_shared<const BufferNode>(BufferNode{.name = "A", .shape = {var_expr(n)}});
  // Its shape mentions another buffer, and it has all that a buffer can have.
  Buffer view = std::make_shared<const BufferNode>(
      BufferNode{.name = "V",
                 .dtype = kFloat,
                 .shape = {make_expr(Cast{load(a, {int_imm(0)})}, kInt), int_imm(2)},
                 .strides = {int_imm(2), int_imm(1)},
                 .elem_offset = var_expr(make_var("offset", number_type(DType::int32))),
                 .scope = "shared",
                 .data_alignment = 16,
                 .offset_factor = 4,
                 .axis_separators = {1}});

  std::vector<Expr> scalars() const;
  std::vector<Expr> vectors() const;
  std::vector<Stmt> statements() const;
  Stmt block(const Stmt& init, const Stmt& body) const;
  Module module() const;
};

std::vector<Expr> Sample::scalars() const {
  const Expr half = make_expr(FloatImm{0.5}, kFloat);
  std::vector<Expr> all = {half,
                           make_expr(FloatImm{-std::numeric_limits<double>::infinity()}, kFloat),
                           int_imm(-7, DType::int8),
                           make_expr(StringImm{"text"}, kHandle),
                           make_expr(Not{truth()}, number_type(DType::boolean)),
                           make_expr(Select{truth(), half, half}, kFloat),
                           make_expr(Cast{half}, number_type(DType::float16)),
                           load(a, {var_expr(i)}),
                           make_expr(Call{"exp", {half}}, kFloat),
                           make_expr(Call{"tvm_storage_sync", {}}, kNoValue),
                           make_expr(FunctionCall{"other", {half}}, kFloat),
                           make_expr(BufferData{a}, kHandle),
                           make_expr(BufferArg{view}, kHandle)};
  const Var bound = make_var("x", kFloat);
  all.push_back(make_expr(Let{bound, half, var_expr(bound)}, kFloat));
  for (std::size_t op = 0; op < kBinaryOps; ++op) {
    const auto binary = static_cast<BinaryOp>(op);
    const bool compares = is_comparison(binary) || is_logical(binary);
    all.push_back(make_expr(Binary{binary, half, half}, compares ? number_type(DType::boolean) : kFloat));
  }
  return all;
}

std::vector<Expr> Sample::vectors() const {
  const Expr ramp = make_expr(Ramp{int_imm(0), int_imm(2)}, number_type(DType::int64, 4));
  const Expr mask = make_expr(Broadcast{truth()}, number_type(DType::boolean, 4));
  const Expr four = make_expr(BufferLoad{a, {ramp}, mask}, kFourFloats);
  return {four, make_expr(Shuffle{{four, four}, {int_imm(1), int_imm(6)}}, number_type(DType::float32, 2))};
}

Stmt Sample::block(const Stmt& init, const Stmt& body) const {
  const Var v = make_var("v", kInt);
  const BufferRegion region{a, {{var_expr(v), int_imm(1)}}};
  SBlock block{.name = "update",
               .iter_vars = {{v, {int_imm(0), var_expr(n)}, IterKind::reduction}},
               .reads = {region},
               .writes = {region},
               .alloc_buffers = {view},
               .match_buffers = {{view, region}},
               .annotations = {{"axis", std::int64_t{1}}},
               .init = init,
               .body = body};
  return make_stmt(SBlockRealize{{var_expr(i)}, truth(), std::move(block)});
}

std::vector<Stmt> Sample::statements() const {
  std::vector<Stmt> all;
  for (const Expr& expr : scalars()) all.push_back(make_stmt(Evaluate{expr}));
  for (const Expr& expr : vectors()) all.push_back(make_stmt(Evaluate{expr}));
  const Expr value = load(a, {var_expr(i)});
  const Expr mask = make_expr(Broadcast{truth()}, number_type(DType::boolean, 4));
  const Stmt simple = store(a, var_expr(i), value);
  all.push_back(make_stmt(BufferStore{a, vectors()[0], {int_imm(0)}, mask}));
  all.push_back(make_stmt(Bind{make_var("y", kFloat), value}));
  all.push_back(make_stmt(AllocBuffer{view, {{"flag", true}}}));
  all.push_back(make_stmt(DeclBuffer{view, make_expr(BufferData{a}, kHandle)}));
  all.push_back(make_stmt(While{truth(), make_stmt(Break{})}));
  all.push_back(make_stmt(IfThenElse{truth(), make_stmt(Continue{}), nullptr}));
  all.push_back(make_stmt(IfThenElse{truth(), simple, simple}));
  all.push_back(make_stmt(AssertStmt{truth(), "ValueError", {"one", "two"}}));
  all.push_back(make_stmt(AttrStmt{{}, "", "none", int_imm(1), simple}));
  all.push_back(make_stmt(AttrStmt{std::string("s"), "", "text", int_imm(1), simple}));
  all.push_back(make_stmt(AttrStmt{std::int64_t{0}, "", "number", int_imm(1), simple}));
  all.push_back(make_stmt(AttrStmt{a, "", "buffer", int_imm(1), simple}));
  all.push_back(make_stmt(AttrStmt{make_var("t", kInt), "threadIdx.x", "thread_extent", int_imm(8), simple}));
  all.push_back(block(simple, simple));
  all.push_back(block(nullptr, simple));
  all.push_back(make_stmt(For{make_var("j", kInt), int_imm(0), int_imm(8), int_imm(2), ForKind::unrolled, "", {}, simple}));
  all.push_back(make_stmt(Return{int_imm(0, DType::int32)}));
  return all;
}

Module Sample::module() const {
  PrimFunc function;
  function.params = {a, make_var("p", kHandle), n};
  function.result = number_type(DType::int32);
  function.attrs = {{"tirx.noalias", true}, {"target", std::string("llvm")}};
  function.body = make_stmt(For{i, int_imm(0), var_expr(n), nullptr, ForKind::thread_binding, "blockIdx.x",
                                {{"pragma", std::int64_t{3}}}, make_stmt(Seq{statements()})});
  PrimFunc other;
  other.body = make_stmt(Evaluate{int_imm(0)});
  Module module;
  module.prim_funcs = {{"kernel", std::make_shared<const PrimFunc>(std::move(function)), true},
                       {"other", std::make_shared<const PrimFunc>(std::move(other)), false}};
  return module;
}

// The documents of the sample, as a tree that tests change.
json document() {
  return to_json(Sample().module());
}
std::string error_of(const json& changed) {
  const auto read = module_from_json(changed);
  return read.ok() ? "none" : read.error().code;
}

TEST(PrimFuncDocument, EveryAlternativeSurvives) {
  const Module module = Sample().module();
  const Bytes wire = module_to_cbor(module);
  const auto back = module_from_cbor(wire);
  ASSERT_TRUE(back.ok()) << back.error().message;
  ASSERT_EQ(back->prim_funcs.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_TRUE(structural_equal(*module.prim_funcs[i].function, *back->prim_funcs[i].function));
    EXPECT_EQ(module.prim_funcs[i].name, back->prim_funcs[i].name);
    EXPECT_EQ(module.prim_funcs[i].is_public, back->prim_funcs[i].is_public);
  }
  EXPECT_EQ(module_to_cbor(*back), wire);
  const auto text = module_from_json(*parse_json(to_json(module).dump()));
  ASSERT_TRUE(text.ok()) << text.error().message;
  EXPECT_EQ(module_to_cbor(*text), wire);
}

// The sample would not do if it lacked a form.
TEST(PrimFuncDocument, TheSampleHasEveryForm) {
  const std::string text = document().dump();
  const auto expect_tag = [&](std::string_view tag) {
    EXPECT_NE(text.find("[\"" + std::string(tag) + "\""), std::string::npos) << tag;
  };
  for (const Form& form : kForms<ScalarForm>) expect_tag(form.tag);
  for (const Form& form : kForms<StmtForm>) expect_tag(form.tag);
  for (const Form& form : kForms<NodeForm>) expect_tag(form.tag);
  for (std::size_t op = 0; op < kBinaryOps; ++op) expect_tag(binary_op_name(static_cast<BinaryOp>(op)));
}

TEST(PrimFuncDocument, ModulesWithoutSuchFunctionsHaveNoKeyForThem) {
  EXPECT_FALSE(to_json(Module()).contains("prim_funcs"));
  json empty = to_json(Module());
  empty["prim_funcs"] = json::array();
  EXPECT_EQ(error_of(empty), "none");
}

// The sample with a function of Relax.
Module with_relax(Module module) {
  const passdiff::Var x = passdiff::make_var("x", tensor_type({2}, DType::float32));
  module.functions.push_back({"main", make_function({x}, SeqExpr{{}, passdiff::var_expr(x)})});
  return module;
}

TEST(PrimFuncDocument, ModulesThatAreReadTogetherShareEqualFunctions) {
  const Module module = with_relax(Sample().module());
  Module other = module;
  other.prim_funcs.pop_back();
  ReadDocuments known;
  const Result<Module> first = module_from_cbor(module_to_cbor(module), &known);
  const Result<Module> second = module_from_cbor(module_to_cbor(other), &known);
  const Result<Module> alone = module_from_cbor(module_to_cbor(other));
  ASSERT_TRUE(first && second && alone);
  EXPECT_EQ(first->prim_funcs[0].function, second->prim_funcs[0].function);
  EXPECT_NE(first->prim_funcs[0].function, first->prim_funcs[1].function);
  EXPECT_NE(first->prim_funcs[0].function, alone->prim_funcs[0].function);
  EXPECT_EQ(first->functions[0].function, second->functions[0].function) << "those of Relax are equal";
  EXPECT_TRUE(structural_equal(*second, *alone));
}

TEST(PrimFuncDocument, ModulesWithOtherTablesShareNothing) {
  Module module = with_relax(Sample().module());
  ReadDocuments known;
  const Result<Module> first = module_from_cbor(module_to_cbor(module), &known);
  module.vdevices.push_back({"llvm", 0, "global"});
  const Result<Module> second = module_from_cbor(module_to_cbor(module), &known);
  ASSERT_TRUE(first && second);
  EXPECT_NE(first->functions[0].function, second->functions[0].function);
  EXPECT_NE(first->prim_funcs[0].function, second->prim_funcs[0].function);
}

TEST(PrimFuncDocument, IndicesAreChecked) {
  json variable = document();
  variable["prim_funcs"][1]["body"] = {"eval", 0};
  EXPECT_EQ(error_of(variable), "json.index");
  json buffer = document();
  buffer["prim_funcs"][1]["body"] = {"eval", {"data", 0}};
  EXPECT_EQ(error_of(buffer), "json.index");
  // A row of the table that uses itself, or a later one, would be read without end.
  json cycle = document();
  cycle["prim_funcs"][0]["buffers"][0][2] = json::array({{"load", 0, {{"int", "int64", 0}}}});
  EXPECT_EQ(error_of(cycle), "json.index");
}

TEST(PrimFuncDocument, FaultsAreRefusedWithTheirCodes) {
  const auto with_body = [](json body) {
    json changed = document();
    changed["prim_funcs"][1]["body"] = std::move(body);
    return error_of(changed);
  };
  const json one = {"int", "int64", 1};
  EXPECT_EQ(with_body({"eval", one}), "none");
  EXPECT_EQ(with_body({"evaluate", one}), "json.name");
  EXPECT_EQ(with_body({"eval"}), "json.type");
  EXPECT_EQ(with_body(one), "json.name");
  EXPECT_EQ(with_body({"eval", {"Pow", one, one}}), "json.name");
  EXPECT_EQ(with_body({"eval", {"Add", one}}), "json.name");
  EXPECT_EQ(with_body({"eval", {"int", "float32", 1}}), "json.type");
  EXPECT_EQ(with_body({"eval", {"float", "int8", 1.5}}), "json.type");
  EXPECT_EQ(with_body({"eval", {"cast", "float32x99999", one}}), "json.name");
  EXPECT_EQ(with_body({"eval", {"ramp", one, one, 1 << 20}}), "json.number");
  EXPECT_EQ(with_body({"eval", {"shuffle", json::array(), {one}}}), "json.type");
  EXPECT_EQ(with_body({"block", json::array(), one, "b", json::array({{0, one, one, "spatial"}}), json::array(),
                       json::array(), json::array(), json::array(), json::object(), nullptr, {"eval", one}}),
            "json.index");
  json deep = {"eval", one};
  for (int i = 0; i < 600; ++i) deep = {"while", one, deep};
  EXPECT_EQ(with_body(deep), "json.depth");
}

TEST(PrimFuncDocument, EveryPrefixIsRefused) {
  const Bytes whole = module_to_cbor(Sample().module());
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(module_from_cbor(std::span(whole).first(size)).ok()) << size;
}

TEST(PrimFuncDocument, AnySingleWrongByteIsReadOrRefused) {
  Bytes bytes = module_to_cbor(Sample().module());
  int accepted = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const std::uint8_t flip : {0x01, 0x20, 0x80, 0xFF}) {
      bytes[i] ^= flip;
      if (const auto read = module_from_cbor(bytes)) {
        static_cast<void>(module_to_cbor(*read));
        ++accepted;
      }
      bytes[i] ^= flip;
    }
  }
  EXPECT_GT(accepted, 0);
}

}  // namespace
}  // namespace passdiff::tir

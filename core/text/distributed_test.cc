// Modules with distributed tensors as text.
#include <gtest/gtest.h>

#include "core/form/well_formed.h"
#include "core/ir/structural.h"
#include "core/text/text.h"

namespace passdiff {
namespace {

constexpr std::string_view kModule = R"py(
@I.ir_module
class Module:
    I.module_attrs({"device_num": 10})
    I.module_global_infos({"mesh": [R.device_mesh((2, 2), I.Range(0, 4)), R.device_mesh((1,), [4])]})
    @T.prim_func(s_tir=True)
    def add_one(x: T.Buffer((T.int64(4), T.int64(4)), "float32"), y: T.Buffer((T.int64(4), T.int64(4)), "float32")):
        for i, j in T.grid(T.int64(4), T.int64(4)):
            with T.sblock(""):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(x[vi, vj])
                T.writes(y[vi, vj])
                y[vi, vj] = x[vi, vj] + T.float32(1.0)

    @R.function
    def main(x: R.DTensor((4, 4), "float32", "mesh[0]", "S[0], R"), w: R.DTensor((4,), "float32", "mesh[1]", "R")) -> R.DTensor((4, 4), "float32", "mesh[0]", "R, S[1]"):
        cls = Module
        a = R.dist.call_tir(cls.add_one, (x,), out_ty=R.DTensor((4, 4), "float32", "mesh[0]", "S[0], R"))
        b: R.DTensor((4, 4), "float32", "mesh[0]", "S[0], R") = R.add(a, R.dist.const(1.0, R.DTensor((), "float32", "mesh[0]", "R, R")))
        c: R.DTensor((4, 4), "float32", "mesh[0]", "R, S[1]") = R.dist.redistribute(b, device_mesh="mesh[0]", placement="R,S[1]")
        d = R.dist.redistribute_replica_to_shard(w, num_workers=1, axis=0)
        e = R.dist.call_tir_local_view(cls.add_one, (c,), out_ty=[R.DTensor((4, 4), "float32", "mesh[0]", "R, S[1]"), R.DTensor(dtype="float32", device_mesh="mesh[1]", placement="R", ndim=2)])
        f = R.dist.annotate_sharding(c, device_mesh="mesh[1]", placement="S[0]")
        return c
)py";

std::string error_code_with(std::string text, std::string_view part, std::string_view other) {
  const std::size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  const Result<Module> module = parse_text(text.replace(at, part.size(), other));
  return module.ok() ? "" : module.error().code;
}

TEST(DistributedText, IsReadAndPrintedAndReadAgain) {
  const Module module = parse_text(kModule).value();
  const std::optional<Error> fault = well_formed(module);
  EXPECT_FALSE(fault.has_value()) << fault->message;
  ASSERT_EQ(module.meshes.size(), 2U);
  EXPECT_EQ(module.meshes[0], (DeviceMesh{.shape = {2, 2}, .device_ids = {0, 1, 2, 3}, .is_range = true}));
  EXPECT_EQ(module.meshes[1], (DeviceMesh{.shape = {1}, .device_ids = {4}}));
  const TensorType& x = *module.find("main")->function->params[0]->type.as_tensor();
  EXPECT_EQ(x.sharding, (Sharding{.mesh = 0, .placement = {0, kReplica}}));
  const Module again = parse_text(print(module)).value();
  EXPECT_EQ(again.meshes, module.meshes);
  EXPECT_TRUE(structural_equal(module, again)) << print(module);
  EXPECT_TRUE(has_faithful_text(module));
}

TEST(DistributedText, CountsInStructuralEquality) {
  const Module module = parse_text(kModule).value();
  Module other_mesh = module;
  other_mesh.meshes[0].is_range = false;
  EXPECT_FALSE(structural_equal(module, other_mesh));
  std::string text(kModule);
  text.replace(text.find("\"R, R\")"), 7, "\"R,R \")");
  EXPECT_TRUE(structural_equal(module, parse_text(text).value()));
  text.replace(text.find("\"mesh[0]\", \"R,R \")"), 9, "\"mesh[1]\"");
  EXPECT_FALSE(structural_equal(module, parse_text(text).value()));
}

TEST(DistributedText, ListsAMeshThatTheModuleDoesNot) {
  const Module module = parse_text(R"py(
@R.function
def main(x: R.DTensor((4,), "float32", R.device_mesh((2,), R.Range(0, 2)), "S[0]")):
    y = R.dist.redistribute(x, R.device_mesh((2,), I.Range(0, 2)), "R")
    return y
)py").value();
  EXPECT_EQ(module.meshes, (std::vector<DeviceMesh>{{.shape = {2}, .device_ids = {0, 1}, .is_range = true}}));
  EXPECT_FALSE(well_formed(module).has_value());
}

TEST(DistributedText, FaultsHaveStableCodes) {
  const std::string text(kModule);
  EXPECT_EQ(error_code_with(text, "\"mesh[1]\", \"R\"", "\"mesh[2]\", \"R\""), "parse.mesh");
  EXPECT_EQ(error_code_with(text, "\"mesh[1]\", \"R\"", "\"mesh[1]\", \"S[x]\""), "parse.mesh");
  EXPECT_EQ(error_code_with(text, "\"mesh[1]\", \"R\"", "\"mesh[1]\""), "parse.type");
  EXPECT_EQ(error_code_with(text, "I.Range(0, 4)", "I.Range(0, 3)"), "parse.mesh");
  EXPECT_EQ(error_code_with(text, "placement=\"S[0]\"", "placement=\"S[0\""), "type.attribute");
  EXPECT_EQ(error_code_with(text, "placement=\"R,S[1]\"", "placement=\"Q\""), "type.attribute");
}

}  // namespace
}  // namespace passdiff

#include "core/gen/sharding.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "core/form/builder.h"
#include "core/ir/rewriter.h"

namespace passdiff {
namespace {

// The ops that src/relax/distributed/transform/propagate_sharding.cc of TVM 0.27 knows, without the prefix "relax.".
constexpr std::array<std::string_view, 50> kFollowed = {
    "abs",      "acos",      "acosh",    "add",          "asin",        "asinh",         "atan",  "atanh",    "ceil",
    "clip",     "cos",       "cosh",     "divide",       "equal",       "erf",           "exp",   "floor",    "floor_divide",
    "greater",  "greater_equal", "isfinite", "isinf",    "isnan",       "less",          "less_equal", "log", "matmul",
    "max",      "maximum",   "mean",     "min",          "minimum",     "multiply",      "negative", "nn.gelu", "nn.relu",
    "nn.softmax", "not_equal", "permute_dims", "power",  "prod",        "reshape",       "round", "rsqrt",    "sigmoid",
    "sign",     "sqrt",      "std",      "subtract",     "sum"};

bool is_followed(const OpDef& op) {
  constexpr std::string_view kPrefix = "relax.";
  const std::string_view name = std::string_view(op.name).substr(kPrefix.size());
  return std::find(kFollowed.begin(), kFollowed.end(), name) != kFollowed.end();
}

DeviceMesh draw_mesh(Choices& choices) {
  static const std::vector<std::vector<std::int64_t>> kShapes = {{2}, {2}, {4}, {1}, {3}, {2, 2}, {2, 1}};
  DeviceMesh mesh{.shape = choices.pick(kShapes), .device_ids = {}, .is_range = !choices.one_in(4)};
  std::int64_t places = 1;
  for (const std::int64_t size : mesh.shape) places *= size;
  mesh.device_ids.resize(static_cast<std::size_t>(places));
  std::iota(mesh.device_ids.begin(), mesh.device_ids.end(), choices.integer(0, 2));
  return mesh;
}

// Mostly of all of the tensor for each device, and never of one axis for two dims of the mesh.
Placement draw_placement(Choices& choices, const DeviceMesh& mesh, int rank) {
  Placement placement;
  for (std::size_t i = 0; i < mesh.shape.size(); ++i) {
    const int axis = rank > 0 && choices.one_in(4) ? static_cast<int>(choices.index(static_cast<std::size_t>(rank))) : kReplica;
    const bool taken = std::find(placement.begin(), placement.end(), axis) != placement.end();
    placement.push_back(taken ? kReplica : axis);
  }
  return placement;
}

Binding annotation(Choices& choices, const Module& module, const Var& of, bool dataflow) {
  const Attrs attrs{MeshRef{0}, to_string(draw_placement(choices, module.meshes[0], of->type.as_tensor()->rank))};
  Result<ExprPtr> call = make_call(*find_op("relax.dist.annotate_sharding"), {var_expr(of)}, attrs);
  CHECK(call.ok()) << call.error().message;
  return {make_var(of->name + "_spread", of->type, dataflow), *std::move(call), std::nullopt};
}

bool is_tensor(const Var& var) {
  const TensorType* type = var->type.as_tensor();
  return type != nullptr && type->shape;
}

}  // namespace

void restrict_to_sharding(Config& config) {
  std::erase_if(config.ops, [](std::uint8_t op) { return !is_followed(all_ops()[op]); });
  if (config.ops.empty()) {
    for (std::size_t i = 0; i < all_ops().size(); ++i) {
      if (is_followed(all_ops()[i])) config.ops.push_back(static_cast<std::uint8_t>(i));
    }
  }
  config.idioms.clear();
  config.constants_of_16 = std::min(config.constants_of_16, 1U);  // one that a sharding reaches is refused
  config.blocks = BlockStyle::one_dataflow;
  config.branches = config.closures = config.sibling = config.odd_outputs = false;
  config.max_helpers = config.vdevices = 0;
}

void annotate_shardings(Choices& choices, Module& module) {
  module.meshes = {draw_mesh(choices)};
  for (GlobalFunction& global : module.functions) {
    if (global.name != "main" || global.function->body.blocks.empty()) continue;
    Function function = *global.function;
    const Block old = function.body.blocks.front();
    std::vector<Binding>& bindings = function.body.blocks.front().bindings;
    bindings.clear();
    // What is annotated is used from then on instead of the variable itself.
    Substitution spread;
    const auto annotate = [&](const Var& var) {
      Binding binding = annotation(choices, module, var, old.dataflow);
      spread.vars.set(var.get(), var_expr(binding.var));
      bindings.push_back(std::move(binding));
    };
    for (const Var& param : function.params) {
      if (is_tensor(param)) annotate(param);
    }
    for (const Binding& binding : old.bindings) {
      bindings.push_back({binding.var, substitute(binding.value, spread), binding.match_cast});
      if (old.dataflow && binding.var->dataflow && is_tensor(binding.var) && choices.one_in(6)) annotate(binding.var);
    }
    global.function = std::make_shared<const Function>(std::move(function));
  }
}

}  // namespace passdiff

#include "passes/tvm/options.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <vector>

#include "core/ir/queries.h"

namespace passdiff {
namespace {

using nlohmann::json;

constexpr std::string_view kNone = "{}";

// The dtypes that Gradient takes for floats: bfloat16 and those of 8 bits have type codes of their own.
bool is_differentiable(DType dtype) {
  return dtype == DType::float32 || dtype == DType::float64 || dtype == DType::float16;
}

// Whether the type mentions a dim that is computed (n * 2). The size of a bound value is not proven equal to it.
bool has_computed_dims(const Type& type) {
  const TensorType* tensor = type.as_tensor();
  return tensor != nullptr && tensor->shape &&
         std::any_of(tensor->shape->begin(), tensor->shape->end(), [](const Dim& dim) { return !dim.is_static() && dim.as_var() == nullptr; });
}

bool is_float_tensor(const Type& type) {
  const TensorType* tensor = type.as_tensor();
  return tensor != nullptr && tensor->shape && tensor->dtype && is_differentiable(*tensor->dtype);
}

bool is_scalar_variable(const ExprPtr& expr) {
  return as<Var>(expr) != nullptr && is_float_tensor(expr->type) && expr->type.as_tensor()->shape->empty();
}

}  // namespace

const GlobalFunction* entry_of(const Module& module) {
  if (const GlobalFunction* main = module.find("main")) return main;
  const auto found = std::find_if(module.functions.begin(), module.functions.end(),
                                  [](const GlobalFunction& function) { return function.is_public; });
  return found == module.functions.end() ? nullptr : &*found;
}

std::vector<int> scalar_results(const Function& function) {
  const ExprPtr& result = function.body.result;
  const Tuple* tuple = as<Tuple>(result);
  if (tuple == nullptr) return is_scalar_variable(result) ? std::vector<int>{0} : std::vector<int>{};
  std::vector<int> found;
  for (std::size_t i = 0; i < tuple->fields.size(); ++i) {
    if (is_scalar_variable(tuple->fields[i])) found.push_back(static_cast<int>(i));
  }
  return found;
}

std::string draw_bind_params(Choices& choices, const Module& module) {
  const GlobalFunction* entry = entry_of(module);
  if (entry == nullptr) return std::string(kNone);
  // The attribute num_input goes on counting inputs: weights alone are bound where it says which those are.
  const std::vector<Var>& all = entry->function->params;
  const auto count = entry->function->attrs.find("num_input");
  const auto* inputs = count == entry->function->attrs.end() ? nullptr : std::get_if<std::int64_t>(&count->second);
  json params = json::object();
  for (std::size_t i = inputs == nullptr ? 0 : static_cast<std::size_t>(std::max<std::int64_t>(*inputs, 0)); i < all.size(); ++i) {
    if (all[i]->type.as_tensor() != nullptr && !has_computed_dims(all[i]->type) && choices.flip()) params[all[i]->name] = {{"$argument", all[i]->name}};
  }
  return json{{"func_name", entry->name}, {"params", std::move(params)}}.dump();
}

std::string draw_bind_symbolic_vars(Choices& choices, const Module& module) {
  const GlobalFunction* entry = entry_of(module);
  if (entry == nullptr) return std::string(kNone);
  std::set<std::string> names;
  for (const Var& param : entry->function->params)
    for_each_sym_var(param->type, [&](const SymVar& var) { names.insert(var->name); });
  json sizes = json::object();
  for (const std::string& name : names) {
    if (!choices.one_in(4)) sizes[name] = {{"$size", name}};
  }
  return json{{"binding_map", std::move(sizes)}, {"func_name", entry->name}}.dump();
}

std::string draw_bundle_model_params(Choices& choices, const Module&) {
  static const std::string options[] = {"{}", R"({"param_tuple_name": "model_params"})"};
  return choices.pick(options);
}

std::string draw_combine_parallel_matmul(Choices& choices, const Module&) {
  // The pass crashes on a missing check function; one that accepts everything lets it rewrite the most.
  static const std::string always = R"({"check": {"$callable": "always"}})";
  static const std::string options[] = {always, always, always, always, always, R"({"check": {"$callable": "pairs"}})",
                                        R"({"check": {"$callable": "pairs"}})", R"({"check": {"$callable": "never"}})"};
  return choices.pick(options);
}

std::string draw_convert_layout(Choices& choices, const Module&) {
  static const std::string options[] = {
      R"({"desired_layouts": {"relax.nn.conv2d": ["NHWC", "OHWI"]}})",
      R"({"desired_layouts": {"relax.nn.conv2d": ["NHWC", "HWIO"]}})",
      R"({"desired_layouts": {"relax.nn.conv2d": ["NCHW4c", "OIHW4o"]}})",
      R"({"desired_layouts": {"relax.nn.conv2d": ["NHWC", "OHWI"], "relax.nn.conv2d_transpose": ["NHWC", "IOHW"]}})",
      R"({"desired_layouts": {}})"};
  return choices.pick(options);
}

std::string draw_convert_to_dataflow(Choices& choices, const Module&) {
  static const std::string options[] = {"{}", R"({"min_size": 1})", R"({"min_size": 3})"};
  return choices.pick(options);
}

std::string draw_dead_code_elimination(Choices& choices, const Module& module) {
  const GlobalFunction* entry = entry_of(module);
  if (entry == nullptr || !choices.flip()) return std::string(kNone);
  return json{{"entry_functions", {entry->name}}}.dump();
}

std::string draw_decompose_ops(Choices& choices, const Module& module) {
  const GlobalFunction* entry = entry_of(module);
  if (entry == nullptr || !choices.one_in(4)) return std::string(kNone);
  return json{{"func_name", entry->name}}.dump();
}

std::string draw_eliminate_common_subexpr(Choices& choices, const Module&) {
  static const std::string options[] = {"{}", R"({"call_only": true})"};
  return choices.pick(options);
}

std::string draw_fuse_ops(Choices& choices, const Module&) {
  static const std::string options[] = {"{}", R"({"fuse_opt_level": 0})", R"({"fuse_opt_level": 1})",
                                        R"({"fuse_opt_level": 2})"};
  return choices.pick(options);
}

std::string draw_fuse_ops_by_pattern(Choices& choices, const Module&) {
  static const std::string patterns[] = {"matmul_bias", "matmul_relu", "matmul",     "conv2d_relu", "conv2d",   "transposed",
                                         "split_item",  "added_twice", "multiplied", "negative",    "reshape"};
  json names = json::array();
  for (const std::string& pattern : patterns) {
    if (!choices.one_in(3)) names.push_back(pattern);
  }
  json options = {{"patterns", {{"$patterns", std::move(names)}}}};
  if (choices.one_in(3)) options["bind_constants"] = false;
  if (choices.one_in(3)) options["annotate_codegen"] = true;
  return options.dump();
}

std::string draw_gradient(Choices& choices, const Module& module) {
  const GlobalFunction* entry = entry_of(module);
  const std::vector<int> targets = entry == nullptr ? std::vector<int>() : scalar_results(*entry->function);
  if (targets.empty()) return std::string(kNone);
  json options = {{"func_name", entry->name}};
  if (const int target = choices.pick(targets); target != 0) options["target_index"] = target;
  // Without a list the pass differentiates by all parameters, which must then be tensors of floats.
  const std::vector<Var>& params = entry->function->params;
  const bool all = std::all_of(params.begin(), params.end(), [](const Var& param) { return is_float_tensor(param->type); });
  if (all && !choices.one_in(3)) return options.dump();
  json by = json::array();
  for (const Var& param : params) {
    if (is_float_tensor(param->type) && !choices.one_in(4)) by.push_back({{"$param", param->name}});
  }
  options["require_grads"] = std::move(by);
  return options.dump();
}

std::string draw_legalize_ops(Choices& choices, const Module&) {
  static const std::string variants[] = {R"({"skip_ops": ["relax.add", "relax.matmul"]})", R"({"skip_ops": ["relax.reshape", "relax.nn.softmax"]})",
                                         R"({"enable_warning": true})",
                                         R"({"customize_legalize_map": {"relax.multiply": {"$callable": "multiply_exchanged"}}})"};
  // Three times in four as the passes after it need it: these share what it makes, which takes longer than any other pass.
  const std::size_t drawn = choices.index(4 * std::size(variants));
  return drawn < std::size(variants) ? variants[drawn] : "{}";
}

std::string draw_lift_transform_params(Choices& choices, const Module& module) {
  const bool liftable = std::any_of(
      module.functions.begin(), module.functions.end(),
      [](const GlobalFunction& function) { return function.function->attrs.contains("num_input"); });
  if (!liftable) return std::string(kNone);
  switch (choices.weighted(std::vector<unsigned>{4, 2, 1})) {
    case 0:
      return std::string(kNone);
    case 1:
      // A function of this name is what an earlier run has lifted, by the pass's own convention, and is composed with what this one lifts.
      return module.find("transform_params") != nullptr ? std::string(kNone) : R"({"shared_transform": true})";
    default:
      break;
  }
  const GlobalFunction* entry = entry_of(module);
  if (entry == nullptr || !entry->function->attrs.contains("num_input")) return std::string(kNone);
  return json{{"shared_transform", {entry->name}}}.dump();
}

std::string draw_to_mixed_precision(Choices& choices, const Module&) {
  // The option fp16_input_names is not drawn: it changes the types of parameters, so that the target takes other arguments.
  static const std::string options[] = {"{}", R"({"out_dtype": "float16"})", R"({"out_dtype": "float32"})"};
  return choices.pick(options);
}

std::string draw_topological_sort(Choices& choices, const Module&) {
  static const std::string orders[] = {"depth-first", "breadth-first"};
  static const std::string directions[] = {"from-inputs", "from-outputs"};
  const std::string& order = choices.pick(orders);
  return R"({"order": ")" + order + R"(", "direction": ")" + choices.pick(directions) + R"("})";
}

std::string draw_update_param_type(Choices&, const Module&) {
  return R"({"ty_func": {"$callable": "forget_shapes"}})";
}

std::string draw_update_vdevice(Choices& choices, const Module& module) {
  // In a module without vdevices there is nothing to update: the pass refuses it, as its contract allows.
  const std::size_t count = std::max<std::size_t>(module.vdevices.size(), 1);
  const std::size_t from = choices.index(count);
  return json{{"new_vdevice", {{"$vdevice", choices.index(count)}}}, {"index", from}}.dump();
}

std::string draw_vm_shape_lower(Choices& choices, const Module&) {
  static const std::string options[] = {"{}", R"({"emit_err_ctx": false})"};
  return choices.pick(options);
}

}  // namespace passdiff

#include "passes/tvm/options.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

namespace passdiff {
namespace {

using nlohmann::json;

constexpr std::string_view kNone = "{}";

// The function that a campaign calls, or null: modules made by hand may have none of that name.
const GlobalFunction* entry_of(const Module& module) {
  if (const GlobalFunction* main = module.find("main")) return main;
  const auto found = std::find_if(module.functions.begin(), module.functions.end(),
                                  [](const GlobalFunction& function) { return function.is_public; });
  return found == module.functions.end() ? nullptr : &*found;
}

}  // namespace

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

std::string draw_legalize_ops(Choices& choices, const Module&) {
  static const std::string options[] = {"{}", "{}", R"({"skip_ops": ["relax.add", "relax.matmul"]})",
                                        R"({"skip_ops": ["relax.reshape", "relax.nn.softmax"]})",
                                        R"({"enable_warning": true})"};
  return choices.pick(options);
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
      return R"({"shared_transform": true})";
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

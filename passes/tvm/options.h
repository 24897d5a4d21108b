// How a campaign draws the options of TVM's passes: one function per pass that has any, as the text of a JSON
// object.
#pragma once

#include <string>
#include <vector>

#include "core/ir/module.h"
#include "core/choices/choices.h"

namespace passdiff {

// The function that a campaign calls, or null: modules made by hand may have none of that name.
const GlobalFunction* entry_of(const Module& module);
// The fields of the function's result (0 for a result that is no tuple) that are variables and of rank 0, of a float dtype
// that TVM differentiates.
std::vector<int> scalar_results(const Function& function);

std::string draw_bind_params(Choices& choices, const Module& module);
std::string draw_bind_symbolic_vars(Choices& choices, const Module& module);
std::string draw_bundle_model_params(Choices& choices, const Module& module);
std::string draw_combine_parallel_matmul(Choices& choices, const Module& module);
std::string draw_convert_layout(Choices& choices, const Module& module);
std::string draw_convert_to_dataflow(Choices& choices, const Module& module);
std::string draw_dead_code_elimination(Choices& choices, const Module& module);
std::string draw_decompose_ops(Choices& choices, const Module& module);
std::string draw_eliminate_common_subexpr(Choices& choices, const Module& module);
std::string draw_fuse_ops(Choices& choices, const Module& module);
std::string draw_fuse_ops_by_pattern(Choices& choices, const Module& module);
std::string draw_gradient(Choices& choices, const Module& module);
std::string draw_legalize_ops(Choices& choices, const Module& module);
std::string draw_lift_transform_params(Choices& choices, const Module& module);
std::string draw_to_mixed_precision(Choices& choices, const Module& module);
std::string draw_topological_sort(Choices& choices, const Module& module);
std::string draw_update_param_type(Choices& choices, const Module& module);
std::string draw_update_vdevice(Choices& choices, const Module& module);
std::string draw_vm_shape_lower(Choices& choices, const Module& module);

}  // namespace passdiff

// CombineParallelMatmul: matmuls with the same left operand become one matmul whose right operand is theirs joined column-wise,
// with the biases and the activation that all of them have; the result is split.
//
// Differs from TVM's. Right operands of rank 1 are left alone. Biases stay outside if one in the group is broadcast along the
// columns, and biases and activations do if their operand is used elsewhere (TVM then computes it twice). A matmul that depends on
// a member of a group does not join it. The matmuls of a group have equal batch dims, dtypes and vdevices of their right operands
// and equal result dtypes, not only equal ranks; right operands may be constants. All groups of a function are combined, and a
// weight may occur in a group several times (TVM then nests its groups, or gives up). The result is split along its own last axis.
// As in TVM, only matmuls of one segment are combined (local_rewrite.h).
#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/documents/json.h"
#include "core/ir/queries.h"
#include "core/ir/rewriter.h"
#include "passes/native/local_rewrite.h"
#include "passes/native/native_pass.h"
#include "passes/native/parallel_matmuls.h"

namespace passdiff {
namespace native::combine_parallel_matmul {
namespace {

constexpr FaultRow<CombineFaults> kFaults[] = {
    {&CombineFaults::dependent_merged, "combine-parallel-matmul/dependent-operand",
     "a matmul joins the group of one that its right operand depends on", "well-formed"},
    {&CombineFaults::split_sizes_reversed, "combine-parallel-matmul/split-sizes-reversed",
     "the result is split at sizes in the wrong order", "well-formed"},
    {&CombineFaults::split_axis_of_operands, "combine-parallel-matmul/split-axis-of-operands",
     "the result is split along the last axis of the larger operand, whatever its own rank", "transforms"},
    {&CombineFaults::parts_in_source_order, "combine-parallel-matmul/dynamic-part-not-moved",
     "operands are put in another order for the split, the parts are not", "outputs-refine"},
    {&CombineFaults::bias_on_first_axis, "combine-parallel-matmul/bias-on-first-axis",
     "biases of rank 2 are joined along their first axis", "transforms"},
    {&CombineFaults::broadcast_bias, "combine-parallel-matmul/broadcast-bias",
     "biases are joined although one is broadcast", "transforms"},
    {&CombineFaults::first_activation_for_all, "combine-parallel-matmul/activation-for-all",
     "the activation of the first matmul is applied to the whole group", "outputs-refine"},
    {&CombineFaults::mixed_out_dtypes, "combine-parallel-matmul/mixed-out-dtypes",
     "matmuls with different out_dtypes are combined", "well-formed"},
    {&CombineFaults::used_product_removed, "combine-parallel-matmul/used-product-removed",
     "a product goes into its biased sum although it is used elsewhere", "well-formed"},
    {&CombineFaults::rank_one_operand, "combine-parallel-matmul/rank-one-operand",
     "right operands of rank 1 are combined (apache/tvm issue 20197)", "transforms"},
    {&CombineFaults::order_reversed, "combine-parallel-matmul/order-alternates",
     "the order in a group hangs on what ran before", "repeatable"},
    {&CombineFaults::lone_matmul, "combine-parallel-matmul/lone-matmul",
     "one matmul makes a group, in every run anew", "idempotent"},
};

bool alternate() {
  thread_local bool reversed = false;
  return reversed = !reversed;
}

CombineFaults faults_of(const NativeRun& run) {
  CombineFaults faults = switched_on(kFaults, run);
  faults.order_reversed = faults.order_reversed && alternate();
  return faults;
}

bool is_matmul(const Binding& binding) {
  const auto* call = as<Call>(binding.value);
  const OpDef* callee = call == nullptr ? nullptr : called_op(*call);
  return callee != nullptr && callee->name == "relax.matmul";
}

class Combiner : public BindingRewriter {
 public:
  Combiner(const Module& module, const CombineFaults& faults) : module_(module), faults_(faults) {}

  Result<FunctionPtr> run(const FunctionPtr& function) {
    for_each_use(function->body, [&](const Var& var) { count(var); });
    FunctionPtr combined = this->function(function);
    if (error_) return *std::move(error_);
    return combined;
  }

 protected:
  bool block(const Block& old, BlockSink& to) override {
    to.begin_block(old.dataflow);
    Segment segment;
    const auto end_segment = [&] {
      to.add(combine_segment(std::exchange(segment, {}), old.dataflow));
    };
    for (const Binding& binding : old.bindings) {
      segment.push_back({binding.var, expr(binding.value), binding.match_cast});
      if (ends_segment(module_, binding.value)) end_segment();
    }
    end_segment();
    return true;
  }

 private:
  using Segment = std::vector<Binding>;

  void count(const Var& var) {
    const int* known = uses_.find(var.get());
    uses_.set(var.get(), known == nullptr ? 1 : *known + 1);
  }

  // Combines groups until there are none left, since combining may make a group that can be combined: so a second run of the pass
  // finds nothing.
  Segment combine_segment(Segment segment, bool dataflow) {
    const auto matmuls = std::count_if(segment.begin(), segment.end(), is_matmul);
    if (matmuls < (faults_.lone_matmul ? 1 : 2)) return segment;
    PointerMap<int> inside;
    for (const Binding& binding : segment) {
      for_each_use(binding.value, [&](const Var& var) {
        const int* known = inside.find(var.get());
        inside.set(var.get(), known == nullptr ? 1 : *known + 1);
      });
    }
    const auto used_outside = [&](const Var& var) {
      const int* all = uses_.find(var.get());
      const int* here = inside.find(var.get());
      return all != nullptr && *all > (here == nullptr ? 0 : *here);
    };
    while (auto next = combine_once(segment, dataflow, used_outside)) {
      segment = *std::move(next);
      if (faults_.lone_matmul) break;
    }
    return segment;
  }

  std::optional<Segment> combine_once(const Segment& segment, bool dataflow,
                                      const std::function<bool(const Var&)>& used_outside) {
    const ParallelMatmuls matmuls(segment, dataflow, used_outside, faults_);
    for (const ParallelBranches& group : matmuls.groups()) {
      auto combined = matmuls.combine(group);
      if (combined) return *std::move(combined);
      if (faults_.any() && !error_) error_ = combined.error();
    }
    return std::nullopt;
  }

  const Module& module_;
  const CombineFaults& faults_;
  PointerMap<int> uses_;
  std::optional<Error> error_;
};

std::optional<Error> check_options(std::string_view text) {
  if (text == "{}") return std::nullopt;
  const nlohmann::json document = TRY(parse_json(text));
  static const nlohmann::json kAlways = {{"check", {{"$callable", "always"}}}};
  if (document == kAlways || document == nlohmann::json::object()) return std::nullopt;
  return Error{"options.unknown", "CombineParallelMatmul: the one option is check, a function that says yes"};
}

Result<Module> run(const Module& module, NativeRun& run) {
  TRY_VOID(check_options(run.options));
  const CombineFaults faults = faults_of(run);
  Module result = module;
  for (GlobalFunction& global : result.functions) {
    global.function = TRY(Combiner(module, faults).run(global.function));
  }
  return result;
}

}  // namespace
}  // namespace native::combine_parallel_matmul

NativePass combine_parallel_matmul() {
  using namespace native::combine_parallel_matmul;
  return {.pass = {.name = "CombineParallelMatmul",
                   .contract = {.numerics = Numerics::reassociated},
                   .source = "passes/native/combine_parallel_matmul.cc"},
          .run = run,
          .faults = listed(kFaults)};
}

}  // namespace passdiff

// ExpandMatmulOfSum: x @ (a + b) becomes x @ a + x @ b, a permuted sum likewise, unless a and b are known
// before run time.
//
// Differs from TVM's, which expands whatever the types say: addends that are broadcast to a matrix are left
// alone, since their products are others or none; so are sums of integers that a matmul widens, since the sum
// may have wrapped. TVM tidies up the whole function after a rewrite; here only the sum goes, and only if it
// is not used elsewhere.
#include <algorithm>

#include "core/ops/attr_access.h"
#include "passes/native/local_rewrite.h"
#include "passes/native/native_pass.h"
#include "passes/native/rewrite.h"

namespace passdiff {
namespace {

constexpr std::string_view kAdd = "relax.add";
constexpr std::string_view kMatmul = "relax.matmul";
constexpr std::string_view kPermute = "relax.permute_dims";

constexpr Fault kFaults[] = {
    {"expand-matmul-of-sum/out-dtype-dropped", "ExpandMatmulOfSum",
     "the new matmuls have no out_dtype (apache/tvm issue 20198)", "well-formed"},
    {"expand-matmul-of-sum/broadcast-addend", "ExpandMatmulOfSum",
     "an addend that is broadcast is multiplied as it is", "outputs-refine"},
    {"expand-matmul-of-sum/permutation-forgotten", "ExpandMatmulOfSum",
     "of a permuted sum only the first addend is permuted", "outputs-refine"},
    {"expand-matmul-of-sum/wrapped-sum-widened", "ExpandMatmulOfSum",
     "sums of narrow integers are expanded under a wider out_dtype", "outputs-refine"},
    {"expand-matmul-of-sum/used-sum-removed", "ExpandMatmulOfSum",
     "the sum goes although it is used elsewhere", "well-formed"},
    {"expand-matmul-of-sum/sum-of-another-block", "ExpandMatmulOfSum",
     "sums are known in other blocks, where their operands may be out of scope", "well-formed"},
    {"expand-matmul-of-sum/input-mutated", "ExpandMatmulOfSum",
     "functions are replaced in the module that was given", "input-untouched"},
};

struct Faults {
  bool out_dtype_dropped, broadcast_addend, permutation_forgotten, wrapped_sum_widened, used_sum_removed,
      other_block, input_mutated;
};

// What does not depend on the inputs of a function: its weights, and what is computed from them alone.
class KnownEarly {
 public:
  explicit KnownEarly(const Function& function) { visit(function); }

  // As in TVM a constant that stands in the sum itself does not count.
  bool contains(const ExprPtr& operand) const {
    const Var* var = as<Var>(operand);
    return var != nullptr && vars_.find(var->get()) != nullptr;
  }

 private:
  void visit(const Function& function) {
    const auto entry = function.attrs.find("num_input");
    const auto* inputs = entry == function.attrs.end() ? nullptr : std::get_if<std::int64_t>(&entry->second);
    if (inputs != nullptr && *inputs >= 0) {
      for (auto i = static_cast<std::size_t>(*inputs); i < function.params.size(); ++i)
        vars_.set(function.params[i].get(), true);
    }
    visit(function.body);
  }

  void visit(const SeqExpr& seq) {
    for (const Block& block : seq.blocks) {
      for (const Binding& binding : block.bindings) visit(binding);
    }
  }

  void visit(const Binding& binding) {
    bool early = true;
    for_each_use(binding.value, [&](const Var& var) { early = early && vars_.find(var.get()) != nullptr; });
    if (early) vars_.set(binding.var.get(), true);
    if (const auto* branch = as<If>(binding.value)) {
      visit(*branch->then_branch);
      visit(*branch->else_branch);
    } else if (const auto* function = as<FunctionPtr>(binding.value)) {
      visit(**function);
    }
  }

  PointerMap<bool> vars_;
};

struct Sum {
  FoundCall add;
  std::optional<FoundCall> permute;  // of the sum
};

std::optional<Sum> find_sum(const RewriteSite& site, const ExprPtr& rhs) {
  if (auto add = site.find(rhs, kAdd)) return Sum{*std::move(add), std::nullopt};
  auto permute = site.find(rhs, kPermute);
  if (!permute) return std::nullopt;
  auto add = site.find(permute->call->args[0], kAdd);
  if (!add) return std::nullopt;
  return Sum{*std::move(add), std::move(permute)};
}

// Neither addend is broadcast along the axes that matmul looks at (along all, if the sum is permuted).
bool multiply_alike(const TensorType& a, const TensorType& b, bool permuted) {
  if (!a.shape || !b.shape || a.rank == 0 || b.rank == 0) return false;
  if (permuted || a.rank == 1 || b.rank == 1) return proven_equal(*a.shape, *b.shape);
  return std::equal(a.shape->end() - 2, a.shape->end(), b.shape->end() - 2,
                    [](const Dim& x, const Dim& y) { return proven_equal(x, y); });
}

// Wrapping integers are a ring as long as the dtype is one; floats are rounded here or there.
bool distributes(DType sum, DType product, const Faults& faults) {
  if (is_float(sum)) return is_float(product);
  return is_integer(sum) && (sum == product || (faults.wrapped_sum_widened && !is_float(product)));
}

bool expand(RewriteSite& site, const KnownEarly& early, const Faults& faults) {
  const Call* matmul = site.call(kMatmul);
  if (matmul == nullptr) return false;
  const auto sum = find_sum(site, matmul->args[1]);
  if (!sum) return false;
  ExprPtr a = sum->add.call->args[0], b = sum->add.call->args[1];
  if (early.contains(a) && early.contains(b)) return false;
  const TensorType* a_type = a->type.as_tensor();
  const TensorType* b_type = b->type.as_tensor();
  const TensorType* product = site.binding().value->type.as_tensor();
  if (a_type == nullptr || b_type == nullptr || product == nullptr) return false;
  if (!a_type->dtype || !product->dtype || !distributes(*a_type->dtype, *product->dtype, faults))
    return false;
  if (!faults.broadcast_addend && !multiply_alike(*a_type, *b_type, sum->permute.has_value())) return false;
  if (sum->permute) {
    const Attrs& axes = sum->permute->call->attrs;
    a = site.emit(kPermute, {a}, axes, "a");
    if (!faults.permutation_forgotten) b = site.emit(kPermute, {b}, axes, "b");
  }
  const Attrs attrs = faults.out_dtype_dropped ? Attrs{AttrValue()} : matmul->attrs;
  const ExprPtr of_a = site.emit(kMatmul, {matmul->args[0], a}, attrs, "product");
  const ExprPtr of_b = site.emit(kMatmul, {matmul->args[0], b}, attrs, "product");
  const bool done = faults.out_dtype_dropped ? site.finish_unchecked(kAdd, {of_a, of_b}, {})
                                             : site.finish(kAdd, {of_a, of_b}, {});
  if (!done) return false;
  if (sum->permute) site.free(*sum->permute);
  site.free(sum->add);
  return true;
}

Result<Module> run(const Module& module, NativeRun& run) {
  if (run.options != "{}") return Error{"options.unknown", "ExpandMatmulOfSum: takes no options"};
  const auto has = [&](std::size_t i) { return run.has_fault(kFaults[i].name); };
  const Faults faults{has(0), has(1), has(2), has(3), has(4), has(5), has(6)};
  Module result = module;
  for (GlobalFunction& global : result.functions) {
    const KnownEarly early(*global.function);
    const LocalRewrite by{.rewrite = [&](RewriteSite& site) { return expand(site, early, faults); },
                          .known_everywhere = faults.other_block,
                          .frees_used = faults.used_sum_removed};
    global.function = rewrite_locally(module, global.function, by);
  }
  if (faults.input_mutated) const_cast<Module&>(module).functions = result.functions;
  return result;
}

}  // namespace

NativePass expand_matmul_of_sum() {
  return {.pass = {.name = "ExpandMatmulOfSum",
                   .contract = {.numerics = Numerics::reassociated},
                   .source = "passes/native/expand_matmul_of_sum.cc"},
          .run = run,
          .faults = kFaults};
}

}  // namespace passdiff

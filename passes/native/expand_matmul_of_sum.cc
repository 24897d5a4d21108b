// ExpandMatmulOfSum: x @ (a + b) becomes x @ a + x @ b, also if the sum is permuted, unless a and b are both known before run
// time.
//
// Differs from TVM's, which expands whatever the types are. This pass leaves addends alone that are broadcast to the rows of a
// matrix, or to a matrix at all, since their products are others or do not exist; sums of integers that the matmul widens, since
// the sum may have wrapped; and sums of floats that the matmul narrows, since digits would be lost where the products cancel. The new matmuls keep out_dtype, which TVM's lose. TVM does not recognise values known before
// run time once it has renamed their variable, and expands such sums after all. TVM tidies up the function (trivial bindings,
// common and unused subexpressions) and looks for sums again; this pass only removes the sum, and only if nothing else uses it.
#include "core/ir/queries.h"
#include "core/ops/known_attrs.h"
#include "passes/native/local_rewrite.h"
#include "passes/native/native_pass.h"

namespace passdiff {
namespace native::expand_matmul_of_sum {
namespace {

constexpr std::string_view kAdd = "relax.add";
constexpr std::string_view kMatmul = "relax.matmul";
constexpr std::string_view kPermute = "relax.permute_dims";

struct Faults {
  bool out_dtype_dropped = false;
  bool broadcast_addend = false;
  bool permutation_forgotten = false;
  bool wrapped_sum_widened = false;
  bool used_sum_removed = false;
  bool other_block = false;
  bool input_mutated = false;
};

constexpr FaultRow<Faults> kFaults[] = {
    {&Faults::out_dtype_dropped, "expand-matmul-of-sum/out-dtype-dropped",
     "the new matmuls have no out_dtype (apache/tvm issue 20198)", "well-formed"},
    {&Faults::broadcast_addend, "expand-matmul-of-sum/broadcast-addend",
     "an addend that is broadcast is multiplied as it is", "outputs-refine"},
    {&Faults::permutation_forgotten, "expand-matmul-of-sum/permutation-forgotten",
     "of a permuted sum only the first addend is permuted", "outputs-refine"},
    {&Faults::wrapped_sum_widened, "expand-matmul-of-sum/wrapped-sum-widened",
     "sums of narrow integers are expanded under a wider out_dtype", "outputs-refine"},
    {&Faults::used_sum_removed, "expand-matmul-of-sum/used-sum-removed",
     "the sum goes although it is used elsewhere", "well-formed"},
    {&Faults::other_block, "expand-matmul-of-sum/sum-of-another-block",
     "sums are known in other blocks, where their operands may be out of scope", "well-formed"},
    {&Faults::input_mutated, "expand-matmul-of-sum/input-mutated",
     "functions are replaced in the module that was given", "input-untouched"},
};

// The variables of a function whose values are known before run time: its weights, and what is computed from these alone.
class KnownEarly {
 public:
  explicit KnownEarly(const Function& function) {
    add_weights(function);
    for_each_binding(function.body, [&](const Binding& binding) { add(binding); });
  }

  // As in TVM, an operand that is a constant, and no variable bound to one, does not count as known.
  bool contains(const ExprPtr& operand) const {
    const Var* var = as<Var>(operand);
    return var != nullptr && vars_.find(var->get()) != nullptr;
  }

 private:
  void add_weights(const Function& function) {
    const std::int64_t* inputs = num_input(function);
    if (inputs == nullptr || *inputs < 0) return;
    for (auto i = static_cast<std::size_t>(*inputs); i < function.params.size(); ++i)
      vars_.set(function.params[i].get(), true);
  }

  void add(const Binding& binding) {
    bool early = true;
    for_each_use(binding.value, [&](const Var& var) { early = early && vars_.find(var.get()) != nullptr; });
    if (early) vars_.set(binding.var.get(), true);
    if (const auto* function = as<FunctionPtr>(binding.value)) add_weights(**function);
  }

  PointerMap<bool> vars_;
};

struct Sum {
  FoundCall add;
  std::optional<FoundCall> permute;  // the call that permutes the sum, if there is one
};

std::optional<Sum> find_sum(const RewriteSite& site, const ExprPtr& rhs) {
  if (auto add = site.find(rhs, kAdd)) return Sum{*std::move(add), std::nullopt};
  auto permute = site.find(rhs, kPermute);
  if (!permute) return std::nullopt;
  auto add = site.find(permute->call->args[0], kAdd);
  if (!add) return std::nullopt;
  return Sum{*std::move(add), std::move(permute)};
}

// Whether two column counts are equal or one of them is 1: the product of a column that is broadcast is broadcast alike.
bool same_or_single(const Dim& a, const Dim& b) {
  const auto single = [](const Dim& dim) { return dim.is_static() && dim.value() == 1; };
  return proven_equal(a, b) || single(a) || single(b);
}

// Whether both addends have all the rows that matmul sums over, and both are matrices or both vectors. If the sum is permuted,
// neither addend may be broadcast at all.
bool multiply_alike(const TensorType& a, const TensorType& b, bool permuted) {
  if (!a.shape || !b.shape || a.rank == 0 || b.rank == 0) return false;
  if (permuted || a.rank == 1 || b.rank == 1) return proven_equal(*a.shape, *b.shape);
  const auto rows = [](const TensorType& type) { return (*type.shape)[type.shape->size() - 2]; };
  return proven_equal(rows(a), rows(b)) && same_or_single(a.shape->back(), b.shape->back());
}

// Whether matmul distributes over the sum, with these dtypes. Wrapping integers are a ring as long as the dtype does not change;
// floats are rounded in either order, but products that are narrower than the sum lose digits that cancel in it.
bool distributes(DType sum, DType product, const Faults& faults) {
  if (is_float(sum)) return is_float(product) && row_of(product).mantissa >= row_of(sum).mantissa;
  return is_integer(sum) && (sum == product || (faults.wrapped_sum_widened && !is_float(product)));
}

bool expand(RewriteSite& site, const KnownEarly& early, const Faults& faults) {
  const Call* matmul = site.call(kMatmul);
  if (matmul == nullptr) return false;
  const auto sum = find_sum(site, matmul->args[1]);
  if (!sum) return false;
  const ExprPtr& a = sum->add.call->args[0];
  const ExprPtr& b = sum->add.call->args[1];
  if (early.contains(a) && early.contains(b)) return false;
  const TensorType* a_type = a->type.as_tensor();
  const TensorType* b_type = b->type.as_tensor();
  const TensorType* product = site.binding().value->type.as_tensor();
  if (a_type == nullptr || b_type == nullptr || product == nullptr) return false;
  if (!a_type->dtype || !product->dtype || !distributes(*a_type->dtype, *product->dtype, faults))
    return false;
  if (!faults.broadcast_addend && !multiply_alike(*a_type, *b_type, sum->permute.has_value())) return false;
  const Attrs attrs = faults.out_dtype_dropped ? write_attrs(MatmulAttrs{}) : matmul->attrs;
  const auto multiply = [&](ExprPtr addend, bool permute) {
    if (permute) addend = site.emit(kPermute, {addend}, sum->permute->call->attrs, "permuted");
    return site.emit(kMatmul, {matmul->args[0], addend}, attrs, "product");
  };
  const ExprPtr of_a = multiply(a, sum->permute.has_value());
  const ExprPtr of_b = multiply(b, sum->permute && !faults.permutation_forgotten);
  const bool done = faults.out_dtype_dropped ? site.finish_unchecked(kAdd, {of_a, of_b}, {})
                                             : site.finish(kAdd, {of_a, of_b}, {});
  if (!done) return false;
  if (sum->permute) site.free(*sum->permute);
  site.free(sum->add);
  return true;
}

Result<Module> run(const Module& module, NativeRun& run) {
  if (run.options != "{}") return Error{"options.unknown", "ExpandMatmulOfSum: takes no options"};
  const Faults faults = switched_on(kFaults, run);
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
}  // namespace native::expand_matmul_of_sum

NativePass expand_matmul_of_sum() {
  using namespace native::expand_matmul_of_sum;
  return {.pass = {.name = "ExpandMatmulOfSum",
                   .contract = {.numerics = Numerics::reassociated},
                   .source = "passes/native/expand_matmul_of_sum.cc"},
          .run = run,
          .faults = listed(kFaults)};
}

}  // namespace passdiff

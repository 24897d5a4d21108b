// ReorderTakeAfterMatmul: x @ take(table, indices) becomes take(x @ table, indices): columns are taken after the product.
//
// Differs from TVM's. This pass leaves takes from tables of rank 1 alone, which take no columns; and takes where the product of
// the whole table means something else: where columns would be cast to integers, and where NaN columns are of integers or have no
// rows. The new matmul keeps out_dtype, which TVM's loses. Batched tables with an index per batch are left alone, too: TVM emits
// einsum, which the IR here lacks. Both leave negative axes alone. TVM tidies up the whole function (trivial bindings, common and
// unused subexpressions); this pass only removes the take, and only if nothing else uses it.
#include "core/ops/known_attrs.h"
#include "passes/native/local_rewrite.h"
#include "passes/native/native_pass.h"

namespace passdiff {
namespace native::reorder_take_after_matmul {
namespace {

constexpr std::string_view kMatmul = "relax.matmul";
constexpr std::string_view kTake = "relax.take";

struct Faults {
  bool mode_dropped = false;
  bool out_dtype_dropped = false;
  bool axis_of_table = false;
  bool any_axis = false;
  bool rank_one_table = false;
  bool used_take_removed = false;
  bool input_mutated = false;
};

constexpr FaultRow<Faults> kFaults[] = {
    {&Faults::mode_dropped, "reorder-take-after-matmul/mode-dropped",
     "the new take has the default mode (apache/tvm issue 20201)", "outputs-refine"},
    {&Faults::out_dtype_dropped, "reorder-take-after-matmul/out-dtype-dropped",
     "the new matmul has no out_dtype (apache/tvm issue 20198)", "well-formed"},
    {&Faults::axis_of_table, "reorder-take-after-matmul/axis-of-table",
     "the new take has the axis of the old one, whatever the rank of the product", "well-formed"},
    {&Faults::any_axis, "reorder-take-after-matmul/any-axis",
     "takes along another axis than that of the columns are moved too", "well-formed"},
    {&Faults::rank_one_table, "reorder-take-after-matmul/rank-one-table",
     "elements taken from a vector count as columns", "outputs-refine"},
    {&Faults::used_take_removed, "reorder-take-after-matmul/used-take-removed",
     "the old take goes although it is used elsewhere", "well-formed"},
    {&Faults::input_mutated, "reorder-take-after-matmul/input-mutated",
     "functions are replaced in the module that was given", "input-untouched"},
};

struct Operands {
  const TensorType* lhs;
  const TensorType* table;
  const TensorType* indices;
  const TensorType* product;

  bool known() const {
    return lhs != nullptr && table != nullptr && indices != nullptr && product != nullptr &&
           lhs->rank != kUnknownRank && table->rank != kUnknownRank && product->rank != kUnknownRank &&
           table->dtype && product->dtype;
  }
};

// Whether every element of the table may be cast to the product's dtype. The new product covers all columns of the table, while
// casts to integers may be defined only for those that are taken.
bool casts_any_element(const Operands& operands) {
  return is_float(*operands.product->dtype) || !is_float(*operands.table->dtype);
}

// Whether the product of a column of NaN is NaN: not if a dtype is an integer's, and not if there are no rows to sum.
bool spreads_nan(const Operands& operands) {
  if (!operands.table->shape || operands.table->rank < 2) return false;
  const Dim& reduced = (*operands.table->shape)[static_cast<std::size_t>(operands.table->rank) - 2];
  return is_float(*operands.table->dtype) && is_float(*operands.product->dtype) && reduced.is_static() &&
         reduced.value() > 0;
}

bool takes_columns(const Operands& operands, std::int64_t axis, const Faults& faults) {
  if (operands.indices->rank != 1 || operands.table->rank < (faults.rank_one_table ? 1 : 2)) return false;
  return faults.any_axis || axis + 1 == operands.table->rank;
}

bool move_take(RewriteSite& site, const Faults& faults) {
  const Call* matmul = site.call(kMatmul);
  if (matmul == nullptr) return false;
  const auto take = site.find(matmul->args[1], kTake);
  if (!take) return false;
  const ExprPtr& table = take->call->args[0];
  const ExprPtr& indices = take->call->args[1];
  const Operands operands{matmul->args[0]->type.as_tensor(), table->type.as_tensor(),
                          indices->type.as_tensor(), site.binding().value->type.as_tensor()};
  auto take_attrs = read_attrs<TakeAttrs>(take->call->attrs);
  if (!take_attrs.axis || !operands.known() || !takes_columns(operands, *take_attrs.axis, faults)) return false;
  if (!casts_any_element(operands)) return false;
  if (take_attrs.mode == TakeMode::nan && !spreads_nan(operands)) return false;
  if (!faults.axis_of_table) take_attrs.axis = operands.product->rank - 1;
  if (faults.mode_dropped) take_attrs.mode = TakeMode::fast;
  const Attrs matmul_attrs = faults.out_dtype_dropped ? write_attrs(MatmulAttrs{}) : matmul->attrs;
  const ExprPtr product = site.emit(kMatmul, {matmul->args[0], table}, matmul_attrs, "product");
  const bool unchecked = faults.out_dtype_dropped || faults.axis_of_table || faults.any_axis;
  const bool done = unchecked ? site.finish_unchecked(kTake, {product, indices}, write_attrs(take_attrs))
                              : site.finish(kTake, {product, indices}, write_attrs(take_attrs));
  if (done) site.free(*take);
  return done;
}

Result<Module> run(const Module& module, NativeRun& run) {
  if (run.options != "{}") return Error{"options.unknown", "ReorderTakeAfterMatmul: takes no options"};
  const Faults faults = switched_on(kFaults, run);
  const LocalRewrite by{.rewrite = [&](RewriteSite& site) { return move_take(site, faults); },
                        .frees_used = faults.used_take_removed};
  Module result = module;
  for (GlobalFunction& global : result.functions)
    global.function = rewrite_locally(module, global.function, by);
  if (faults.input_mutated) const_cast<Module&>(module).functions = result.functions;
  return result;
}

}  // namespace
}  // namespace native::reorder_take_after_matmul

NativePass reorder_take_after_matmul() {
  using namespace native::reorder_take_after_matmul;
  return {.pass = {.name = "ReorderTakeAfterMatmul",
                   .contract = {.numerics = Numerics::reassociated},
                   .source = "passes/native/reorder_take_after_matmul.cc"},
          .run = run,
          .faults = listed(kFaults)};
}

}  // namespace passdiff

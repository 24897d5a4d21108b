// Functions of TensorIR, their variables, buffers and statements, compiled.
#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/eval/tir/compiler.h"
#include "core/eval/tir/guard.h"
#include "core/form/prim_func_form.h"
#include "core/match.h"

namespace passdiff::tir {
namespace {

Concurrency concurrency_of(ForKind kind, std::string_view thread_tag) {
  switch (kind) {
    case ForKind::serial:
    case ForKind::unrolled:
      return Concurrency::none;
    case ForKind::parallel:
    case ForKind::vectorized:
      return Concurrency::iterations;
    case ForKind::thread_binding:
      return thread_tag.starts_with("blockIdx") ? Concurrency::blocks : Concurrency::threads;
  }
  return Concurrency::none;
}

}  // namespace

Index Compiler::define(const Var& var) {
  const auto slot = static_cast<Index>(program_.slot_names.size());
  slots_.set(var.get(), slot);
  program_.slot_names.push_back(var->name);
  program_.slot_offsets.push_back(program_.frame_size);
  program_.bound_by_params.push_back(false);
  program_.frame_size += var->type.lanes;
  return slot;
}

Index Compiler::define_pointer(const Var& var) {
  slots_.set(var.get(), program_.pointers);
  return program_.pointers++;
}

Result<Index> Compiler::pointer_of(const Expr& expr) const {
  const Var* var = expr == nullptr ? nullptr : as<Var>(expr);
  if (var == nullptr || (*var)->type.kind != ScalarType::Kind::handle) return unsupported("a pointer that is no variable");
  return slot_of(*var);
}

// T.tvm_struct_get(tensor, 0, field).
Result<TensorField> Compiler::field_of(const Call& call) const {
  const IntImm* field = call.args.size() < 3 ? nullptr : as<IntImm>(call.args[2]);
  if (field == nullptr || field->value < 0 || field->value >= kTensorFields) return unsupported("T.tvm_struct_get of an unknown field");
  return static_cast<TensorField>(field->value);
}

Result<Index> Compiler::slot_of(const Var& var) const {
  const Index* slot = slots_.find(var.get());
  if (slot == nullptr) return ill_formed("variable " + var->name + " is not defined");
  return *slot;
}

Result<Index> Compiler::define(const Buffer& buffer) {
  if (!buffer->dtype.is_number()) return unsupported("a buffer of " + to_string(buffer->dtype));
  BufferCode code{.buffer = buffer, .shape = {}, .strides = {}};
  code.shape = TRY(integers(buffer->shape, "a size"));
  code.strides = TRY(integers(buffer->strides, "a stride"));
  if (!code.strides.empty() && code.strides.size() != code.shape.size())
    return ill_formed("buffer " + buffer->name + " has not one stride for each axis");
  if (buffer->elem_offset != nullptr) {
    // An offset that nothing binds is whatever the argument has: here, none.
    const Var* free = as<Var>(buffer->elem_offset);
    if (free == nullptr || slots_.find(free->get()) != nullptr)
      code.elem_offset = TRY(integer(buffer->elem_offset, "an offset"));
  }
  const auto index = static_cast<Index>(program_.buffers.size());
  program_.buffers.push_back(std::move(code));
  scopes_.push_back({.declared = loops_.size()});
  buffers_.set(buffer.get(), index);
  return index;
}

Result<Index> Compiler::buffer_of(const Buffer& buffer) {
  const Index* index = buffers_.find(buffer.get());
  if (index == nullptr) return ill_formed(fmt::format("buffer {}{}", buffer->name, kUndeclared));
  std::optional<Loops>& used = scopes_[static_cast<std::size_t>(*index)].used;
  if (!used) {
    used = loops_;
  } else {
    const auto common = std::mismatch(used->begin(), used->end(), loops_.begin(), loops_.end());
    used->erase(common.first, used->end());
  }
  return *index;
}

// Moves what a block allocates into the outermost loop around all its uses, if that is a concurrent one: a loop around it might hand values on from
// one run of it to the next.
void Compiler::allocate_in_loops() {
  for (const StmtCode& stmt : program_.stmts) {
    const auto* block = std::get_if<BlockCode>(&stmt);
    if (block == nullptr) continue;
    for (const Index buffer : block->allocs) {
      const Scope& scope = scopes_[static_cast<std::size_t>(buffer)];
      if (!scope.used || scope.used->size() <= scope.declared) continue;
      const Index outermost = (*scope.used)[scope.declared];
      auto* loop = outermost == kNone ? nullptr : &std::get<ForCode>(program_.stmts[static_cast<std::size_t>(outermost)]);
      if (loop == nullptr || loop->concurrency != Concurrency::iterations) continue;
      loop->allocs.push_back(buffer);
      program_.buffers[static_cast<std::size_t>(buffer)].is_of_loop = true;
    }
  }
}

Result<Index> Compiler::expr(const Expr& expr) {
  if (expr == nullptr) return ill_formed("an expression is missing");
  if (++nesting_ > kMaxNesting) return unsupported("expressions nested too deeply");
  Result<Index> result = match(expr->node, [&](const OneOf<IntImm, FloatImm, StringImm, Var, Binary, Not, Select, Cast, BufferLoad,
                                                           Ramp, Broadcast, Shuffle, Let, Call, FunctionCall, BufferData,
                                                           BufferArg> auto& alternative) { return compiled(*expr, alternative); });
  --nesting_;
  return result;
}

Result<std::vector<Index>> Compiler::exprs(const std::vector<Expr>& exprs) {
  std::vector<Index> result;
  for (const Expr& one : exprs) result.push_back(TRY(expr(one)));
  return result;
}

Result<Index> Compiler::integer(const Expr& expr, const char* what) {
  if (expr == nullptr) return ill_formed(std::string(what) + " is missing");
  if (!expr->type.is_number() || is_float(expr->type.dtype)) return ill_formed(std::string(what) + " is no integer");
  return this->expr(expr);
}

Result<std::vector<Index>> Compiler::integers(const std::vector<Expr>& exprs, const char* what) {
  std::vector<Index> result;
  for (const Expr& one : exprs) result.push_back(TRY(integer(one, what)));
  return result;
}

Result<Index> Compiler::condition(const Expr& expr) {
  return integer(expr, "a condition");
}

Result<Index> Compiler::stmt(const Stmt& stmt) {
  if (stmt == nullptr) return ill_formed("a statement is missing");
  if (++nesting_ > kMaxNesting) return unsupported("statements nested too deeply");
  const int outer = std::exchange(statement_, met_++);
  Result<Index> result =
      match(stmt->node, [&](const OneOf<For, While, Seq, IfThenElse, Evaluate, Bind, BufferStore, AllocBuffer, DeclBuffer, AttrStmt,
                                        AssertStmt, Return, Break, Continue, SBlockRealize> auto& node) { return compiled(node); });
  statement_ = outer;
  --nesting_;
  return result;
}

Result<Index> Compiler::compiled(const For& loop) {
  ForCode code{.slot = kNone,
               .min = TRY(integer(loop.min, "the start of a loop")),
               .extent = TRY(integer(loop.extent, "the extent of a loop")),
               .step = kNone,
               .concurrency = concurrency_of(loop.kind, loop.thread_tag),
               .dtype = loop.var->type.dtype,
               .guard = kNone,
               .body = kNone};
  if (loop.step != nullptr) code.step = TRY(integer(loop.step, "the step of a loop"));
  if (!loop.var->type.is_number() || is_float(loop.var->type.dtype)) return ill_formed("a loop variable that is no integer");
  code.slot = define(loop.var);
  if (const Expr guard = lasting_guard(loop)) code.guard = TRY(condition(guard));
  const Index added = add(code);
  loops_.push_back(added);
  const Index body = TRY(stmt(loop.body));
  loops_.pop_back();
  std::get<ForCode>(program_.stmts[static_cast<std::size_t>(added)]).body = body;
  return added;
}

Result<Index> Compiler::compiled(const While& loop) {
  loops_.push_back(kNone);
  const Index condition = TRY(this->condition(loop.condition));
  const Index body = TRY(stmt(loop.body));
  loops_.pop_back();
  return add(WhileCode{condition, body});
}

Result<Index> Compiler::compiled(const Seq& seq) {
  SeqCode code;
  for (const Stmt& one : seq.stmts) code.stmts.push_back(TRY(stmt(one)));
  return add(std::move(code));
}

Result<Index> Compiler::compiled(const IfThenElse& branches) {
  const Index condition = TRY(this->condition(branches.condition));
  const Index then_case = TRY(stmt(branches.then_case));
  const Index else_case = TRY(optional_stmt(branches.else_case));
  return add(IfCode{condition, then_case, else_case});
}

Result<Index> Compiler::compiled(const Evaluate& evaluate) {
  if (const Call* call = as<Call>(evaluate.value); call != nullptr && call->intrinsic == "ret" && call->args.size() == 1)
    return add(ReturnCode{TRY(expr(call->args[0]))});
  if (!evaluate.value->type.is_number() && as<IntImm>(evaluate.value) != nullptr) return add(SeqCode{});
  return add(EvaluateCode{TRY(expr(evaluate.value))});
}

Result<Index> Compiler::compiled(const Bind& bind) {
  if (!bind.value->type.is_number()) return pointer(bind);
  const Index value = TRY(expr(bind.value));
  if (!(bind.value->type == bind.var->type)) return ill_formed("variable " + bind.var->name + " has another type than its value");
  return add(BindCode{define(bind.var), value});
}

Result<Index> Compiler::pointer(const Bind& bind) {
  const Call* call = as<Call>(bind.value);
  if (call == nullptr || call->intrinsic != "tvm_struct_get") return unsupported("a variable that is a pointer");
  const Index got = TRY(pointer(*call, program_.pointers));
  define_pointer(bind.var);
  return got;
}

// Sets the pointer of this number to the field that the call gets.
Result<Index> Compiler::pointer(const Call& call, Index slot) {
  const TensorField field = TRY(field_of(call));
  const Index source = TRY(pointer_of(call.args[0]));
  return add(PointerCode{slot, source, field});
}

Result<Index> Compiler::compiled(const BufferStore& store) {
  Place place = TRY(this->place(store.buffer, store.indices, store.predicate, store.value->type));
  const Index value = TRY(expr(store.value));
  return add(StoreCode{std::move(place), value});
}

Result<Index> Compiler::compiled(const AllocBuffer& alloc) {
  const Index buffer = TRY(define(alloc.buffer));
  program_.buffers[static_cast<std::size_t>(buffer)].is_local = true;
  return add(AllocCode{buffer});
}

Result<Index> Compiler::compiled(const DeclBuffer& declared) {
  DeclCode code{.buffer = kNone, .source = kNone};
  if (const auto* data = as<BufferData>(declared.data)) {
    code.source = TRY(buffer_of(data->buffer));
  } else if (const auto* call = as<Call>(declared.data);
             call != nullptr && call->intrinsic == "address_of" && call->args.size() == 1 && as<BufferLoad>(call->args[0])) {
    const auto& load = *as<BufferLoad>(call->args[0]);
    code.source = TRY(buffer_of(load.buffer));
    code.source_index = TRY(integers(load.indices, "an index"));
  } else if (const auto* field = as<Call>(declared.data); field != nullptr && field->intrinsic == "tvm_struct_get") {
    const Index got = TRY(pointer(*field, program_.pointers));
    code.pointer = program_.pointers++;
    code.buffer = TRY(define(declared.buffer));
    program_.buffers[static_cast<std::size_t>(code.buffer)].is_local = true;
    return add(SeqCode{{got, add(std::move(code))}});
  } else {
    code.pointer = TRY(pointer_of(declared.data));
  }
  code.buffer = TRY(define(declared.buffer));
  program_.buffers[static_cast<std::size_t>(code.buffer)].is_local = true;
  return add(std::move(code));
}

Result<Index> Compiler::compiled(const AttrStmt& attr) {
  const Var* thread = std::get_if<Var>(&attr.node);
  const bool is_thread = attr.key == "thread_extent" || attr.key == "virtual_thread";
  if (!is_thread || thread == nullptr) return stmt(attr.body);
  ThreadCode code{.slot = kNone,
                  .extent = TRY(integer(attr.value, "the extent of a thread")),
                  .body = kNone,
                  .concurrency = concurrency_of(ForKind::thread_binding, attr.thread_tag),
                  .dtype = (*thread)->type.dtype};
  code.slot = define(*thread);
  code.body = TRY(stmt(attr.body));
  return add(code);
}

Result<Index> Compiler::compiled(const AssertStmt& assertion) {
  AssertCode code{.condition = TRY(condition(assertion.condition)), .message = {}};
  for (const std::string& part : assertion.message_parts) code.message += part;
  return add(std::move(code));
}

Result<Index> Compiler::compiled(const Return& result) {
  return add(ReturnCode{TRY(expr(result.value))});
}

Result<RegionCode> Compiler::region(const BufferRegion& region) {
  RegionCode code{.buffer = TRY(buffer_of(region.buffer)), .min = {}, .extent = {}};
  if (region.region.size() != region.buffer->shape.size())
    return ill_formed("a region of buffer " + region.buffer->name + " has another number of axes");
  for (const Range& range : region.region) {
    code.min.push_back(TRY(integer(range.min, "the start of a region")));
    code.extent.push_back(TRY(integer(range.extent, "the extent of a region")));
  }
  return code;
}

Result<std::vector<RegionCode>> Compiler::regions(const std::vector<BufferRegion>& regions) {
  std::vector<RegionCode> result;
  for (const BufferRegion& one : regions) result.push_back(TRY(region(one)));
  return result;
}

Result<Index> Compiler::compiled(const SBlockRealize& realize) {
  const SBlock& block = realize.block;
  if (realize.iter_values.size() != block.iter_vars.size())
    return ill_formed("block " + block.name + " has not one value for each variable");
  BlockCode code;
  code.name = block.name;
  code.number = program_.blocks++;
  code.declares = !block.iter_vars.empty() || !block.reads.empty() || !block.writes.empty();
  for (std::size_t i = 0; i < block.iter_vars.size(); ++i) {
    const IterVar& iter = block.iter_vars[i];
    code.iters.push_back({.slot = kNone,
                          .value = TRY(integer(realize.iter_values[i], "the value of a block's variable")),
                          .min = TRY(integer(iter.domain.min, "the start of a block's variable")),
                          .extent = TRY(integer(iter.domain.extent, "the extent of a block's variable")),
                          .reduction = iter.kind == IterKind::reduction});
  }
  code.reduces = std::any_of(code.iters.begin(), code.iters.end(), [](const IterCode& iter) { return iter.reduction; });
  code.predicate = TRY(condition(realize.predicate));
  for (std::size_t i = 0; i < block.iter_vars.size(); ++i) code.iters[i].slot = define(block.iter_vars[i].var);
  // Regions may speak of buffers that the block itself allocates: TVM's passes write such ones.
  for (const Buffer& buffer : block.alloc_buffers) code.allocs.push_back(TRY(define(buffer)));
  code.reads = TRY(regions(block.reads));
  code.writes = TRY(regions(block.writes));
  for (const MatchBuffer& matched : block.match_buffers) {
    RegionCode source = TRY(region(matched.source));
    // The strides and the offset of a matched buffer are variables that the match binds.
    for (const Expr& stride : matched.buffer->strides) {
      if (const Var* var = as<Var>(stride); var != nullptr && slots_.find(var->get()) == nullptr) define(*var);
    }
    code.matches.push_back({TRY(define(matched.buffer)), std::move(source)});
  }
  code.init = TRY(optional_stmt(block.init));
  code.body = TRY(stmt(block.body));
  return add(std::move(code));
}

// Variables that stand alone in the shape of a parameter are bound by its argument.
Result<Index> Compiler::params(const PrimFunc& function) {
  const auto bind = [&](const Expr& size) {
    const Var* var = as<Var>(size);
    if (var == nullptr || slots_.find(var->get()) != nullptr) return;
    program_.bound_by_params[static_cast<std::size_t>(define(*var))] = true;
  };
  for (const Param& param : function.params) {
    if (const Var* var = std::get_if<Var>(&param)) {
      if ((*var)->type.is_number()) {
        define(*var);
      } else {
        define_pointer(*var);
      }
    }
  }
  for (const Param& param : function.params) {
    const Buffer* buffer = std::get_if<Buffer>(&param);
    if (buffer == nullptr) continue;
    for (const Expr& size : (*buffer)->shape) bind(size);
    for (const Expr& stride : (*buffer)->strides) bind(stride);
    // Arguments begin where their memory does: an offset that is a variable is 0, as every variable is at first.
    const Var* offset = (*buffer)->elem_offset == nullptr ? nullptr : as<Var>((*buffer)->elem_offset);
    if (offset != nullptr && slots_.find(offset->get()) == nullptr) define(*offset);
  }
  for (const Param& param : function.params) {
    ParamCode code{.name = name_of(param)};
    if (const Var* var = std::get_if<Var>(&param)) {
      code.kind = (*var)->type.is_number() ? ParamCode::Kind::scalar : ParamCode::Kind::pointer;
      code.index = TRY(slot_of(*var));
      code.type = (*var)->type;
    } else {
      const Buffer& buffer = std::get<Buffer>(param);
      code.index = TRY(define(buffer));
      code.type = buffer->dtype;
    }
    program_.params.push_back(std::move(code));
  }
  return kNone;
}

Result<Program> Compiler::compile(const PrimFunc& function) {
  TRY(params(function));
  program_.result = function.result;
  program_.body = TRY(stmt(function.body));
  allocate_in_loops();
  return std::move(program_);
}

Result<Program> compile(const PrimFunc& function) {
  return Compiler().compile(function);
}

}  // namespace passdiff::tir

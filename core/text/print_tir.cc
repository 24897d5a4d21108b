// Functions of TensorIR, as TVM 0.27 prints them.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "core/match.h"
#include "core/text/text.h"
#include "core/text/tir_printer.h"

namespace passdiff {
namespace tir {
namespace {

bool contains_block(const Stmt& stmt) {
  if (as<SBlockRealize>(stmt) != nullptr) return true;
  bool found = false;
  for_each_child(stmt, [&](const Stmt& child) { found = found || contains_block(child); });
  return found;
}

bool is_true(const Expr& expr) {
  return is_int(expr, 1) && expr->type == number_type(DType::boolean);
}

bool is_plain_loop(const For& loop) {
  return loop.kind == ForKind::serial && is_int(loop.min, 0) && loop.step == nullptr &&
         loop.annotations.empty();
}

bool mentions(const Expr& expr, const std::unordered_set<const SymVarNode*>& vars) {
  if (const Var* var = as<Var>(expr)) return vars.contains(var->get());
  bool found = false;
  for_each_operand(expr, [&](const Expr& operand) { found = found || mentions(operand, vars); });
  return found;
}

// The loops that one T.grid stands for: nested directly, from zero on, with extents that do not depend on each other.
std::vector<const For*> grid_of(const For& outer) {
  std::vector<const For*> loops;
  std::unordered_set<const SymVarNode*> vars;
  for (const For* loop = &outer; loop != nullptr; loop = as<For>(loop->body)) {
    if (!is_plain_loop(*loop) || mentions(loop->extent, vars)) break;
    loops.push_back(loop);
    vars.insert(loop->var.get());
  }
  return loops;
}

void collect_vars(const Expr& expr, std::vector<Var>& into) {
  if (expr == nullptr) return;
  if (const Var* var = as<Var>(expr)) into.push_back(*var);
  for_each_operand(expr, [&](const Expr& operand) { collect_vars(operand, into); });
}

// Appends the statements of one function to a text.
class StmtPrinter {
 public:
  StmtPrinter(std::string& out, ExprPrinter& exprs) : out_(out), exprs_(exprs) {}

  void line(int indent, std::string_view text);
  void stmt(const Stmt& stmt, int indent);
  // The body of the function. Buffers that nothing declares are declared before the first statement of the body that uses them.
  void body(const Stmt& body, int indent);
  void allocation(const Buffer& buffer, int indent);
  // Variables of threads that more than one T.launch_thread names are declared before the body.
  void declare_threads(const Stmt& body, int indent);
  // Says that the next statement, each before those inside of it, begins at the end of the text.
  void note_start() { starts_.push_back(out_.size()); }
  // Inserts lines before all statements but the first `kept` ones.
  void insert(std::size_t at, const std::string& lines, std::size_t kept);
  // Where in the text each statement begins.
  const std::vector<std::size_t>& starts() const { return starts_; }

 private:
  void stmt(const For& loop, int indent);
  void stmt(const While& loop, int indent);
  void stmt(const Seq& seq, int indent);
  void stmt(const IfThenElse& branches, int indent);
  void stmt(const Evaluate& evaluate, int indent);
  void stmt(const Bind& bind, int indent);
  void stmt(const BufferStore& store, int indent);
  void stmt(const AllocBuffer& alloc, int indent);
  void stmt(const DeclBuffer& declared, int indent);
  void stmt(const AttrStmt& attr, int indent);
  void stmt(const AssertStmt& assertion, int indent);
  void stmt(const Return& result, int indent) { line(indent, "return " + exprs_.expr(result.value)); }
  void stmt(const Break&, int indent) { line(indent, "break"); }
  void stmt(const Continue&, int indent) { line(indent, "continue"); }
  void stmt(const SBlockRealize& realize, int indent);

  void grid(const std::vector<const For*>& loops, int indent);
  void loop_body(const std::vector<const For*>& loops, int indent);
  std::string loop_range(const For& loop);
  void axes(const SBlockRealize& realize, int indent);
  void axis(const IterVar& iter, const Expr& value, int indent);
  void remap(const SBlockRealize& realize, std::size_t first, std::size_t last, int indent);
  bool is_remapped(const IterVar& iter, const Expr& value) const;
  std::string attr_node(const AttrStmt& attr);
  void count_threads(const Stmt& stmt, std::map<const SymVarNode*, int>& uses,
                     std::vector<const AttrStmt*>& order);

  std::string& out_;
  ExprPrinter& exprs_;
  std::unordered_map<const SymVarNode*, const For*> loops_;  // around the statement being printed
  std::unordered_set<const SymVarNode*> threads_;            // declared before the body
  std::vector<std::size_t> starts_;
};

void StmtPrinter::line(int indent, std::string_view text) {
  out_.append(static_cast<std::size_t>(indent) * 4, ' ');
  out_ += text;
  out_ += '\n';
}

void StmtPrinter::insert(std::size_t at, const std::string& lines, std::size_t kept) {
  out_.insert(at, lines);
  for (std::size_t i = kept; i < starts_.size(); ++i) starts_[i] += lines.size();
}

void StmtPrinter::stmt(const Stmt& any, int indent) {
  note_start();
  match(any->node,
        [&](const OneOf<For, While, Seq, IfThenElse, Evaluate, Bind, BufferStore, AllocBuffer, DeclBuffer,
                        AttrStmt, AssertStmt, Return, Break, Continue, SBlockRealize> auto& node) {
          stmt(node, indent);
        });
}

void StmtPrinter::loop_body(const std::vector<const For*>& loops, int indent) {
  for (const For* loop : loops) loops_[loop->var.get()] = loop;
  stmt(loops.back()->body, indent + 1);
  for (const For* loop : loops) loops_.erase(loop->var.get());
}

void StmtPrinter::grid(const std::vector<const For*>& loops, int indent) {
  std::vector<std::string> extents;
  for (const For* loop : loops) extents.push_back(exprs_.expr(loop->extent));
  std::vector<std::string> names;
  for (const For* loop : loops) names.push_back(exprs_.define(loop->var));
  for (std::size_t inner = 1; inner < loops.size(); ++inner) note_start();
  line(indent, fmt::format("for {} in T.grid({}):", fmt::join(names, ", "), fmt::join(extents, ", ")));
  loop_body(loops, indent);
}

std::string StmtPrinter::loop_range(const For& loop) {
  std::vector<std::string> args;
  if (!is_int(loop.min, 0) || loop.step) args.push_back(exprs_.expr(loop.min));
  args.push_back(exprs_.end({loop.min, loop.extent}));
  const bool range = loop.kind == ForKind::serial && loop.annotations.empty();
  if (loop.kind == ForKind::thread_binding) args.push_back("thread=" + quote(loop.thread_tag));
  if (!loop.annotations.empty()) args.push_back("annotations=" + dict_literal(loop.annotations));
  if (loop.step) args.push_back((range ? "" : "step=") + exprs_.expr(loop.step));
  const std::string_view name = loop.kind == ForKind::unrolled ? "unroll" : for_kind_name(loop.kind);
  return fmt::format("{}{}({})", range ? "" : "T.", range ? "range" : name, fmt::join(args, ", "));
}

void StmtPrinter::stmt(const For& loop, int indent) {
  const std::vector<const For*> loops = grid_of(loop);
  if (loops.size() > 1) return grid(loops, indent);
  const std::string range = loop_range(loop);
  line(indent, fmt::format("for {} in {}:", exprs_.define(loop.var), range));
  loop_body({&loop}, indent);
}

void StmtPrinter::stmt(const While& loop, int indent) {
  line(indent, "while " + exprs_.expr(loop.condition) + ":");
  stmt(loop.body, indent + 1);
}

void StmtPrinter::stmt(const Seq& seq, int indent) {
  if (seq.stmts.empty()) line(indent, "T.evaluate(0)");
  for (const Stmt& one : seq.stmts) stmt(one, indent);
}

void StmtPrinter::body(const Stmt& body, int indent) {
  const Seq* seq = as<Seq>(body);
  if (seq != nullptr) note_start();
  for (const Stmt& one : seq == nullptr ? std::vector{body} : seq->stmts) {
    const std::size_t start = out_.size();
    const std::size_t before = starts_.size();
    const std::size_t known = exprs_.free_buffers.size();
    stmt(one, indent);
    std::string declared;
    for (std::size_t i = known; i < exprs_.free_buffers.size(); ++i) {
      const Buffer buffer = exprs_.free_buffers[i];
      const auto args = exprs_.buffer_arguments(buffer, exprs_.shape(buffer), true);
      declared.append(static_cast<std::size_t>(indent) * 4, ' ');
      declared += fmt::format("{} = T.Buffer({})\n", exprs_.use(buffer), fmt::join(args, ", "));
    }
    insert(start, declared, before);
  }
}

void StmtPrinter::stmt(const IfThenElse& branches, int indent) {
  line(indent, "if " + exprs_.expr(branches.condition) + ":");
  stmt(branches.then_case, indent + 1);
  if (!branches.else_case) return;
  line(indent, "else:");
  stmt(branches.else_case, indent + 1);
}

void StmtPrinter::stmt(const Evaluate& evaluate, int indent) {
  const std::string value = exprs_.expr(evaluate.value);
  const bool is_call = as<FunctionCall>(evaluate.value) != nullptr ||
                       (as<Call>(evaluate.value) != nullptr && value.starts_with("T."));
  line(indent, is_call ? value : "T.evaluate(" + value + ")");
}

void StmtPrinter::stmt(const Bind& bind, int indent) {
  const std::string value = exprs_.expr(bind.value);
  // To what a handle points is known to the value alone.
  const std::string type = bind.var->type == kHandle ? "" : "[" + type_text(bind.var->type) + "]";
  line(indent, fmt::format("{}: T.let{} = {}", exprs_.define(bind.var), type, value));
}

void StmtPrinter::stmt(const BufferStore& store, int indent) {
  const std::string name = exprs_.use(store.buffer);
  const std::string indices = exprs_.list(store.indices);
  const std::string value = exprs_.expr(store.value);
  if (store.predicate) {
    line(indent, fmt::format("{}.vstore([{}], {}, predicate={})", name, indices, value,
                             exprs_.expr(store.predicate)));
  } else {
    line(indent, fmt::format("{}[{}] = {}", name, store.indices.empty() ? "()" : indices, value));
  }
}

void StmtPrinter::stmt(const AllocBuffer& alloc, int indent) {
  std::vector<std::string> args = exprs_.buffer_arguments(alloc.buffer, exprs_.shape(alloc.buffer), false);
  std::string_view callee = "alloc_buffer";
  for (const std::string_view scope : {"shared", "local"}) {
    if (alloc.buffer->scope != scope) continue;
    callee = scope == "local" ? "alloc_local" : "alloc_shared";
    std::erase(args, "scope=" + quote(scope));
  }
  if (!alloc.annotations.empty()) args.push_back("annotations=" + dict_literal(alloc.annotations));
  line(indent, fmt::format("{} = T.{}({})", exprs_.define(alloc.buffer), callee, fmt::join(args, ", ")));
}

void StmtPrinter::stmt(const DeclBuffer& declared, int indent) {
  std::vector<std::string> args =
      exprs_.buffer_arguments(declared.buffer, exprs_.shape(declared.buffer), false);
  const auto keyword = std::ranges::find_if(
      args, [](const std::string& arg) { return arg.find('=') != std::string::npos && arg[0] != '('; });
  args.insert(keyword, "data=" + exprs_.expr(declared.data));
  line(indent, fmt::format("{} = T.decl_buffer({})", exprs_.define(declared.buffer), fmt::join(args, ", ")));
}

void StmtPrinter::allocation(const Buffer& buffer, int indent) {
  const std::vector<std::string> args = exprs_.buffer_arguments(buffer, exprs_.shape(buffer), false);
  line(indent, fmt::format("{} = T.sblock_alloc_buffer({})", exprs_.define(buffer), fmt::join(args, ", ")));
}

std::string StmtPrinter::attr_node(const AttrStmt& attr) {
  return match(
      attr.node, [](std::monostate) { return std::string("None"); },
      [](const std::string& text) { return quote(text); }, [&](const Var& var) { return exprs_.use(var); },
      [&](const Buffer& buffer) { return exprs_.use(buffer); },
      [](const std::same_as<std::int64_t> auto& number) { return std::to_string(number); });
}

void StmtPrinter::count_threads(const Stmt& stmt, std::map<const SymVarNode*, int>& uses,
                                std::vector<const AttrStmt*>& order) {
  const AttrStmt* attr = as<AttrStmt>(stmt);
  const Var* var = attr == nullptr || attr->thread_tag.empty() ? nullptr : std::get_if<Var>(&attr->node);
  if (var != nullptr && ++uses[var->get()] == 2) order.push_back(attr);
  for_each_child(stmt, [&](const Stmt& child) { count_threads(child, uses, order); });
}

void StmtPrinter::declare_threads(const Stmt& body, int indent) {
  std::map<const SymVarNode*, int> uses;
  std::vector<const AttrStmt*> order;
  count_threads(body, uses, order);
  for (const AttrStmt* attr : order) {
    const Var& var = std::get<Var>(attr->node);
    threads_.insert(var.get());
    line(indent, fmt::format("{} = T.env_thread({})", exprs_.define(var), quote(attr->thread_tag)));
  }
}

void StmtPrinter::stmt(const AttrStmt& attr, int indent) {
  const Var* thread = attr.thread_tag.empty() ? nullptr : std::get_if<Var>(&attr.node);
  const std::string value = exprs_.expr(attr.value);
  if (thread == nullptr) {
    line(indent, fmt::format("with T.attr({}, {}, {}):", attr_node(attr), quote(attr.key), value));
  } else if (threads_.contains(thread->get())) {
    line(indent, fmt::format("with T.launch_thread({}, {}):", exprs_.use(*thread), value));
  } else {
    line(indent, fmt::format("with T.launch_thread({}, {}) as {}:", quote(attr.thread_tag), value,
                             exprs_.define(*thread)));
  }
  stmt(attr.body, indent + 1);
}

void StmtPrinter::stmt(const AssertStmt& assertion, int indent) {
  std::vector<std::string> parts;
  for (const std::string& part : assertion.message_parts) parts.push_back(quote(part));
  line(indent, fmt::format("assert {}, ({}, [{}])", exprs_.expr(assertion.condition), quote(assertion.kind),
                           fmt::join(parts, ", ")));
}

bool StmtPrinter::is_remapped(const IterVar& iter, const Expr& value) const {
  if (iter.kind != IterKind::spatial && iter.kind != IterKind::reduction) return false;
  const Var* var = as<Var>(value);
  const auto loop = var == nullptr ? loops_.end() : loops_.find(var->get());
  return loop != loops_.end() && same(loop->second->min, iter.domain.min) &&
         same(loop->second->extent, iter.domain.extent) && iter.var->type == (*var)->type;
}

void StmtPrinter::axis(const IterVar& iter, const Expr& value, int indent) {
  std::string domain = exprs_.end(iter.domain);
  if (!is_int(iter.domain.min, 0)) domain = fmt::format("({}, {})", exprs_.expr(iter.domain.min), domain);
  const std::string bound = exprs_.expr(value);
  const std::string_view kind = iter.kind == IterKind::reduction ? "reduce" : iter_kind_name(iter.kind);
  line(indent, fmt::format("{} = T.axis.{}({}, {})", exprs_.define(iter.var), kind, domain, bound));
}

void StmtPrinter::remap(const SBlockRealize& realize, std::size_t first, std::size_t last, int indent) {
  std::vector<std::string> names;
  std::vector<std::string> values;
  std::string kinds;
  for (std::size_t i = first; i < last; ++i) {
    const IterVar& iter = realize.block.iter_vars[i];
    values.push_back(exprs_.expr(realize.iter_values[i]));
    names.push_back(exprs_.define(iter.var));
    kinds += iter.kind == IterKind::spatial ? 'S' : 'R';
  }
  line(indent, fmt::format("{} = T.axis.remap({}, [{}])", fmt::join(names, ", "), quote(kinds),
                           fmt::join(values, ", ")));
}

void StmtPrinter::axes(const SBlockRealize& realize, int indent) {
  const std::vector<IterVar>& iters = realize.block.iter_vars;
  for (std::size_t first = 0; first < iters.size();) {
    std::size_t last = first;
    while (last < iters.size() && is_remapped(iters[last], realize.iter_values[last])) ++last;
    if (last > first + 1) {
      remap(realize, first, last, indent);
      first = last;
    } else {
      axis(iters[first], realize.iter_values[first], indent);
      ++first;
    }
  }
}

void StmtPrinter::stmt(const SBlockRealize& realize, int indent) {
  const SBlock& block = realize.block;
  line(indent, fmt::format("with T.sblock({}):", quote(block.name)));
  ++indent;
  axes(realize, indent);
  if (!is_true(realize.predicate)) line(indent, "T.where(" + exprs_.expr(realize.predicate) + ")");
  const auto regions = [&](std::string_view callee, const std::vector<BufferRegion>& all) {
    std::vector<std::string> texts;
    for (const BufferRegion& one : all) texts.push_back(exprs_.region(one));
    line(indent, fmt::format("T.{}({})", callee, fmt::join(texts, ", ")));
  };
  regions("reads", block.reads);
  regions("writes", block.writes);
  if (!block.annotations.empty()) line(indent, "T.sblock_attr(" + dict_literal(block.annotations) + ")");
  for (const Buffer& buffer : block.alloc_buffers) allocation(buffer, indent);
  for (const MatchBuffer& match : block.match_buffers) {
    std::vector<std::string> args = exprs_.buffer_arguments(match.buffer, exprs_.shape(match.buffer), false);
    args.insert(args.begin(), exprs_.region(match.source));
    line(indent, fmt::format("{} = T.match_buffer({})", exprs_.define(match.buffer), fmt::join(args, ", ")));
  }
  if (block.init) {
    line(indent, "with T.init():");
    stmt(block.init, indent + 1);
  }
  stmt(block.body, indent);
}

// The head and the declarations of one function.
class PrimFuncPrinter {
 public:
  PrimFuncPrinter(std::string& out, std::set<std::string>& type_vars) : out_(out), type_vars_(type_vars) {}
  // Appends the function. Returns where in the text its statements begin.
  std::vector<std::size_t> function(const GlobalPrimFunc& global, int indent);

 private:
  std::string param(const Param& param);
  std::string buffer_param(const Buffer& buffer);
  bool needs_match(const Buffer& buffer) const;
  bool is_later_scalar(const Var& var) const {
    return scalars_.contains(var.get()) && !bound_.contains(var.get());
  }
  // Is it bound by the first shape that names it in quotes? Parsers take the type of a parameter of that name, else int32.
  bool is_quoted(const Var& var) const {
    return !bound_.contains(var.get()) && (is_later_scalar(var) || var->type == number_type(DType::int32));
  }
  bool is_type_var(const Var& var) const {
    return !scalars_.contains(var.get()) && var->type == number_type(DType::int64);
  }
  void mention(const Var& var);
  std::string declarations(int indent);

  std::string& out_;
  std::set<std::string>& type_vars_;
  PrintNames names_;
  ExprPrinter exprs_{names_};
  std::unordered_set<const SymVarNode*> scalars_;  // parameters
  std::unordered_set<const SymVarNode*> bound_;    // by the signature, up to the parameter being printed
  std::vector<Buffer> matched_;                    // parameters whose declaration stands in the body
};

std::vector<Var> vars_of(const std::vector<Expr>& exprs) {
  std::vector<Var> vars;
  for (const Expr& one : exprs) collect_vars(one, vars);
  return vars;
}

std::vector<Var> layout_vars(const Buffer& buffer) {
  std::vector<Var> vars = vars_of(buffer->strides);
  collect_vars(buffer->elem_offset, vars);
  return vars;
}

// A variable that the signature cannot bind is declared in the body, and with it the buffer.
bool PrimFuncPrinter::needs_match(const Buffer& buffer) const {
  const std::vector<Var> shape = vars_of(buffer->shape);
  const auto unsayable = [&](const Var& var) {
    return !bound_.contains(var.get()) && !is_quoted(var) && !is_type_var(var);
  };
  const auto unbound = [&](const Var& var) {
    return !bound_.contains(var.get()) && !is_type_var(var) && std::ranges::find(shape, var) == shape.end();
  };
  return std::ranges::any_of(shape, unsayable) || std::ranges::any_of(layout_vars(buffer), unbound);
}

void PrimFuncPrinter::mention(const Var& var) {
  if (is_type_var(var)) type_vars_.insert(exprs_.define(var));
  bound_.insert(var.get());
}

std::string PrimFuncPrinter::buffer_param(const Buffer& buffer) {
  if (needs_match(buffer)) {
    matched_.push_back(buffer);
    return names_.of(&matched_.back(), "var_" + buffer->name) + ": T.handle";
  }
  const std::string name = exprs_.define(buffer);
  std::string shape;
  for (const Expr& size : buffer->shape) {
    const std::vector<Var> vars = vars_of({size});
    const bool quoted = std::ranges::any_of(vars, [&](const Var& var) { return is_quoted(var); });
    for (const Var& var : vars) exprs_.define(var);
    shape += (shape.empty() ? "" : ", ") + (quoted ? quote(exprs_.expr(size)) : exprs_.expr(size));
    for (const Var& var : vars) mention(var);
  }
  for (const Var& var : layout_vars(buffer)) {
    exprs_.define(var);
    mention(var);
  }
  shape = fmt::format("({}{})", shape, buffer->shape.size() == 1 ? "," : "");
  return fmt::format("{}: T.Buffer({})", name, fmt::join(exprs_.buffer_arguments(buffer, shape, true), ", "));
}

std::string PrimFuncPrinter::param(const Param& param) {
  return match(
      param, [&](const Buffer& buffer) { return buffer_param(buffer); },
      [&](const Var& var) {
        bound_.insert(var.get());
        return exprs_.define(var) + ": " + type_text(var->type);
      });
}

// Of variables that the body uses before it defines them.
std::string PrimFuncPrinter::declarations(int indent) {
  const std::string margin(static_cast<std::size_t>(indent) * 4, ' ');
  std::string vars;
  for (const Var& var : exprs_.free_vars)
    vars += fmt::format("{}{} = {}()\n", margin, exprs_.use(var), type_text(var->type));
  return vars;
}

std::vector<std::size_t> PrimFuncPrinter::function(const GlobalPrimFunc& global, int indent) {
  const PrimFunc& function = *global.function;
  StmtPrinter stmts(out_, exprs_);
  const bool s_tir = function.attrs.contains("s_tir");
  std::vector<std::string> options;
  if (!global.is_public) options.emplace_back("private=True");
  if (s_tir) options.emplace_back("s_tir=True");
  stmts.line(indent,
             options.empty() ? "@T.prim_func" : fmt::format("@T.prim_func({})", fmt::join(options, ", ")));
  for (const Param& one : function.params) {
    if (const Var* var = std::get_if<Var>(&one)) {
      scalars_.insert(var->get());
      exprs_.define(*var);
    }
  }
  matched_.reserve(function.params.size());
  std::vector<std::string> params;
  for (const Param& one : function.params) params.push_back(param(one));
  const std::string result = function.result == kNoValue ? "" : " -> " + type_text(function.result);
  stmts.line(indent, fmt::format("def {}({}){}:", global.name, fmt::join(params, ", "), result));
  const std::size_t start = out_.size();
  for (const Buffer& buffer : matched_) {
    std::vector<std::string> args = exprs_.buffer_arguments(buffer, exprs_.shape(buffer), true);
    args.insert(args.begin(), names_.of(&buffer, {}));
    stmts.line(indent + 1,
               fmt::format("{} = T.match_buffer({})", exprs_.define(buffer), fmt::join(args, ", ")));
  }
  std::vector<std::string> attrs;
  for (const auto& [key, value] : function.attrs) {
    if (key != "global_symbol" && key != "s_tir") attrs.push_back(quote(key) + ": " + attr_literal(value));
  }
  if (!attrs.empty()) stmts.line(indent + 1, fmt::format("T.func_attr({{{}}})", fmt::join(attrs, ", ")));
  stmts.declare_threads(function.body, indent + 1);
  const SBlock* root = s_tir ? implicit_root(function.body) : nullptr;
  if (root != nullptr) {
    stmts.note_start();
    stmts.line(indent + 1, "# with T.sblock(\"root\"):");
    for (const Buffer& buffer : root->alloc_buffers) stmts.allocation(buffer, indent + 1);
  }
  stmts.body(root == nullptr ? function.body : root->body, indent + 1);
  stmts.insert(start, declarations(indent + 1), 0);
  return stmts.starts();
}

}  // namespace

bool needs_root(const Stmt& body, bool has_allocations) {
  if (has_allocations) return true;
  const SBlockRealize* realize = as<SBlockRealize>(body);
  return realize != nullptr ? !realize->block.iter_vars.empty() : contains_block(body);
}

const SBlock* implicit_root(const Stmt& body) {
  const SBlockRealize* realize = as<SBlockRealize>(body);
  if (realize == nullptr || !realize->iter_values.empty() || !is_true(realize->predicate)) return nullptr;
  const SBlock& block = realize->block;
  const bool bare = block.iter_vars.empty() && block.reads.empty() && block.writes.empty() &&
                    block.match_buffers.empty() && block.annotations.empty() && block.init == nullptr;
  return bare && block.name == "root" && needs_root(block.body, !block.alloc_buffers.empty()) ? &block
                                                                                              : nullptr;
}

}  // namespace tir

std::vector<std::size_t> print_prim_func(const GlobalPrimFunc& global, int indent, std::string& out,
                                         std::set<std::string>& type_vars) {
  return tir::PrimFuncPrinter(out, type_vars).function(global, indent);
}

std::string type_var_lines(const std::set<std::string>& type_vars) {
  std::string lines;
  for (const std::string& name : type_vars) lines += fmt::format("{} = TypeVar({})\n", name, quote(name));
  return lines;
}

std::string print(const GlobalPrimFunc& function) {
  std::string text;
  std::set<std::string> type_vars;
  print_prim_func(function, 0, text, type_vars);
  return type_var_lines(type_vars) + text;
}

}  // namespace passdiff

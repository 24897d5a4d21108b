#include <fmt/format.h>

#include <algorithm>

#include "core/match.h"
#include "core/text/text.h"
#include "core/text/tir_stmt_printer.h"

namespace passdiff::tir {
namespace {

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

}  // namespace

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

}  // namespace passdiff::tir

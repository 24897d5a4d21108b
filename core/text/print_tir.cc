// Functions of TensorIR, as TVM 0.27 prints them.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "core/match.h"
#include "core/text/text.h"
#include "core/text/tir_stmt_printer.h"

namespace passdiff {
namespace tir {
namespace {

bool contains_block(const Stmt& stmt) {
  if (as<SBlockRealize>(stmt) != nullptr) return true;
  bool found = false;
  for_each_child(stmt, [&](const Stmt& child) { found = found || contains_block(child); });
  return found;
}

void collect_vars(const Expr& expr, std::vector<Var>& into) {
  if (expr == nullptr) return;
  if (const Var* var = as<Var>(expr)) into.push_back(*var);
  for_each_operand(expr, [&](const Expr& operand) { collect_vars(operand, into); });
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

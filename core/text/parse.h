// The parser of TVMScript: statements and names give trees of syntax their meaning. The first error is kept;
// after it, readers return nothing.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/module.h"
#include "core/ops/op.h"
#include "core/result.h"
#include "core/text/parse_nodes.h"

namespace passdiff {

// What a name stands for: a variable, or a symbolic variable.
struct NameMeaning {
  Var var;
  SymVar symbol;
};

// Names in scope; closing a scope brings back what it hid.
class NameTable {
 public:
  const NameMeaning* find(std::string_view name) const;
  void set(std::string_view name, NameMeaning meaning);
  std::size_t mark() const { return undo_.size(); }
  void close(std::size_t mark);

 private:
  struct Undo {
    std::string name;
    std::optional<NameMeaning> before;
  };
  std::map<std::string, NameMeaning, std::less<>> names_;
  std::vector<Undo> undo_;
};

// Of a function definition, decorator included: all before its body.
struct Signature {
  std::string name;
  Position at;
  bool pure = true;
  bool is_public = true;
  std::vector<Var> params;
  std::optional<Type> result;
};

class TextParser {
 public:
  explicit TextParser(std::string_view text) : reader_(Lexer(text), nodes_) {}
  Result<Module> parse();

 private:
  // Errors. All return something false.
  bool fail(Position at, std::string code, std::string_view message);
  bool fail(NodeIndex at, std::string code, std::string_view message) {
    return fail(nodes_[at].at, std::move(code), message);
  }
  bool fail_here(std::string_view message);
  ExprPtr typed(NodeIndex at, Result<ExprPtr> result);  // reports where a call does not type

  // Modules and functions (parse_module.cc).
  bool top_level();
  bool class_definition();
  bool class_statement();
  bool module_infos(NodeIndex call);
  std::optional<VDevice> vdevice_literal(NodeIndex node);
  bool decorators(Signature& signature, bool& is_class);
  bool decorator_options(NodeIndex call, Signature& signature);
  bool declare_function(Signature signature);
  bool signature(Signature& signature);
  bool parameter(Signature& signature);
  bool skip_block();
  bool define_functions();
  FunctionPtr function_body(const Signature& signature);
  struct Pending {
    Signature signature;
    ExpressionReader body;  // stands before the body's block
  };

  // Statements (parse_statements.cc). A sequence is a function's body or a branch, while it is read.
  struct Sequence {
    std::vector<Block> blocks;
    ExprPtr result;
    std::vector<std::shared_ptr<VarNode>> fresh;  // variables of the open dataflow block
    NamedAttrs attrs;
    bool in_dataflow = false;
    bool ended = false;  // by return, or R.output in a dataflow block
  };
  bool block(Sequence& sequence);
  bool end_of_statement();
  bool statement(Sequence& sequence);
  bool compound_statement(Sequence& sequence);
  bool simple_statement(Sequence& sequence);
  bool local_function(Sequence& sequence);
  bool dataflow_block(Sequence& sequence);
  bool if_statement(Sequence& sequence);
  struct Branch {
    SeqExpr body;
    std::string name;  // of the variable that the branch ends with
    std::optional<Type> annotation;
  };
  bool branch(Branch& branch, std::string_view suffix);
  bool assignment(Sequence& sequence, NodeIndex target, NodeIndex annotation);
  bool assign(Sequence& sequence, NodeIndex target, NodeIndex annotation, NodeIndex value);
  bool symbol_declaration(NodeIndex target, NodeIndex value, bool& done);
  bool match_cast(Sequence& sequence, NodeIndex target, NodeIndex annotation, NodeIndex call);
  bool expression_statement(Sequence& sequence, NodeIndex node);
  bool outputs(Sequence& sequence, NodeIndex call);
  bool function_attrs(Sequence& sequence, NodeIndex call);
  bool bind(Sequence& sequence, NodeIndex target, const std::optional<Type>& annotation, ExprPtr value);
  Var emit(Sequence& sequence, std::string_view name, Type type, ExprPtr value, std::optional<Type> cast);

  // Expressions (parse_expr.cc, parse_call.cc).
  ExprPtr expr(NodeIndex node);
  ExprPtr leaf(NodeIndex node);  // bound to a new variable first if it is none
  ExprPtr name(NodeIndex node);
  ExprPtr number(NodeIndex node);
  ExprPtr operation(NodeIndex node);
  ExprPtr tuple(NodeIndex node);
  ExprPtr item(NodeIndex node);
  ExprPtr call(NodeIndex node);
  ExprPtr builtin(NodeIndex node, std::string_view path, bool& known);
  ExprPtr prim_value(NodeIndex node);
  ExprPtr prim_literal(NodeIndex node, DType dtype, NodeIndex value);
  ExprPtr packed_call(NodeIndex node);
  ExprPtr op_call(NodeIndex node, const OpDef& op);
  ExprPtr function_call(NodeIndex node);
  bool call_args(NodeIndex node, std::vector<ExprPtr>& args);
  ExprPtr operand(const OpDef& op, const Param& param, NodeIndex node);
  std::optional<AttrValue> attr(const OpDef& op, const Param& param, NodeIndex node);
  std::optional<VDeviceRef> vdevice_ref(NodeIndex node);
  std::optional<VDeviceRef> device_ref(NodeIndex node);

  // Types and dims (parse_types.cc).
  std::optional<Type> type(NodeIndex node);
  std::optional<Type> named_type(NodeIndex node, std::string_view name);
  std::optional<Type> tensor_type_of(NodeIndex call);
  std::optional<Type> shape_type_of(NodeIndex call);
  std::optional<Type> tuple_type_of(NodeIndex call);
  std::optional<Type> callable_type_of(NodeIndex call);
  std::optional<Type> prim_type_of(NodeIndex call);
  std::optional<Dim> dim(NodeIndex node);
  std::optional<Dim> quoted_dim(NodeIndex node);
  std::optional<Dim> symbol(NodeIndex node);
  std::optional<Dim> dim_operation(NodeIndex node);
  std::optional<Shape> shape(NodeIndex node);
  std::optional<int> vdevice_index(NodeIndex node, std::string_view text);

  // Literals (parse_literals.cc).
  ExprPtr constant(NodeIndex call);
  ExprPtr number_constant(NodeIndex node);  // `y = 1`: int32, float32 or bool
  bool list_shape(NodeIndex node, std::vector<std::int64_t>& shape);
  bool list_elements(NodeIndex node, const std::vector<std::int64_t>& shape, std::size_t axis, Tensor& tensor,
                     std::size_t& next);
  bool element(NodeIndex node, Tensor& tensor, std::size_t at);
  std::optional<double> float_value(NodeIndex node);
  std::optional<std::int64_t> int_value(NodeIndex node);
  std::optional<bool> bool_value(NodeIndex node);
  std::optional<DType> dtype_value(NodeIndex node);  // "float32", R.dtype("float32")
  std::optional<AttrValue> attr_value(NodeIndex node);
  std::optional<std::vector<std::int64_t>> ints_value(NodeIndex node);

  // Nodes.
  bool is_name(NodeIndex node, std::string_view text) const;
  // "nn.relu" for R.nn.relu, under `root`; empty if it is something else.
  std::string path(NodeIndex node, std::string_view root) const;
  std::string call_path(NodeIndex node, std::string_view root) const;
  // Arguments of a call by position or name; kNoNode if left out. Fails on any others.
  bool arguments(NodeIndex call, std::initializer_list<std::string_view> names,
                 std::vector<NodeIndex>& values);

  Nodes nodes_;
  ExpressionReader reader_;
  Module module_;
  std::string class_name_;
  std::vector<Pending> pending_;
  std::vector<Type> signatures_;  // of module_.functions
  NameTable names_;
  Sequence* current_ = nullptr;  // where nested calls are bound
  bool may_define_symbols_ = false;
  int fresh_ = 0;
  int depth_ = 0;
  std::optional<Error> error_;
};

}  // namespace passdiff

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "core/documents/json.h"
#include "core/documents/prim_func_document.h"
#include "core/documents/wire/function_reader.h"
#include "core/form/builder.h"
#include "core/ops/op.h"
#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

class IrTypes;

struct IrKinds {
  template <class T>
  using List = std::vector<T>;
  using Dim = passdiff::Dim;
  using Type = passdiff::Type;
  using Types = IrTypes;
  struct Variable {
    Var var;
    ExprPtr use;
  };
  using Expr = ExprPtr;
  using Binding = passdiff::Binding;
  using Block = passdiff::Block;
  using Seq = SeqExpr;
  using Function = FunctionPtr;
  struct BeforeBranches {};
};

class IrTypes final : public TypeReader<IrKinds> {
 public:
  using TypeReader::TypeReader;

 protected:
  Dim make_symbol(std::string_view name) override { return make_sym_var(std::string(name)); }
  Dim make_integer(std::int64_t value, DType) override { return value; }
  Dim make_operation(DimOp op, const Dim& lhs, const Dim& rhs) override { return Dim::binary(op, lhs, rhs); }
  Type make_object_type() override { return object_type(); }
  Type make_tensor_type(Extent extent, std::optional<DType> dtype, std::optional<int> vdevice,
                        const std::optional<Sharding>& sharding) override {
    return TensorType{std::move(extent.dims), extent.rank.value_or(kUnknownRank), dtype, vdevice, sharding};
  }
  Type make_tuple_type(List<Type> fields) override { return tuple_type(std::move(fields)); }
  Type make_shape_type(Extent extent) override {
    return ShapeType{std::move(extent.dims), extent.rank.value_or(kUnknownRank)};
  }
  Type make_prim_type(DType dtype) override { return prim_type(dtype); }
  Type make_func_type(std::optional<List<Type>> params, Type result, bool pure) override {
    return FuncType{std::move(params), std::move(result), pure};
  }
};

// The declared types of a module's functions. Each is read when a call needs it, which may be before the function's body is read.
class Signatures {
 public:
  Signatures(std::span<const FunctionDocument> functions, GlobalInfos infos) : functions_(functions), infos_(infos) {}

  // The type of a function; nothing if the module has none of this name.
  Result<std::optional<Type>> of(std::string_view name) {
    const auto known = types_.find(name);
    if (known != types_.end()) return std::optional(known->second);
    for (const FunctionDocument& function : functions_) {
      if (function.name == name) return std::optional(types_[name] = TRY(read(function)));
    }
    return std::optional<Type>();
  }

 private:
  Result<Type> read(const FunctionDocument& function) const {
    IrTypes types(infos_, function.symbols);
    std::vector<Type> params;
    Cursor at = function.body.params;
    for (std::size_t left = TRY(at.array()); left > 0; --left) {
      Cursor type = function.vars[TRY(at.index(function.vars.size()))].type;
      params.push_back(TRY(types.type(type)));
    }
    Cursor result_at = function.body.result;
    Type result = TRY(types.type(result_at));
    return func_type(std::move(params), std::move(result), function.body.pure);
  }

  std::span<const FunctionDocument> functions_;
  GlobalInfos infos_;
  std::map<std::string_view, Type> types_;
};

// A document holds no types of expressions: they are inferred. Where inference refuses, the expression is kept with the type
// that its variable declares, for well_formed to judge: an ill-typed target has to be readable to be a finding.
class IrFunction final : public FunctionReader<IrKinds> {
 public:
  IrFunction(const FunctionDocument& document, GlobalInfos infos, Signatures& signatures)
      : FunctionReader(document, IrTypes(infos, document.symbols)), signatures_(signatures) {}

 protected:
  Variable make_variable(const VariableDocument& declared, Type type) override {
    Var var = make_var(std::string(declared.name), std::move(type), declared.dataflow);
    ExprPtr use = var_expr(var);
    return {std::move(var), std::move(use)};
  }
  ExprPtr use(const Variable& variable) override { return variable.use; }

  Result<ExprPtr> make_op_call(OpCallDocument document, List<ExprPtr> args, List<Type> type_args) override;
  Result<ExprPtr> make_constant(const Cursor& at, TensorDocument tensor, const std::optional<Sharding>& sharding) override;
  ExprPtr make_get(ExprPtr tuple, int index) override {
    auto get = make_tuple_get_item(tuple, index);
    return get ? *std::move(get) : untyped(TupleGetItem{std::move(tuple), index});
  }
  ExprPtr make_tuple(List<ExprPtr> fields) override { return passdiff::make_tuple(std::move(fields)); }
  ExprPtr make_shape(List<Dim> dims) override { return passdiff::make_shape(std::move(dims)); }
  ExprPtr make_prim(DType dtype, Dim value) override {
    return make_expr(PrimValue{dtype, std::move(value)}, prim_type(dtype));
  }
  ExprPtr make_prim(DType dtype, double value) override {
    return make_expr(PrimValue{dtype, value}, prim_type(dtype));
  }
  ExprPtr make_call(ExprPtr callee, List<ExprPtr> args) override;
  ExprPtr make_extern_call(std::string_view name, List<ExprPtr> args, List<Type> type_args) override {
    return call_extern(std::string(name), std::move(args), std::move(type_args));
  }
  BeforeBranches before_branches() override { return {}; }
  ExprPtr make_branch(BeforeBranches, ExprPtr condition, Seq then_branch, Seq else_branch) override {
    auto branch = make_if(condition, then_branch, else_branch);
    if (branch) return *std::move(branch);
    return untyped(If{std::move(condition), std::make_shared<const SeqExpr>(std::move(then_branch)),
                      std::make_shared<const SeqExpr>(std::move(else_branch))});
  }
  ExprPtr make_string(std::string_view value) override {
    return make_expr(StringImm{std::string(value)}, object_type());
  }
  ExprPtr make_dtype(DType value) override { return make_expr(DataTypeImm{value}, object_type()); }
  Result<ExprPtr> make_global(const Cursor& at, std::string_view name) override;
  ExprPtr make_extern_function(std::string_view name) override {
    return make_extern_func(std::string(name));
  }
  ExprPtr make_local_function(FunctionPtr function) override {
    Type type = type_of(*function);
    return make_expr(std::move(function), std::move(type));
  }

  Result<Binding> make_binding(std::size_t row, ExprPtr value, std::optional<Type> cast) override;
  Block make_block(bool dataflow, List<Binding> bindings) override { return {dataflow, std::move(bindings)}; }
  Seq make_seq(List<Block> blocks, ExprPtr result) override {
    return {std::move(blocks), std::move(result)};
  }
  void begin_body(const List<Variable>&) override {}
  Result<FunctionPtr> make_function(const BodyDocument& document, List<Variable> params, NamedAttrs attrs,
                                    Seq body) override;

 private:
  template <class Node>
  ExprPtr untyped(Node node) {
    return untyped_ = make_expr(std::move(node), object_type());
  }

  Signatures& signatures_;
  ExprPtr untyped_;  // the last expression whose type could not be inferred
};

Result<ExprPtr> IrFunction::make_op_call(OpCallDocument document, List<ExprPtr> args, List<Type> type_args) {
  const std::string name(document.name);
  const OpDef* op = find_op(name);
  if (op == nullptr) return document.at.error("json.unknown-op", "op \"" + name + "\" is not in the table");
  std::vector<AttrDocument>& attrs = document.attrs;
  const auto expected = op->attributes();
  if (attrs.size() != expected.size())
    return document.at.error("json.field", name + " has " + std::to_string(expected.size()) + " attributes");
  // A compiler's fields stand in an order of their own, which need not be that of its Python function.
  Attrs values(attrs.size());
  std::vector<bool> given(attrs.size());
  for (AttrDocument& attr : attrs) {
    const auto param = std::ranges::find(expected, attr.name, &Param::name);
    const auto i = static_cast<std::size_t>(param - expected.begin());
    if (param == expected.end() || given[i])
      return attr.at.error("json.name", "no attribute \"" + std::string(attr.name) + "\", or a second one");
    if (!takes(*param, attr.value))
      return attr.at.error("json.type", "attribute \"" + std::string(attr.name) + "\" is of another kind");
    values[i] = std::move(attr.value);
    given[i] = true;
  }
  auto call = passdiff::make_call(*op, args, values, type_args);
  if (call) return *std::move(call);
  return untyped(Call{op, std::move(args), std::move(values), std::move(type_args)});
}

Result<ExprPtr> IrFunction::make_constant(const Cursor& at, TensorDocument tensor, const std::optional<Sharding>& sharding) {
  auto value = from_bytes(tensor.dtype, tensor.shape, tensor.bytes, kMostTensorElements);
  if (!value) return at.error(value.error().code.c_str(), value.error().message);
  return passdiff::make_constant(*std::move(value), sharding);
}

ExprPtr IrFunction::make_call(ExprPtr callee, List<ExprPtr> args) {
  auto call = call_function(callee, args);
  if (call) return *std::move(call);
  const auto* global = as<GlobalRef>(callee);
  return untyped(Call{global != nullptr ? Callee(*global) : Callee(std::move(callee)), std::move(args), {}, {}});
}

// Whether the global function exists is for well_formed to check.
Result<ExprPtr> IrFunction::make_global(const Cursor&, std::string_view name) {
  std::optional<Type> type = TRY(signatures_.of(name));
  GlobalRef global{std::string(name)};
  return type ? make_expr(std::move(global), *std::move(type)) : untyped(std::move(global));
}

Result<Binding> IrFunction::make_binding(std::size_t row, ExprPtr value, std::optional<Type> cast) {
  const Variable bound = TRY(variable(row));
  if (value == untyped_) {
    passdiff::Expr retyped = *value;
    retyped.type = bound.var->type;
    value = std::make_shared<const passdiff::Expr>(std::move(retyped));
  }
  return Binding{bound.var, std::move(value), std::move(cast)};
}

Result<FunctionPtr> IrFunction::make_function(const BodyDocument& document, List<Variable> params,
                                              NamedAttrs attrs, Seq body) {
  auto function = std::make_shared<passdiff::Function>();
  function->params.reserve(params.size());
  for (Variable& param : params) function->params.push_back(std::move(param.var));
  function->body = std::move(body);
  Cursor result = document.result;
  function->result_type = TRY(types().type(result));
  function->pure = document.pure;
  function->attrs = std::move(attrs);
  return FunctionPtr(std::move(function));
}

Result<std::vector<GlobalFunction>> read_relax(Cursor in, GlobalInfos infos) {
  const std::vector<FunctionDocument> documents = TRY(read_functions(in));
  Signatures signatures(documents, infos);
  std::vector<GlobalFunction> functions;
  functions.reserve(documents.size());
  for (const FunctionDocument& document : documents) {
    FunctionPtr read = TRY(IrFunction(document, infos, signatures).read());
    functions.push_back({std::string(document.name), std::move(read), document.is_public});
  }
  return functions;
}

Result<GlobalPrimFunc> read_tir(Cursor in, GlobalInfos infos) {
  const PrimFuncDocument document = TRY(read_prim_func_outline(in));
  tir::PrimFuncPtr read = TRY(read_prim_func(document, infos));
  return GlobalPrimFunc{std::string(document.name), std::move(read), document.is_public};
}

// What `read` makes of the item here, which is stepped over: what was made of an equal one if there was one.
template <class T>
Result<T> read_once(Cursor& in, GlobalInfos infos, Result<T> (*read)(Cursor, GlobalInfos),
                    std::map<ReadDocuments::Key, T, ReadDocuments::Less>& known) {
  const Cursor start = in;
  const std::span<const std::uint8_t> bytes = in.item();
  const std::string_view document(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  auto found = known.find(ReadDocuments::KeyView(infos, document));
  if (found == known.end()) found = known.emplace(ReadDocuments::Key{infos, std::string(document)}, TRY(read(start, infos))).first;
  return found->second;
}

}  // namespace

Result<Module> module_from_cbor(std::span<const std::uint8_t> bytes, ReadDocuments* known) {
  ReadDocuments of_its_own;
  if (known == nullptr) known = &of_its_own;
  ModuleDocument document = TRY(read_outline(bytes));
  Module module;
  for (const VDeviceDocument& device : document.vdevices)
    module.vdevices.push_back({std::string(device.target), device.id, std::string(device.memory_scope)});
  module.meshes = document.meshes;
  module.attrs = document.attrs;
  module.functions = TRY(read_once(document.functions, document.infos(), read_relax, known->functions));
  if (!document.prim_funcs.is_set()) return module;
  for (std::size_t left = TRY(document.prim_funcs.array()); left > 0; --left)
    module.prim_funcs.push_back(TRY(read_once(document.prim_funcs, document.infos(), read_tir, known->prim_funcs)));
  return module;
}

}  // namespace passdiff

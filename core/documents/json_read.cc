#include "core/documents/json_read.h"

#include "core/ops/op.h"
#include "core/form/builder.h"
#include "core/documents/cbor.h"
#include "core/documents/json.h"
#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

// A document holds no types of expressions: they are inferred. Where inference refuses, the expression is
// kept with the type that its variable declares, for well_formed to judge: an ill-typed target has to be
// readable to be a finding.
class ModuleReader : TypeReader {
 public:
  using TypeReader::TypeReader;
  Result<Module> read();

 private:
  struct Signature {
    std::string_view name;
    Type type;
  };
  using Read = ExprPtr (ModuleReader::*)(ItemIndex, const Type&);
  struct Form {
    std::string_view tag;
    Read read;
  };

  void header(Module& module);
  GlobalFunction function(ItemIndex at);
  void begin_function(ItemIndex at);
  Signature signature(ItemIndex at);
  FunctionPtr body(ItemIndex at);
  std::shared_ptr<const SeqExpr> seq(ItemIndex at);
  Block block(ItemIndex at);
  Binding binding(ItemIndex at);
  const Var& var(ItemIndex at);
  ExprPtr expr(ItemIndex at, const Type& declared);
  ExprPtr operand(ItemIndex at) { return expr(at, object_type()); }
  std::vector<ExprPtr> operands(ItemIndex at);
  Attrs op_attrs(const OpDef& op, ItemIndex at);

  ExprPtr read_op(ItemIndex at, const Type& declared);
  ExprPtr read_call(ItemIndex at, const Type& declared);
  ExprPtr read_extern(ItemIndex at, const Type& declared);
  ExprPtr read_const(ItemIndex at, const Type& declared);
  ExprPtr read_tuple(ItemIndex at, const Type& declared);
  ExprPtr read_get(ItemIndex at, const Type& declared);
  ExprPtr read_shape(ItemIndex at, const Type& declared);
  ExprPtr read_prim(ItemIndex at, const Type& declared);
  ExprPtr read_str(ItemIndex at, const Type& declared);
  ExprPtr read_dtype(ItemIndex at, const Type& declared);
  ExprPtr read_global(ItemIndex at, const Type& declared);
  ExprPtr read_externfn(ItemIndex at, const Type& declared);
  ExprPtr read_if(ItemIndex at, const Type& declared);
  ExprPtr read_fn(ItemIndex at, const Type& declared);

  static std::span<const Form> forms();
  const Type* global_type(std::string_view name) const;
  // Stands for an expression that could not be read.
  ExprPtr nothing() const { return nothing_; }

  std::vector<Signature> signatures_;
  std::vector<Var> vars_;
  std::vector<ExprPtr> var_exprs_;
  ExprPtr nothing_ = make_expr(Tuple{}, tuple_type({}));
  Var no_var_ = make_var("", object_type());
};

std::span<const ModuleReader::Form> ModuleReader::forms() {
  static constexpr Form kForms[] = {
      {"op", &ModuleReader::read_op},
      {"const", &ModuleReader::read_const},
      {"get", &ModuleReader::read_get},
      {"tuple", &ModuleReader::read_tuple},
      {"shape", &ModuleReader::read_shape},
      {"prim", &ModuleReader::read_prim},
      {"call", &ModuleReader::read_call},
      {"extern", &ModuleReader::read_extern},
      {"if", &ModuleReader::read_if},
      {"str", &ModuleReader::read_str},
      {"dtype", &ModuleReader::read_dtype},
      {"global", &ModuleReader::read_global},
      {"externfn", &ModuleReader::read_externfn},
      {"fn", &ModuleReader::read_fn},
  };
  return kForms;
}

const Var& ModuleReader::var(ItemIndex at) {
  const std::size_t i = index(at, vars_.size());
  return i < vars_.size() ? vars_[i] : no_var_;
}

ExprPtr ModuleReader::expr(ItemIndex at, const Type& declared) {
  if (is(at, ItemKind::integer)) {
    const std::size_t i = index(at, vars_.size());
    return i < vars_.size() ? var_exprs_[i] : nothing();
  }
  if (!expect(at, ItemKind::array, "an expression") || document()[at].count == 0) {
    fail(at, "json.type", "expected an expression");
    return nothing();
  }
  const std::string_view tag = text(at + 1);
  for (const Form& form : forms()) {
    if (form.tag == tag) return (this->*form.read)(at, declared);
  }
  fail(at, "json.name", "no expression is called \"" + std::string(tag) + "\"");
  return nothing();
}

std::vector<ExprPtr> ModuleReader::operands(ItemIndex at) {
  std::vector<ExprPtr> result;
  result.reserve(is(at, ItemKind::array) ? document()[at].count : 0);
  for_each(at, [&](ItemIndex element) { result.push_back(operand(element)); });
  return result;
}

Attrs ModuleReader::op_attrs(const OpDef& op, ItemIndex at) {
  Attrs result;
  const auto expected = op.attributes();
  if (expect(at, ItemKind::array, "attributes") && document()[at].count != expected.size()) {
    fail(at, "json.field", std::string(op.name) + " has " + std::to_string(expected.size()) + " attributes");
  }
  result.reserve(expected.size());
  for_each(at, [&](ItemIndex pair) {
    const auto [name, value_at] = elements<2>(pair);
    const Param& param = expected[result.size()];
    const std::string_view given = text(name);
    AttrValue value = attr(value_at);
    if (given != param.name)
      fail(pair, "json.name", "expected attribute \"" + std::string(param.name) + "\"");
    if (!takes(param, value))
      fail(pair, "json.type", "attribute \"" + std::string(given) + "\" is of another kind");
    result.push_back(std::move(value));
  });
  return result;
}

ExprPtr ModuleReader::read_op(ItemIndex at, const Type& declared) {
  const auto [tag, name_at, args_at, attrs_at] = elements<4>(at);
  const std::string_view name = text(name_at);
  const OpDef* op = find_op(name);
  if (op == nullptr) {
    fail(at, "json.unknown-op", "op \"" + std::string(name) + "\" is not in the table");
    return nothing();
  }
  std::vector<ExprPtr> args = operands(args_at);
  Attrs attrs = op_attrs(*op, attrs_at);
  if (failed()) return nothing();
  auto call = make_call(*op, args, attrs);
  if (call) return *std::move(call);
  return make_expr(Call{op, std::move(args), std::move(attrs), {}}, declared);
}

const Type* ModuleReader::global_type(std::string_view name) const {
  for (const Signature& s : signatures_) {
    if (s.name == name) return &s.type;
  }
  return nullptr;
}

ExprPtr ModuleReader::read_call(ItemIndex at, const Type& declared) {
  const auto [tag, callee_at, args_at] = elements<3>(at);
  if (failed()) return nothing();
  const ExprPtr callee = operand(callee_at);
  std::vector<ExprPtr> args = operands(args_at);
  if (failed()) return nothing();
  auto call = call_function(callee, args);
  if (call) return *std::move(call);
  const auto* global = as<GlobalRef>(callee);
  return make_expr(Call{global != nullptr ? Callee(*global) : Callee(callee), std::move(args), {}, {}},
                   declared);
}

ExprPtr ModuleReader::read_extern(ItemIndex at, const Type&) {
  const auto [tag, name, args, result_types] = elements<4>(at);
  if (failed()) return nothing();
  return call_extern(std::string(text(name)), operands(args), types(result_types));
}

ExprPtr ModuleReader::read_const(ItemIndex at, const Type&) {
  const auto [tag, dtype_at, shape, data] = elements<4>(at);
  if (failed()) return nothing();
  TensorPtr value = tensor(dtype_at, shape, data);
  if (!value) return nothing();
  const auto dims = value->shape();
  Type type = tensor_type(Shape(dims.begin(), dims.end()), value->dtype);
  return make_expr(Constant{std::move(value)}, std::move(type));
}

ExprPtr ModuleReader::read_tuple(ItemIndex at, const Type&) {
  const auto [tag, fields] = elements<2>(at);
  return failed() ? nothing() : make_tuple(operands(fields));
}

ExprPtr ModuleReader::read_get(ItemIndex at, const Type& declared) {
  const auto [tag, tuple_at, index_at] = elements<3>(at);
  if (failed()) return nothing();
  ExprPtr tuple = operand(tuple_at);
  const int field = static_cast<int>(integer(index_at, 0, std::numeric_limits<int>::max()));
  auto get = make_tuple_get_item(tuple, field);
  if (get) return *std::move(get);
  return make_expr(TupleGetItem{std::move(tuple), field}, declared);
}

ExprPtr ModuleReader::read_shape(ItemIndex at, const Type&) {
  const auto [tag, values] = elements<2>(at);
  return failed() ? nothing() : make_shape(dims(values));
}

ExprPtr ModuleReader::read_prim(ItemIndex at, const Type&) {
  const auto [tag, dtype_at, value] = elements<3>(at);
  if (failed()) return nothing();
  const DType type = dtype(dtype_at);
  if (is_float(type)) return make_expr(PrimValue{type, number(value)}, prim_type(type));
  if (is(value, ItemKind::integer)) integer(value, int_min(type), int_max(type));
  return make_expr(PrimValue{type, dim(value)}, prim_type(type));
}

ExprPtr ModuleReader::read_str(ItemIndex at, const Type&) {
  const auto [tag, value] = elements<2>(at);
  return make_expr(StringImm{std::string(text(value))}, object_type());
}

ExprPtr ModuleReader::read_dtype(ItemIndex at, const Type&) {
  const auto [tag, value] = elements<2>(at);
  return make_expr(DataTypeImm{dtype(value)}, object_type());
}

// An unknown global is well_formed's to report.
ExprPtr ModuleReader::read_global(ItemIndex at, const Type& declared) {
  const auto [tag, name_at] = elements<2>(at);
  const std::string_view name = text(name_at);
  const Type* type = global_type(name);
  return make_expr(GlobalRef{std::string(name)}, type != nullptr ? *type : declared);
}

ExprPtr ModuleReader::read_externfn(ItemIndex at, const Type&) {
  const auto [tag, name] = elements<2>(at);
  FuncType opaque{.params = std::nullopt, .result = object_type(), .pure = false};
  return make_expr(ExternFunc{std::string(text(name))}, std::move(opaque));
}

ExprPtr ModuleReader::read_if(ItemIndex at, const Type& declared) {
  const auto [tag, condition_at, then_at, else_at] = elements<4>(at);
  if (failed()) return nothing();
  ExprPtr condition = operand(condition_at);
  auto then_branch = seq(then_at);
  auto else_branch = seq(else_at);
  if (failed()) return nothing();
  auto branch = make_if(condition, *then_branch, *else_branch);
  if (branch) return *std::move(branch);
  return make_expr(If{std::move(condition), std::move(then_branch), std::move(else_branch)}, declared);
}

ExprPtr ModuleReader::read_fn(ItemIndex at, const Type&) {
  const auto [tag, content] = elements<2>(at);
  if (failed()) return nothing();
  only_fields(content, {"params", "pure", "attrs", "result", "body"});
  FunctionPtr function = body(content);
  if (failed()) return nothing();
  Type type = type_of(*function);
  return make_expr(std::move(function), std::move(type));
}

Binding ModuleReader::binding(ItemIndex at) {
  const auto [var_at, value_at, cast_at] = elements<3>(at, 2);
  Binding result{var(var_at), nothing(), std::nullopt};
  if (failed()) return result;
  result.value = expr(value_at, result.var->type);
  if (cast_at != 0) result.match_cast = type(cast_at);
  return result;
}

Block ModuleReader::block(ItemIndex at) {
  const auto [dataflow, bindings] = elements<2>(at);
  Block result;
  if (failed()) return result;
  result.dataflow = bit(dataflow);
  result.bindings.reserve(is(bindings, ItemKind::array) ? document()[bindings].count : 0);
  for_each(bindings, [&](ItemIndex element) { result.bindings.push_back(binding(element)); });
  return result;
}

std::shared_ptr<const SeqExpr> ModuleReader::seq(ItemIndex at) {
  auto result = std::make_shared<SeqExpr>();
  result->result = nothing();
  const auto [blocks, value] = elements<2>(at);
  if (failed()) return result;
  for_each(blocks, [&](ItemIndex element) { result->blocks.push_back(block(element)); });
  if (!failed()) result->result = operand(value);
  return result;
}

FunctionPtr ModuleReader::body(ItemIndex at) {
  auto result = std::make_shared<Function>();
  result->body.result = nothing();
  const ItemIndex params = field(at, "params");
  if (!failed()) for_each(params, [&](ItemIndex param) { result->params.push_back(var(param)); });
  const ItemIndex pure = field(at, "pure");
  const ItemIndex attrs_at = field(at, "attrs");
  const ItemIndex type_at = field(at, "result");
  const ItemIndex seq_at = field(at, "body");
  if (failed()) return result;
  result->pure = boolean(pure);
  result->attrs = attrs(attrs_at);
  result->result_type = type(type_at);
  if (!failed()) result->body = *seq(seq_at);
  return result;
}

void ModuleReader::begin_function(ItemIndex at) {
  const ItemIndex symbols = field(at, "symbols");
  const ItemIndex table = field(at, "vars");
  if (failed()) return;
  begin_symbols(symbols);
  vars_.clear();
  var_exprs_.clear();
  for_each(table, [&](ItemIndex row) {
    const auto [name, type_at, dataflow] = elements<3>(row);
    if (failed()) return;
    vars_.push_back(make_var(std::string(text(name)), type(type_at), bit(dataflow)));
    var_exprs_.push_back(var_expr(vars_.back()));
  });
}

GlobalFunction ModuleReader::function(ItemIndex at) {
  GlobalFunction result;
  begin_function(at);
  const ItemIndex name = field(at, "name");
  const ItemIndex is_public = field(at, "public");
  if (failed()) return result;
  result.name = text(name);
  result.is_public = boolean(is_public);
  result.function = body(at);
  return result;
}

// Calls need the callee's type before its body has been read.
ModuleReader::Signature ModuleReader::signature(ItemIndex at) {
  Signature result;
  only_fields(at, {"name", "public", "symbols", "vars", "params", "pure", "attrs", "result", "body"});
  const ItemIndex symbols = field(at, "symbols");
  const ItemIndex name = field(at, "name");
  const ItemIndex table = field(at, "vars");
  const ItemIndex params = field(at, "params");
  const ItemIndex result_type = field(at, "result");
  const ItemIndex pure = field(at, "pure");
  if (failed()) return result;
  begin_symbols(symbols);
  std::vector<ItemIndex> rows;
  for_each(table, [&](ItemIndex row) { rows.push_back(row); });
  std::vector<Type> param_types;
  for_each(params, [&](ItemIndex param) {
    const std::size_t i = index(param, rows.size());
    if (failed()) return;
    const auto [var_name, type_at, dataflow] = elements<3>(rows[i]);
    if (!failed()) param_types.push_back(type(type_at));
  });
  result.name = text(name);
  if (!failed()) result.type = func_type(std::move(param_types), type(result_type), boolean(pure));
  return result;
}

void ModuleReader::header(Module& module) {
  if (!expect(0, ItemKind::map, "an object")) return;
  only_fields(0, {"passdiff", "functions", "vdevices", "attrs"});
  const ItemIndex version = field(0, "passdiff");
  const ItemIndex devices = field(0, "vdevices");
  const ItemIndex attrs_at = field(0, "attrs");
  if (failed()) return;
  if (integer(version) != 1) fail(version, "json.version", "only version 1 is known");
  set_vdevices(is(devices, ItemKind::array) ? document()[devices].count : 0);
  for_each(devices, [&](ItemIndex at) {
    const auto [target, id, scope] = elements<3>(at);
    if (failed()) return;
    const int number = static_cast<int>(integer(id, 0, std::numeric_limits<int>::max()));
    module.vdevices.push_back({std::string(text(target)), number, std::string(text(scope))});
  });
  module.attrs = attrs(attrs_at);
}

Result<Module> ModuleReader::read() {
  Module module;
  header(module);
  const ItemIndex functions = failed() ? 0 : field(0, "functions");
  if (!failed()) for_each(functions, [&](ItemIndex at) { signatures_.push_back(signature(at)); });
  if (!failed()) for_each(functions, [&](ItemIndex at) { module.functions.push_back(function(at)); });
  if (failed()) return error();
  return module;
}

}  // namespace

Result<Module> read_module(const Document& document) {
  return ModuleReader(document).read();
}

Result<Module> module_from_cbor(std::span<const std::uint8_t> bytes) {
  const auto document = read_cbor(bytes);
  if (!document) return document.error();
  return read_module(*document);
}

}  // namespace passdiff

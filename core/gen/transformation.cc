#include "core/gen/transformation.h"

#include <algorithm>

#include "core/form/builder.h"

namespace passdiff {
namespace {

GlobalFunction& entry_of(GeneratedCase& made) {
  auto& functions = made.test.module.functions;
  return *std::find_if(functions.begin(), functions.end(),
                       [&](const GlobalFunction& f) { return f.name == made.test.entry; });
}

bool has_symbols(const Function& function) {
  return has_symbolic_dims(function.result_type) ||
         std::any_of(function.params.begin(), function.params.end(),
                     [](const Var& param) { return has_symbolic_dims(param->type); });
}

// A field of the new entry's result, and its value.
struct Field {
  ExprPtr expr;
  Value value;
};

// Makes the new entry.
class Wrapper {
 public:
  Wrapper(Choices& choices, GeneratedCase& made) : choices_(choices), made_(made) {}

  FunctionPtr wrap(const Function& inner, const std::string& name) {
    std::vector<Type> types;
    for (const Var& param : inner.params) types.push_back(param->type);
    const Var params = make_var("params", tuple_type(std::move(types)));
    seq_.begin_block(choices_.flip());
    take_items(params, inner.params.size());
    std::vector<ExprPtr> args;
    for (const Field& item : items_) args.push_back(item.expr);
    auto call = call_global(name, type_of(inner), std::move(args));
    CHECK(call.ok()) << call.error().message;
    const ExprPtr called = var_expr(seq_.emit(*std::move(call)));
    const ExprPtr result = returned(called, params);
    NamedAttrs attrs;
    if (choices_.flip()) attrs["num_input"] = std::int64_t{0};
    return make_function({params}, seq_.finish(result), inner.pure, std::move(attrs));
  }

 private:
  void take_items(const Var& params, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      auto item = make_tuple_get_item(var_expr(params), static_cast<int>(i));
      CHECK(item.ok()) << item.error().message;
      items_.push_back(
          {var_expr(seq_.emit(*std::move(item), true, "w" + std::to_string(i))), made_.test.arguments[i]});
    }
  }

  // The result of the inner function, or a tuple of it and of weights that it was given.
  ExprPtr returned(const ExprPtr& called, const Var& params) {
    if (called->type.as_tuple() != nullptr && choices_.flip()) return called;
    std::vector<Field> fields = {{called, made_.result}};
    const std::size_t more = choices_.index(3);
    for (std::size_t i = 0; i < more; ++i) {
      switch (choices_.index(4)) {
        case 0:
          fields.push_back({var_expr(params), Value(TupleValue{made_.test.arguments})});
          break;
        case 1:
          fields.push_back(fields[choices_.index(fields.size())]);
          break;
        default:
          fields.push_back(items_[choices_.index(items_.size())]);
      }
    }
    std::vector<ExprPtr> exprs;
    TupleValue values;
    for (Field& field : fields) {
      exprs.push_back(std::move(field.expr));
      values.fields.push_back(std::move(field.value));
    }
    made_.result = Value(std::move(values));
    ExprPtr tuple = make_tuple(std::move(exprs));
    return choices_.flip() ? var_expr(seq_.emit(std::move(tuple), true, "out")) : tuple;
  }

  Choices& choices_;
  GeneratedCase& made_;
  SeqBuilder seq_;
  std::vector<Field> items_;
};

}  // namespace

void become_transformation(Choices& choices, GeneratedCase& made) {
  GlobalFunction& entry = entry_of(made);
  const FunctionPtr inner = entry.function;
  if (inner->params.empty() || has_symbols(*inner)) return;
  const std::string name = choices.flip() ? "main_transform_params" : "transform_params";
  if (inner->result_type.as_tuple() != nullptr && choices.one_in(3)) {
    made.test.entry = entry.name = name;
    return;
  }
  auto helper = std::make_shared<Function>(*inner);
  helper->attrs.erase("num_input");
  entry = {.name = "transform", .function = std::move(helper), .is_public = false};
  const FunctionPtr outer = Wrapper(choices, made).wrap(*inner, entry.name);
  made.test.arguments = {Value(TupleValue{made.test.arguments})};
  made.test.entry = name;
  made.test.module.functions.push_back({.name = name, .function = outer, .is_public = true});
}

}  // namespace passdiff

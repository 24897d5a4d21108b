// Rows of the op table from typed functions.
//
//   Result<TensorType> infer_take(const TensorType& x, const IndexType& indices, const TakeAttrs& attrs);
//   std::optional<Tensor> eval_take(const Tensor& x, const Value& indices, const TakeAttrs& attrs, EvalContext& context);
//   std::optional<CallDraft> generate_take(Choices& choices, Scope& scope);
//
//   op<infer_take, eval_take, generate_take>("relax.take", {"x", "indices"}, {.undefined = kOutOfBounds})
//
// The parameters of `infer` are the op's operands (operands.h), then its attributes, if it has any (attributes.h); it
// returns a type, a tensor type, or a Result of one. Those of `eval` are the same operands as values, then any of: the
// attributes, `const Type& result` (the declared type of the result), `EvalContext& context`. It returns a Value or a Tensor,
// or an optional one, or a TensorPtr: nothing (null) if the operands do not fit at run time, which only types that left it
// open can bring about (symbolic sizes, unknown ranks and dtypes). TVM's kernels then read out of bounds, and so it is reported;
// rows do not list it.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <type_traits>

#include "core/ops/operands.h"
#include "core/ops/scope.h"

namespace passdiff {

// The rules that the ops of several files may break.
inline constexpr UndefinedRule kOverflow[] = {UndefinedRule::signed_overflow};
inline constexpr UndefinedRule kOutOfBounds[] = {UndefinedRule::index_out_of_bounds};
inline constexpr UndefinedRule kFloatToInt[] = {UndefinedRule::float_to_int};
inline constexpr UndefinedRule kOverflowAndCast[] = {UndefinedRule::signed_overflow, UndefinedRule::float_to_int};

// The share of cases for ops over whose kernels TVM's passes take six times as long as over others, or longer (measured on all passes of a campaign).
// Attention, which rewrites match, is drawn as often as other ops all the same.
inline constexpr unsigned kCostlyOneIn = 4;

// What a row claims of its op beside its functions; see the members of OpDef.
struct Claims {
  bool elementwise = false;
  std::span<const UndefinedRule> undefined = {};
  bool multilinear = false;
  double ulps = 0;
  std::string_view attrs_class = {};
  unsigned weight = 1;
  unsigned one_in = 1;
};

namespace detail {

template <class... P>
struct Parameters {};
template <class R, class... P>
Parameters<std::remove_cvref_t<P>...> parameters_of(R (*)(P...));
template <auto f>
using ParametersOf = decltype(parameters_of(f));

template <class P>
inline constexpr bool kIsExtra = Attributes<P> || std::is_same_v<P, Type> || std::is_same_v<P, EvalContext>;
// The attributes struct among a function's parameters, or NoAttrs.
template <class... P>
struct AttrsAmong {
  using type = NoAttrs;
};
template <class First, class... Rest>
struct AttrsAmong<First, Rest...> {
  using type = std::conditional_t<Attributes<First>, std::type_identity<First>, AttrsAmong<Rest...>>::type;
};

template <class P>
struct Inferred {  // an operand of an inference function
  using Operand = TypeOperand<P>;
  static constexpr bool optional = false;
  static auto read(std::span<const ExprPtr> args, std::size_t i) { return Operand::read(args, i); }
  template <class Read>
  static const P& pass(const Read& read) {
    return Operand::pass(read);
  }
};
template <class P>
struct Inferred<const P*> {
  using Operand = TypeOperand<P>;
  using Read = std::decay_t<decltype(*Operand::read({}, 0))>;
  static constexpr bool optional = true;
  static Result<std::optional<Read>> read(std::span<const ExprPtr> args, std::size_t i) {
    if (i >= args.size()) return std::optional<Read>();
    return std::optional<Read>(TRY(Operand::read(args, i)));
  }
  static const P* pass(const std::optional<Read>& read) { return read ? &Operand::pass(*read) : nullptr; }
};

inline Result<Type> typed(Type type) {
  return type;
}
inline Result<Type> typed(TensorType type) {
  return Type(std::move(type));
}
inline Result<Type> typed(Result<Type> type) {
  return type;
}
inline Result<Type> typed(Result<TensorType> type) {
  return Type(TRY(std::move(type)));
}

template <auto infer, class Operands>
struct Inference;
template <auto infer, class... P>
struct Inference<infer, Parameters<P...>> {
  using Struct = AttrsAmong<P...>::type;
  static constexpr std::size_t kOperands = sizeof...(P) - (Attributes<P> + ... + 0);

  static Result<Type> erased(std::span<const ExprPtr> args, const Attrs& attrs) {
    return apply(args, attrs, std::make_index_sequence<kOperands>());
  }
  static void append_operands(std::vector<Param>& params, std::span<const std::string_view> names) {
    CHECK(names.size() == kOperands) << names.size() << " names for " << kOperands << " operands";
    const auto append = [&]<class Q>(std::type_identity<Q>) {
      if constexpr (!Attributes<Q>) {
        params.push_back({names[params.size()], Inferred<Q>::Operand::kind, Inferred<Q>::optional, {}, {}});
      }
    };
    (append(std::type_identity<P>()), ...);
  }

 private:
  template <std::size_t i>
  using At = Inferred<std::tuple_element_t<i, std::tuple<P...>>>;

  template <std::size_t... i>
  static Result<Type> apply(std::span<const ExprPtr> args, const Attrs& attrs, std::index_sequence<i...>) {
    const auto read = std::tuple(At<i>::read(args, i)...);
    const Error* error = nullptr;
    ((error == nullptr && !std::get<i>(read) ? void(error = &std::get<i>(read).error()) : void()), ...);
    if (error != nullptr) return *error;
    if constexpr (kOperands == sizeof...(P)) {
      return typed(infer(At<i>::pass(*std::get<i>(read))...));
    } else {
      return typed(infer(At<i>::pass(*std::get<i>(read))..., read_attrs<Struct>(attrs)));
    }
  }
};

Value unfit_operands(EvalContext& context);  // reports it
inline Value evaluated(Value&& value, EvalContext&) {
  return std::move(value);
}
inline Value evaluated(Tensor&& tensor, EvalContext&) {
  return make_tensor(std::move(tensor));
}
inline Value evaluated(TensorPtr&& tensor, EvalContext& context) {
  return tensor ? Value(std::move(tensor)) : unfit_operands(context);
}
template <class T>
Value evaluated(std::optional<T>&& result, EvalContext& context) {
  return result ? evaluated(*std::move(result), context) : unfit_operands(context);
}

template <auto eval, class Operands>
struct Evaluation;
template <auto eval, class... P>
struct Evaluation<eval, Parameters<P...>> {
  using Struct = AttrsAmong<P...>::type;
  static constexpr std::size_t kOperands = sizeof...(P) - (kIsExtra<P> + ... + 0);

  static Value erased(std::span<const Value> args, const Attrs& attrs, const Type& result,
                      EvalContext& context) {
    // Of scalars alone the result is one (TermType), whose tensor evaluation computes.
    const bool scalars = result.as_prim() != nullptr && (std::is_same_v<P, Tensor> || ...) &&
                         std::all_of(args.begin(), args.end(), [](const Value& arg) {
                           return std::holds_alternative<ScalarValue>(arg.node);
                         });
    if (!scalars) return apply(args, attrs, result, context, std::index_sequence_for<P...>());
    const Type tensor = scalar_as_tensor(result.as_prim()->dtype);
    return scalar_of(apply(args, attrs, tensor, context, std::index_sequence_for<P...>()));
  }

 private:
  template <class Q>
  static decltype(auto) argument(std::size_t i, std::span<const Value> args, const Attrs& attrs,
                                 const Type& result, EvalContext& context) {
    if constexpr (Attributes<Q>) {
      return read_attrs<Q>(attrs);
    } else if constexpr (std::is_same_v<Q, Type>) {
      return (result);
    } else if constexpr (std::is_same_v<Q, EvalContext>) {
      return (context);
    } else if constexpr (std::is_pointer_v<Q>) {
      using Read = ValueOperand<std::remove_cvref_t<std::remove_pointer_t<Q>>>;
      using Stored = std::optional<std::decay_t<decltype(Read::read(args[0]))>>;
      struct Pointer {
        Stored stored;
        operator Q() const { return stored ? &*stored : nullptr; }
      };
      return Pointer{i < args.size() ? Stored(Read::read(args[i])) : std::nullopt};
    } else if constexpr (std::is_same_v<Q, Tensor>) {
      return TensorOrScalar(args[i]);
    } else {
      return ValueOperand<Q>::read(args[i]);
    }
  }
  template <std::size_t... i>
  static Value apply(std::span<const Value> args, const Attrs& attrs, const Type& result,
                     EvalContext& context, std::index_sequence<i...>) {
    return evaluated(eval(argument<P>(i, args, attrs, result, context)...), context);
  }
};

inline std::optional<CallDraft> generate_nothing(Choices&, Scope&) {
  return std::nullopt;
}

}  // namespace detail

// The row of an op. `operands` are TVM's names; without `generate` only passes make calls of it.
template <auto infer, auto eval, auto generate = detail::generate_nothing>
OpDef op(std::string_view name, std::initializer_list<std::string_view> operands, const Claims& claims = {}) {
  using Inference = detail::Inference<infer, detail::ParametersOf<infer>>;
  using Evaluation = detail::Evaluation<eval, detail::ParametersOf<eval>>;
  static_assert(Inference::kOperands == Evaluation::kOperands,
                "inference and evaluation take the same operands");
  using Struct =
      std::conditional_t<std::is_same_v<typename Inference::Struct, NoAttrs>, Evaluation, Inference>::Struct;
  OpDef row{{name}};
  Inference::append_operands(row.params, {operands.begin(), operands.size()});
  append_params<Struct>(row.params);
  row.elementwise = claims.elementwise;
  row.pass_made = generate == detail::generate_nothing;
  row.weight = claims.weight;
  row.one_in = claims.one_in;
  row.undefined = claims.undefined;
  row.multilinear = claims.multilinear;
  row.ulps = claims.ulps;
  row.attrs_class = claims.attrs_class;
  if constexpr (requires(Struct attrs) { attrs.complete(); }) row.complete = completed_attrs<Struct>;
  row.infer = Inference::erased;
  row.eval = Evaluation::erased;
  row.generate = generate;
  return row;
}

}  // namespace passdiff

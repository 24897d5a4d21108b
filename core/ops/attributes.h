// The attributes of an op as the fields of a struct, which the struct itself describes once:
//
//   enum class TakeMode : std::uint8_t { fast, clip, wrap, nan };
//   constexpr std::array<std::string_view, 4> words_of(TakeMode) { return {"fast", "clip", "wrap", "nan"}; }
//   struct TakeAttrs {
//     std::optional<std::int64_t> axis;
//     TakeMode mode = TakeMode::fast;
//     static constexpr auto fields() {
//       return std::tuple(field("axis", &TakeAttrs::axis), field("mode", &TakeAttrs::mode));
//     }
//   };
//
// A member's initialiser is the attribute's default; `required` says that there is none, `unspoken` that text cannot give it. A call holds the fields as
// AttrValues in this order (Call::attrs), which is what printing, parsing, documents and comparison look at. A struct whose op
// has short forms has a method complete(), which brings them into the form that TVM's calls hold.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "core/ops/op.h"

namespace passdiff {

using Ints = std::vector<std::int64_t>;
using Floats = std::vector<double>;
// An attribute that is one integer or a list of them (R.split's indices_or_sections).
using IntOrInts = std::variant<std::int64_t, Ints>;
// A number of the dtype that the op says (R.layout_transform's pad_value).
using Number = std::variant<bool, std::int64_t, double>;
// A runtime device, named by the module's vdevice on it (R.hint_on_device's dst_vdevice, which is no vdevice itself).
struct DeviceRef {
  VDeviceRef vdevice;
};

template <class S, class T>
struct Field {
  std::string_view name;  // TVM's
  T S::* member;
  bool required;
  bool in_text = true;
};
template <class S, class T>
constexpr Field<S, T> field(std::string_view name, T S::* member) {
  return {name, member, false};
}
template <class S, class T>
constexpr Field<S, T> required(std::string_view name, T S::* member) {
  return {name, member, true};
}

// A field of TVM's class that is no parameter of its Python function: it always has its default, and text leaves it out.
template <class S, class T>
constexpr Field<S, T> unspoken(std::string_view name, T S::* member) {
  return {name, member, false, false};
}

template <class S>
concept Attributes = requires { S::fields(); };
struct NoAttrs {
  static constexpr auto fields() { return std::tuple(); }
};

// How a field of type T is held in a call. One specialisation for each type that a field can have.
template <class T>
struct AttrType;
template <class T, ParamKind kKind>
struct PlainAttr {
  static constexpr ParamKind kind = kKind;
  static constexpr bool optional = false;
  static T read(const AttrValue& value) { return std::get<T>(value); }
  static AttrValue write(const T& value) { return value; }
  static std::vector<std::string_view> words() { return {}; }
};
template <>
struct AttrType<bool> : PlainAttr<bool, ParamKind::attr_bool> {};
template <>
struct AttrType<std::int64_t> : PlainAttr<std::int64_t, ParamKind::attr_int> {};
template <>
struct AttrType<double> : PlainAttr<double, ParamKind::attr_float> {};
template <>
struct AttrType<Ints> : PlainAttr<Ints, ParamKind::attr_ints> {};
// In a call, integers stand for floats that are whole, too.
template <>
struct AttrType<Floats> : PlainAttr<Floats, ParamKind::attr_floats> {
  static Floats read(const AttrValue& value) {
    if (const auto* whole = std::get_if<Ints>(&value)) return {whole->begin(), whole->end()};
    Floats floats;
    for (const AttrValue& item : std::get<AttrList>(value).items) {
      const auto* whole = std::get_if<std::int64_t>(&item);
      floats.push_back(whole != nullptr ? static_cast<double>(*whole) : std::get<double>(item));
    }
    return floats;
  }
  static AttrValue write(const Floats& value) { return list_attr({value.begin(), value.end()}); }
};
template <>
struct AttrType<Number> : PlainAttr<Number, ParamKind::attr_number> {
  static Number read(const AttrValue& value) {
    if (const auto* truth = std::get_if<bool>(&value)) return *truth;
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return *whole;
    return std::get<double>(value);
  }
  static AttrValue write(const Number& value) {
    return std::visit([](const auto& alternative) { return AttrValue(alternative); }, value);
  }
};
template <>
struct AttrType<IndexMap> : PlainAttr<IndexMap, ParamKind::attr_index_map> {};
template <>
struct AttrType<AttrMap> : PlainAttr<AttrMap, ParamKind::attr_map> {};
template <>
struct AttrType<std::string> : PlainAttr<std::string, ParamKind::attr_string> {};
template <>
struct AttrType<DType> : PlainAttr<DType, ParamKind::attr_dtype> {};
template <>
struct AttrType<VDeviceRef> : PlainAttr<VDeviceRef, ParamKind::attr_vdevice> {};
template <>
struct AttrType<MeshRef> : PlainAttr<MeshRef, ParamKind::attr_mesh> {};
template <>
struct AttrType<DeviceRef> : PlainAttr<VDeviceRef, ParamKind::attr_device> {
  static DeviceRef read(const AttrValue& value) { return {std::get<VDeviceRef>(value)}; }
  static AttrValue write(const DeviceRef& value) { return value.vdevice; }
};
template <>
struct AttrType<IntOrInts> : PlainAttr<IntOrInts, ParamKind::attr_int_or_ints> {
  static IntOrInts read(const AttrValue& value) {
    if (const auto* one = std::get_if<std::int64_t>(&value)) return *one;
    return std::get<Ints>(value);
  }
  static AttrValue write(const IntOrInts& value) {
    return std::visit([](const auto& alternative) { return AttrValue(alternative); }, value);
  }
};
// An enumeration is held as one of its words, found by argument-dependent lookup: `words_of(E)`, in the order of E.
template <class E>
  requires std::is_enum_v<E>
struct AttrType<E> : PlainAttr<E, ParamKind::attr_string> {
  static constexpr auto kWords = words_of(E{});
  static E read(const AttrValue& value) {
    const auto found = std::find(kWords.begin(), kWords.end(), std::get<std::string>(value));
    CHECK(found != kWords.end()) << std::get<std::string>(value);
    return static_cast<E>(found - kWords.begin());
  }
  static AttrValue write(E value) { return std::string(kWords[static_cast<std::size_t>(value)]); }
  static std::vector<std::string_view> words() { return {kWords.begin(), kWords.end()}; }
};
template <class T>
struct AttrType<std::optional<T>> : AttrType<T> {
  static constexpr bool optional = true;
  static std::optional<T> read(const AttrValue& value) {
    if (std::holds_alternative<std::monostate>(value)) return std::nullopt;
    return AttrType<T>::read(value);
  }
  static AttrValue write(const std::optional<T>& value) {
    return value ? AttrType<T>::write(*value) : AttrValue();
  }
};

// A call's attributes as the struct. They must be of the struct's op: their number and kinds are CHECKed or known.
template <Attributes S>
S read_attrs(const Attrs& attrs) {
  S result;
  std::size_t i = 0;
  const auto read = [&]<class T>(const Field<S, T>& f) {
    result.*f.member = AttrType<T>::read(attrs.at(i++));
  };
  std::apply([&](const auto&... fields) { (read(fields), ...); }, S::fields());
  return result;
}
// The struct as a call holds it.
template <Attributes S>
Attrs write_attrs(const S& values) {
  Attrs attrs;
  const auto write = [&]<class T>(const Field<S, T>& f) {
    attrs.push_back(AttrType<T>::write(values.*f.member));
  };
  std::apply([&](const auto&... fields) { (write(fields), ...); }, S::fields());
  return attrs;
}
// The attributes with the struct's short forms completed.
template <Attributes S>
Attrs completed_attrs(const Attrs& attrs) {
  S values = read_attrs<S>(attrs);
  values.complete();
  return write_attrs(values);
}
template <class S>
  requires requires { S::fields(); }
CallDraft::CallDraft(std::vector<ExprPtr> operands, const S& attributes)
    : CallDraft(std::move(operands), write_attrs(attributes)) {}
// The struct's fields as attribute parameters.
template <Attributes S>
void append_params(std::vector<Param>& params) {
  const S defaults{};
  const auto append = [&]<class T>(const Field<S, T>& f) {
    Param param{f.name, AttrType<T>::kind, AttrType<T>::optional, std::nullopt, AttrType<T>::words()};
    param.in_text = f.in_text;
    if (!f.required) param.default_value = AttrType<T>::write(defaults.*f.member);
    params.push_back(std::move(param));
  };
  std::apply([&](const auto&... fields) { (append(fields), ...); }, S::fields());
}

}  // namespace passdiff

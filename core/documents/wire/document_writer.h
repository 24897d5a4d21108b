// Writes the forms of the module document (../json.md), for passdiff's modules and for the compiler's.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/documents/wire/cbor.h"
#include "core/documents/wire/schema.h"
#include "core/ir/attr.h"
#include "core/ir/dim_op.h"
#include "core/ir/pointer_map.h"
#include "core/ir/sharding.h"
#include "core/ir/tir/expr.h"

namespace passdiff {

class DocumentWriter : public CborWriter {
 public:
  using CborWriter::CborWriter;

  // Writes the head of a form; the elements after its tag are what the caller writes next. `size` counts the tag; without it, the form
  // has one size only.
  template <class E>
  void form(E which, std::size_t size) {
    tag(kForms<E>[static_cast<std::size_t>(which)].tag, size);
  }
  template <class E>
  void form(E which) {
    form(which, kForms<E>[static_cast<std::size_t>(which)].least);
  }
  template <class E>
  void key(E which) {
    text(kKeys<E>[static_cast<std::size_t>(which)]);
  }
  template <class Names>
  void texts(const Names& names) {
    array(names.size());
    for (const auto& name : names) text(name);
  }

  // Next come the functions, then the keys after them; those for functions of TensorIR and for meshes only if there are any.
  void begin_module(std::size_t functions, std::size_t prim_funcs, std::size_t meshes);
  void begin_function(std::string_view name, bool is_public);
  void begin_local_function();
  void begin_prim_func(std::string_view name, bool is_public);

  void dtype(DType dtype) { text(dtype_name(dtype)); }
  void scalar_type(const tir::ScalarType& type) { text(tir::to_string(type)); }
  // An operation of TensorIR; two operands follow.
  void binary_op(tir::BinaryOp op) { tag(tir::binary_op_name(op), 3); }
  void number_or_name(double value);  // "inf", "-inf" and "nan" by name
  void integers(std::span<const std::int64_t> values);
  void base64(std::span<const std::uint8_t> bytes);
  void vdevice(std::string_view target, std::int64_t id, std::string_view memory_scope);
  void mesh(std::span<const std::int64_t> shape, std::span<const std::int64_t> device_ids, bool is_range);
  void sharding(const Sharding& value);

  void symbol(std::int64_t index);
  void symbol(std::string_view name);  // in types that are shown to people
  void dim_op(DimOp op) { tag(dim_op_name(op), 3); }  // two dims follow

  void attr(const AttrValue& value);
  void attrs(const NamedAttrs& attrs);

 private:
  void tag(std::string_view name, std::size_t size) {
    array(size);
    text(name);
  }
};

// Numbers nodes by their addresses, in the order in which they are met; the table of them follows what refers to it.
template <class Pointer>
class Numbering {
 public:
  std::int64_t of(const Pointer& node) {
    const void* const address = std::to_address(node);
    if (const std::int64_t* known = numbers_.find(address)) return *known;
    const auto number = static_cast<std::int64_t>(table_.size());
    numbers_.set(address, number);
    table_.push_back(node);
    return number;
  }
  // Keeps the next number free.
  void leave_one_out() { table_.emplace_back(nullptr); }
  bool contains(const Pointer& node) const { return numbers_.find(std::to_address(node)) != nullptr; }
  const std::vector<Pointer>& table() const { return table_; }

 private:
  PointerMap<std::int64_t> numbers_;
  std::vector<Pointer> table_;
};

}  // namespace passdiff

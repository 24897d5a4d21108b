// Names of TensorIR that the compiler spells otherwise than documents do.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "core/ir/tir/stmt.h"

namespace passdiff {

// The intrinsic that is a form of its own in documents.
inline constexpr std::string_view kBufferData = "buffer_data";

// The annotation of blocks that lists buffers, for the rewriting of layouts by the meta-schedule. It changes no meaning, and documents
// lack it: attributes name no buffers.
inline constexpr std::string_view kLayoutFreePlaceholders = "layout_free_placeholders";

// The intrinsic that returns from a function, before 0.26: a statement in documents.
inline constexpr std::string_view kReturn = "ret";

// Intrinsics whose results are pointers, not to anything: to what their operand is, and to sizes.
inline constexpr std::string_view kAddressOf = "address_of";
inline constexpr std::string_view kMakeShape = "tvm_stack_make_shape";
inline constexpr std::string_view kStructGet = "tvm_struct_get";
// The fields of a tensor that are lists of sizes, as the third operand of kStructGet.
inline constexpr std::int64_t kShapeField = 2;
inline constexpr std::int64_t kStridesField = 3;

// Operations on bits: from 0.27 on they are classes, before they were intrinsics, as they are in documents.
inline constexpr std::string_view kBitwiseNot = "bitwise_not";
inline constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kBitwise{{
    {"LShift", "shift_left"},
    {"RShift", "shift_right"},
    {"BitwiseAnd", "bitwise_and"},
    {"BitwiseOr", "bitwise_or"},
    {"BitwiseXor", "bitwise_xor"},
    {"BitwiseNot", kBitwiseNot},
}};
constexpr std::string_view bitwise_intrinsic(std::string_view class_name) {
  for (const auto& [name, intrinsic] : kBitwise) {
    if (name == class_name) return intrinsic;
  }
  return class_name;
}

// The namespaces of ops that documents leave out. No op has the same name in two of them.
inline constexpr std::array<std::string_view, 3> kTirNamespaces = {"tirx.", "prim.", "tir."};
constexpr std::string_view without_namespace(std::string_view op) {
  for (const std::string_view space : kTirNamespaces) {
    if (op.starts_with(space)) return op.substr(space.size());
  }
  return op;
}

// Calls of the host's functions: documents leave out this prefix of theirs, too, as TVMScript does.
inline constexpr std::string_view kPackedPrefix = "tvm_";
inline constexpr std::array<std::string_view, 4> kPackedCalls = {"call_packed", "call_packed_lowered", "call_cpacked",
                                                                 "call_cpacked_lowered"};
constexpr bool is_packed_call(std::string_view intrinsic) {
  for (const std::string_view name : kPackedCalls) {
    if (name == intrinsic) return true;
  }
  return false;
}
// The intrinsic of documents that an op of the compiler stands for.
constexpr std::string_view intrinsic_of(std::string_view op) {
  const std::string_view name = without_namespace(op);
  return name.starts_with(kPackedPrefix) && is_packed_call(name.substr(kPackedPrefix.size())) ? name.substr(kPackedPrefix.size())
                                                                                              : name;
}

// The compiler's IterVarType of the axes of blocks.
inline constexpr std::array<std::pair<tir::IterKind, std::int64_t>, 4> kIterKinds{{
    {tir::IterKind::spatial, 0},
    {tir::IterKind::reduction, 2},
    {tir::IterKind::scan, 3},
    {tir::IterKind::opaque, 4},
}};
inline constexpr std::int64_t kThreadIndex = 1;
constexpr std::optional<tir::IterKind> iter_kind_of(std::int64_t type) {
  for (const auto& [kind, number] : kIterKinds) {
    if (number == type) return kind;
  }
  return std::nullopt;
}

}  // namespace passdiff

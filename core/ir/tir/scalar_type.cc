#include "core/ir/tir/scalar_type.h"

#include <charconv>

namespace passdiff::tir {

std::string to_string(const ScalarType& type) {
  switch (type.kind) {
    case ScalarType::Kind::handle:
      return "handle";
    case ScalarType::Kind::none:
      return "void";
    case ScalarType::Kind::number:
      break;
  }
  std::string name(dtype_name(type.dtype));
  if (type.lanes > 1) name += "x" + std::to_string(type.lanes);
  return name;
}

std::optional<ScalarType> scalar_type_from_name(std::string_view name) {
  if (name == "handle") return kHandle;
  if (name == "void" || name.empty()) return kNoValue;
  if (const std::optional<DType> dtype = dtype_from_name(name)) return number_type(*dtype);
  const std::size_t cross = name.rfind('x');
  if (cross == std::string_view::npos) return std::nullopt;
  const std::optional<DType> dtype = dtype_from_name(name.substr(0, cross));
  int lanes = 0;
  const char* const end = name.data() + name.size();
  const auto [rest, error] = std::from_chars(name.data() + cross + 1, end, lanes);
  if (!dtype || error != std::errc() || rest != end || lanes < 2 || lanes > kMaxLanes) return std::nullopt;
  return number_type(*dtype, lanes);
}

}  // namespace passdiff::tir

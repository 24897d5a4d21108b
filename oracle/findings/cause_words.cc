#include "oracle/findings/cause_words.h"

#include <algorithm>

#include "oracle/features.h"

namespace passdiff {
namespace {

constexpr std::string_view kAnotherShape = "another-shape";

}  // namespace

std::string_view word_for(TypeDifference difference) {
  switch (difference) {
    case TypeDifference::unknown:
      return "";
    case TypeDifference::shape:
      return kAnotherShape;
    case TypeDifference::sign:
      return "clamped-size";
    case TypeDifference::dtype:
      return "another-dtype";
    case TypeDifference::device:
      return "another-device";
    case TypeDifference::kind:
      return "another-kind";
  }
  return "";
}

std::string_view refused_argument(const Cause& cause) {
  for (const TypeDifference difference : {TypeDifference::shape, TypeDifference::dtype, TypeDifference::device, TypeDifference::kind}) {
    if (cause.kind == CauseKind::error && cause.features.contains(std::string(word_for(difference)))) return word_for(difference);
  }
  return "";
}

bool names_the_bug(std::string_view site) {
  return site.find(':') != std::string_view::npos && site.find("tvm::ffi::") == std::string_view::npos &&
         site.find("tvm_ffi") == std::string_view::npos;
}

std::string site_of_cause(const std::string& site) {
  constexpr std::string_view kArithmetic = "tvm::prim::", kScope = "::";
  const std::size_t at = site.find(kArithmetic);
  if (at == std::string::npos) return site;
  const std::string_view made = std::string_view(site).substr(at + kArithmetic.size());
  const std::size_t scope = made.find(kScope);
  const bool constructor = scope != std::string_view::npos && made.substr(0, scope) == made.substr(scope + kScope.size());
  return constructor ? site.substr(0, at) + std::string(kArithmetic) + "operator" : site;
}

bool is_of_attribute(const std::string& word) {
  return word.starts_with("~.");
}

bool is_of_body(const std::string& word) {
  return word.substr(1).starts_with("T.");
}

bool inlines_blocks_alone(const CauseWords& edit) {
  return edit.contains("-T.sblock") && std::all_of(edit.begin(), edit.end(), is_of_body);
}

CauseWords with_general_kinds(const CauseWords& features) {
  CauseWords general;
  for (const std::string& feature : features)
    general.insert(feature.starts_with(kOpWord) ? std::string(kOpWord) + general_kind(feature.substr(kOpWord.size())) : feature);
  return general;
}

}  // namespace passdiff

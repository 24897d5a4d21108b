// What the parts of the parser share while one text is read.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/ir/module.h"
#include "core/text/parser/metadata.h"
#include "core/text/parser/names.h"
#include "core/text/parser/nodes.h"
#include "core/text/parser/types.h"

namespace passdiff {

struct ParseContext {
  Nodes nodes;      // of the statement being read
  NameTable names;  // of variables and symbolic variables
  Module module;    // every function is declared before the body of the first is read
  std::vector<Type> signatures;  // the types of module.functions: as declared, then as their bodies show
  Metadata metadata;             // empty if the text has none
  // Dataflow variables of the function's blocks that have ended, by name. Using one is ill-formed, but such modules exist.
  std::map<std::string, Var, std::less<>> escaped;
  std::string class_name;        // the module's class; empty if the text has functions alone
  std::map<std::string, tir::ScalarType, std::less<>> prim_results;  // of functions of TensorIR, by name
  std::set<std::string, std::less<>> type_vars;                      // n = TypeVar("n") before the module
  bool legacy_tir = false;  // Is the text one of TVM 0.25, whose functions of TensorIR all have blocks?

  TypeParser types(UnknownSymbol unknown = UnknownSymbol::error) {
    return {nodes, names, module, unknown};
  }
  DimParser dims() { return {nodes, names}; }
  // Of a function of TensorIR, as Relax sees it: it takes anything, and returns a scalar or nothing.
  Type type_of_prim_func(std::string_view name) const {
    const auto found = prim_results.find(name);
    const bool scalar = found != prim_results.end() && found->second.is_number();
    return FuncType{.params = std::nullopt, .result = scalar ? prim_type(found->second.dtype) : tuple_type({}), .pure = false};
  }
};

}  // namespace passdiff

// What the parts of the parser share while one text is read.
#pragma once

#include <string>
#include <vector>

#include "core/ir/module.h"
#include "core/text/parser/names.h"
#include "core/text/parser/nodes.h"
#include "core/text/parser/types.h"

namespace passdiff {

struct ParseContext {
  Nodes nodes;      // of the statement being read
  NameTable names;  // local ones: variables and symbolic variables
  Module module;    // every function is declared before the body of the first is read
  std::vector<Type> signatures;  // of module.functions: as declared, once the body is read as it is
  std::string class_name;        // of the module; empty for functions alone

  TypeParser types(UnknownSymbol unknown = UnknownSymbol::error) {
    return {nodes, names, module.vdevices, unknown};
  }
  DimParser dims() { return {nodes, names}; }
};

}  // namespace passdiff

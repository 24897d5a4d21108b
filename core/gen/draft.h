// What a case under construction shares among its functions, and a function among its bodies.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/gen/config.h"
#include "core/ir/module.h"
#include "core/tensor/value.h"

namespace passdiff {

class Operands;  // core/gen/operands.h

// A function that can be called again.
struct KnownFunction {
  std::string name;
  Type type;
  bool inexact = false;  // its results are, whatever the arguments
};

struct CaseDraft {
  const Config& config;
  const GenerateOptions& options;
  Module module;
  std::vector<KnownFunction> known_functions;
  bool undefined = false;  // undefined behaviour was created on purpose
};

// A parameter with its value in this test case.
struct Parameter {
  Var var;
  Value value;
};

// A symbolic dim, its value in this test case, and what the caller of a helper has for it.
struct Symbol {
  SymVar var;
  std::int64_t value = 0;
  Dim outside;
  bool of_parameter = true;  // a parameter defines it; else a match_cast, and no parameter may mention it
};

// One global function: parameters are made on demand, inputs stand before weights.
struct FunctionDraft {
  std::vector<Parameter> inputs;
  std::vector<Parameter> weights;
  std::vector<Symbol> symbols;
  std::size_t constants = 0;
  // Of a function that is made at its first call: who calls, and on what (in the order of inputs).
  Operands* caller = nullptr;
  std::vector<ExprPtr> arguments;
  unsigned next_var = 0;
  unsigned next_block = 1;

  // Sizes in this test case; CHECKs that the symbolic variables in them are known.
  std::int64_t size_of(const Dim& dim) const;
  std::vector<std::int64_t> sizes(const Shape& shape) const;
};

}  // namespace passdiff

// A test case under construction: what its functions share, and what the bodies of one function share.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/gen/config.h"
#include "core/ir/module.h"
#include "core/tensor/value.h"

namespace passdiff {

class Operands;  // core/gen/operands.h

// A finished function, which other bodies can call.
struct KnownFunction {
  std::string name;
  Type type;
  bool inexact = false;  // its results are inexact (see Provenance) whatever the arguments
};

struct CaseDraft {
  const Config& config;
  const GenerateOptions& options;
  Module module;
  std::vector<KnownFunction> known_functions;
  bool undefined = false;  // undefined behaviour was created on purpose
  std::vector<const Idiom*> idioms_made = {};
};

// A parameter with its value in this test case.
struct Parameter {
  Var var;
  Value value;
};

// A symbolic dim with its value in this test case.
struct Symbol {
  SymVar var;
  std::int64_t value = 0;
  Dim outside;  // what the caller's types have in its place, if the function was made for a call
  bool of_parameter = true;  // defined by a parameter; else by a match_cast, and no parameter may mention it
};

// A global function under construction. Its parameters are made when an operand asks for one; in the end inputs stand
// before weights.
struct FunctionDraft {
  std::vector<Parameter> inputs;
  std::vector<Parameter> weights;
  std::vector<Symbol> symbols;
  std::size_t constants = 0;
  bool pure = true;
  // If the function is being made for a call: the calling body, and the arguments so far, in the order of inputs.
  Operands* caller = nullptr;
  std::vector<ExprPtr> arguments;
  unsigned next_var = 0;
  unsigned next_block = 1;

  // Sizes in this test case; CHECKs that the symbolic variables in them are known.
  std::int64_t size_of(const Dim& dim) const;
  std::vector<std::int64_t> sizes(const Shape& shape) const;
};

}  // namespace passdiff

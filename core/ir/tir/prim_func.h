// Functions of TensorIR.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/ir/attr.h"
#include "core/ir/tir/stmt.h"

namespace passdiff::tir {

// A buffer, whose memory is the caller's, or a scalar. The variables in the shapes of buffers get their values from the arguments.
using Param = std::variant<Buffer, Var>;

struct PrimFunc {
  std::vector<Param> params;
  Stmt body;
  ScalarType result = kNoValue;
  NamedAttrs attrs;  // without global_symbol, which tells public functions
};
using PrimFuncPtr = std::shared_ptr<const PrimFunc>;

// The parameter's name.
const std::string& name_of(const Param& param);
// Whether blocks are left in the function: passes from LowerOpaqueBlock on leave none.
bool has_blocks(const PrimFunc& function);
// Whether a block that has variables of its own uses that of a loop around it, which TVM's verify_well_formed refuses.
bool blocks_use_loops(const PrimFunc& function);
// The number of statements, blocks and loops among them.
int count_statements(const PrimFunc& function);

}  // namespace passdiff::tir

// Functions of TensorIR in module documents (json.md).
#pragma once

#include <cstddef>

#include "core/documents/wire/document_writer.h"
#include "core/documents/wire/module_document.h"
#include "core/ir/module.h"
#include "core/result.h"

namespace passdiff {

void write_prim_func(DocumentWriter& out, const GlobalPrimFunc& global);
// Fails with json.* and the path of the fault.
Result<tir::PrimFuncPtr> read_prim_func(const PrimFuncDocument& document, GlobalInfos infos);

}  // namespace passdiff

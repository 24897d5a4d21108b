// Functions of TensorIR as documents.
#pragma once

#include <string>

#include "core/documents/wire/document_writer.h"
#include "passes/tvm/adapter/encode_types.h"

namespace passdiff {

// Writes the function. `types` is the module's, for attributes that name virtual devices. Throws Unreadable for what documents lack.
void encode_prim_func(DocumentWriter& out, TypeEncoder& types, const std::string& name, bool is_public,
                      const ObjectRef& function);

}  // namespace passdiff

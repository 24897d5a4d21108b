// Writes modules, types and values as documents in CBOR.
#pragma once

#include "core/ir/module.h"
#include "core/documents/cbor.h"
#include "core/tensor/value.h"

namespace passdiff {

void write_module(CborWriter& out, const Module& module);
void write_type(CborWriter& out, const Type& type);  // symbolic dims by name
void write_value(CborWriter& out, const Value& value);

}  // namespace passdiff

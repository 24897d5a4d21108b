// What the targets that read documents do with a module that could be read.
#pragma once

#include <nlohmann/json.hpp>

#include "core/documents/json.h"
#include "core/form/well_formed.h"
#include "core/ir/structural.h"
#include "core/text/text.h"

namespace passdiff {

// Prints, hashes and writes the module, and CHECKs that a well-formed one reads back from CBOR as it was. Modules that were read may
// be ill-formed: then it must be possible to look at them all the same.
inline void use_module(const Module& module) {
  (void)print(module);
  (void)structural_hash(module);
  (void)to_json(module);
  if (well_formed(module)) return;
  const Result<Module> again = module_from_cbor(module_to_cbor(module));
  CHECK(again.ok()) << again.error().message;
  CHECK(structural_equal(*again, module)) << "CBOR reads back as another module:\n" << print(module);
}

// CHECKs that an error has a code and a message, as everything does that is refused.
inline void use_error(const Error& error) {
  CHECK(!error.code.empty() && !error.message.empty()) << error.code << ": " << error.message;
}

}  // namespace passdiff

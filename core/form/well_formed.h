// Well-formedness of modules: their structure, their scopes, and that types agree with inference.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

#include "core/ir/module.h"
#include "core/result.h"

namespace passdiff {

// The first fault found, or nothing; a type that contradicts inference only if there is no other. Codes: form.undefined-var, form.redefined-var,
// form.dataflow-escape, form.undefined-symbol, form.unknown-global, form.impure-call (an impure call in a pure function or a dataflow block),
// form.control-flow-in-dataflow, form.not-normal (a nested non-leaf argument), form.missing-type, form.wrong-type (a declared type that
// contradicts inference), form.condition, form.arity, form.duplicate-function, form.vdevice, form.mesh, form.num-input, form.depth (a function of TensorIR
// that is nested too deeply). Rules follow TVM's relax/analysis/well_formed.cc.
std::optional<Error> well_formed(const Module& module);

// Functions of TensorIR that are well-formed. Modules that passes make of one source share most of theirs.
using WellFormedPrimFuncs = std::unordered_set<tir::PrimFuncPtr>;
// The same. Of functions of TensorIR, those that are among `known` are not looked at again; the others are added to it if nothing is wrong with them.
std::optional<Error> well_formed(const Module& module, WellFormedPrimFuncs& known);

// The code of a type that contradicts inference, which is also the site of verdicts that say so of values.
inline constexpr std::string_view kWrongType = "form.wrong-type";

}  // namespace passdiff

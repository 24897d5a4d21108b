#include "passes/tvm/documentation.h"

#include <array>

#include <fmt/format.h>

namespace passdiff {
namespace {

struct Promise {
  std::string_view name;  // of a symptom, or of a site
  std::string_view sentence;
};

constexpr std::string_view kEquivalent =
    "A transformation makes another functionally equivalent module of a module (docs/arch/index.rst, Transformation), and passes in sequence "
    "lead to a semantically equivalent program (include/tvm/ir/transform.h, SequentialNode): the target here is not equivalent.";

constexpr std::string_view kSourceIsFit =
    "The module before the first pass satisfies all that TVM asks of a well-formed one (src/relax/analysis/well_formed.cc), as its own checker "
    "says.";

// The rules that src/relax/analysis/well_formed.cc numbers, by the sites of ill-formed targets.
constexpr std::array kRules = {
    Promise{"form.missing-type", "each expression has a type (rules 1 and 11)"},
    Promise{"form.unknown-global", "a global variable is defined before it is used (rule 2)"},
    Promise{"form.duplicate-function", "all global variables have different names (rule 2)"},
    Promise{"form.undefined-var", "a variable is defined before it is used (rule 5)"},
    Promise{"form.undefined-symbol", "a variable, those of shapes among them, is defined before it is used (rule 5)"},
    Promise{"form.redefined-var", "a variable is defined exactly once (rule 6)"},
    Promise{"form.dataflow-escape", "a dataflow variable is not defined, nor visible, outside of a dataflow block (rules 5 and 7)"},
    Promise{"form.not-normal", "a module is in A-normal form (rule 10)"},
    Promise{"form.control-flow-in-dataflow", "a dataflow block contains no If (rule 12)"},
    Promise{"form.impure-call", "a dataflow block and a pure function contain no impure call (rules 13 and 14)"},
};

constexpr std::array kPromises = {
    Promise{"mismatch", kEquivalent},
    Promise{"less-precise", kEquivalent},
    Promise{"added-undefined", kEquivalent},
    Promise{"added-trap", kEquivalent},
    Promise{"other-effects", kEquivalent},
    Promise{"wrong-derivative",
            "The function with the suffix _adjoint returns what the original one does, and the adjoints of `require_grads` "
            "(python/tvm/relax/transform/transform.py, Gradient)."},
    Promise{"wrong-type",
            "The type of an expression is taken as it is by what follows, without a check (\"assume-semantics\", include/tvm/relax/type.h, "
            "Type): here the value is not of that type."},
    Promise{"does-not-compile",
            "A transformation makes another functionally equivalent module of a module (docs/arch/index.rst, Transformation): the source "
            "compiles, and the target does not."},
    Promise{"input-mutated",
            "A pass makes a new module: TVM checks under the option `testing.immutable_module` that the one given stays as it is "
            "(src/ir/transform.cc, AssertImmutableModule)."},
    Promise{"sequential-differs", "Sequential runs passes in the order in which they were appended (docs/arch/pass_infra.rst, Sequential), and does nothing else."},
};

template <std::size_t N>
std::string_view find(const std::array<Promise, N>& promises, std::string_view name) {
  for (const Promise& promise : promises) {
    if (promise.name == name) return promise.sentence;
  }
  return {};
}

// Of blocks of TensorIR.
constexpr std::array kBlockRules = {
    Promise{"undeclared-access",
            "`reads` and `writes` of a block are the regions of buffers that it reads and writes (include/tvm/tirx/stmt.h, SBlockNode): here they leave "
            "something out, and what schedules and moves buffers goes by them."},
    Promise{"iteration-domain",
            "A variable of a block is bound to a value of its domain (include/tvm/tirx/stmt.h, SBlockNode): here it is not, and what simplifies and "
            "schedules goes by the domain."},
};

std::string well_formed(std::string_view site) {
  if (const std::string_view rule = find(kBlockRules, site); !rule.empty()) return std::string(rule);
  if (!site.starts_with("form.") && site != "subject-checker") return {};
  const std::string_view rule = find(kRules, site);
  if (rule.empty()) return "`tvm.relax.analysis.well_formed` says what every module has to satisfy (src/relax/analysis/well_formed.cc).";
  return fmt::format("Of a well-formed module, {}: src/relax/analysis/well_formed.cc.", rule);
}

}  // namespace

std::string tvm_documented_promise(std::string_view symptom, std::string_view site) {
  if (symptom == "ill-formed") return well_formed(site);
  if (symptom == "internal-error" && site.starts_with("InternalError"))
    return std::string(kSourceIsFit) + " InternalError is TVM's name for an error of its own (python/tvm/error.py).";
  if (symptom == "internal-error" || symptom == "crash" || symptom == "timeout" || symptom == "memory") return std::string(kSourceIsFit);
  return std::string(find(kPromises, symptom));
}

}  // namespace passdiff

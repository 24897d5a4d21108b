// What TVM can tell of a target without running it.
#include <algorithm>
#include <regex>

#include <fmt/format.h>

#include "core/ir/queries.h"
#include "passes/tvm/repro_parts.h"
#include "passes/tvm/repro_symptoms.h"
#include "passes/tvm/version.h"

namespace passdiff {
namespace {

// What versions of TVM call the type of an expression: "type" was "struct info" up to 0.25.
struct Spelling {
  std::string_view type, result_type, type_args;
};
Spelling spelling_of(const ReproFacts& facts) {
  if (facts.version.starts_with("0.25")) return {"struct_info", "ret_struct_info", "sinfo_args"};
  return {"ty", "ret_ty", "ty_args"};
}

std::string function_of(std::string_view module, const std::string& name) {
  return fmt::format("{}[{}]", module, python_string(name));
}

std::string assert_equal(const std::string& actual, const std::string& expected) {
  return python_list("tvm.ir.assert_structural_equal(", {actual, expected, "map_free_vars=True"}, ")");
}

ReproParts fails(std::string statement) {
  return {{}, {}, {std::move(statement)}};
}

// A binding of a function's own blocks, and how Python reaches it.
struct Place {
  const Binding* binding;
  std::string expression;
};
// Names are the compiler's, which gives one to several variables: the binding is the one whose declared type the detail quotes, if any is.
std::optional<Place> find_binding(const ReproRequest& request, const ReproFacts& facts, const std::string& function,
                                  const std::string& variable) {
  const GlobalFunction* global = facts.target ? facts.target->find(function) : nullptr;
  if (global == nullptr) return std::nullopt;
  const std::vector<Block>& blocks = global->function->body.blocks;
  std::optional<Place> found;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    for (std::size_t j = 0; j < blocks[i].bindings.size(); ++j) {
      const Var& var = blocks[i].bindings[j].var;
      if (var->name != variable) continue;
      const bool quoted = request.detail.find(to_string(var->type)) != std::string::npos;
      if (found && !quoted) continue;
      found = Place{&blocks[i].bindings[j], fmt::format("{}.body.blocks[{}].bindings[{}]", function_of("after", function), i, j)};
      if (quoted) return found;
    }
  }
  return found;
}

// The type that TVM infers for the bound value, as an expression in `binding`; nothing where it infers none of its
// own.
std::optional<ReproParts> infer_again(const Place& place, const ReproFacts& facts) {
  const Spelling say = spelling_of(facts);
  ReproParts parts{{}, {"binding = " + place.expression}, {}};
  const std::string declared = fmt::format("binding.var.{}", say.type);
  const auto compare = [&](const std::string& inferred) {
    parts.bug.push_back(assert_equal(inferred, declared));
    return parts;
  };
  if (const auto* call = as<Call>(place.binding->value)) {
    if (const auto* global = std::get_if<GlobalRef>(&call->callee))
      return compare(fmt::format("{}.{}", function_of("after", global->name), say.result_type));
    parts.before.emplace_back("call = binding.value");
    parts.before.push_back(fmt::format(
        "again = relax.BlockBuilder(after).normalize(relax.Call(call.op, call.args, call.attrs, call.{}))",
        say.type_args));
    return compare(fmt::format("again.{}", say.type));
  }
  if (const auto* item = as<TupleGetItem>(place.binding->value))
    return compare(fmt::format("binding.value.tuple_value.{}.fields[{}]", say.type, item->index));
  if (as<Var>(place.binding->value) != nullptr) return compare(fmt::format("binding.value.{}", say.type));
  return std::nullopt;
}

// Assertions on the type `declared`.
std::string expect_dtype(std::string_view dtype) {
  return fmt::format("assert declared.dtype == {}, declared", python_string(dtype));
}
std::string expect_rank(std::ptrdiff_t rank) {
  return fmt::format("assert declared.ndim == {}, declared", rank);
}
std::string expect_shape(const std::string& dims) {
  return fmt::format("assert [int(size) for size in declared.shape] == [{}], declared", dims);
}

// Where TVM infers just the type that is declared, what is wrong is its inference: the script says which type the value has, by what
// our inference knows. Nothing where that knows no better.
std::optional<ReproParts> say_type(const Place& place, const ReproFacts& facts) {
  const TensorType* declared = place.binding->var->type.as_tensor();
  const TensorType* actual = place.binding->value->type.as_tensor();
  if (declared == nullptr || actual == nullptr) return std::nullopt;
  ReproParts parts{{}, {}, {}};
  parts.before.push_back(fmt::format("declared = {}.var.{}  # but the value is {}", place.expression, spelling_of(facts).type,
                                     to_string(place.binding->value->type)));
  if (actual->dtype && declared->dtype != actual->dtype) {
    parts.bug.push_back(expect_dtype(dtype_name(*actual->dtype)));
  } else if (actual->rank != kUnknownRank && declared->rank != actual->rank) {
    parts.bug.push_back(expect_rank(actual->rank));
  } else {
    return std::nullopt;
  }
  return parts;
}

// "main: lv1 is declared R.Tensor((2,), ...) and bound to R.Tensor((3,), ...)"
std::optional<Place> find_declaration(const ReproRequest& request, const ReproFacts& facts) {
  static const std::regex declared(R"(^(\S+): (\S+) is declared )");
  std::smatch match;
  if (!std::regex_search(request.detail, match, declared)) return std::nullopt;
  return find_binding(request, facts, match[1], match[2]);
}

std::optional<ReproParts> show_declaration(const ReproRequest& request, const ReproFacts& facts) {
  if (const std::optional<Place> place = find_declaration(request, facts)) {
    const bool inferred = facts.inferred && equal(*facts.inferred, place->binding->var->type);
    const auto said = inferred ? say_type(*place, facts) : std::nullopt;
    return said ? said : infer_again(*place, facts);
  }
  static const std::regex result(R"(^(\S+): the result has type )");
  std::smatch match;
  if (!std::regex_search(request.detail, match, result)) return std::nullopt;
  const Spelling say = spelling_of(facts);
  const std::string function = function_of("after", match[1]);
  return fails(assert_equal(fmt::format("{}.body.body.{}", function, say.type),
                            fmt::format("{}.{}", function, say.result_type)));
}

// "target: lv4: float32[1] is no R.Tensor(dtype="float32", ndim=2)": the value belies the type that TVM infers.
std::optional<ReproParts> show_value_of_other_type(const ReproRequest& request, const ReproFacts& facts) {
  static const std::regex value(R"(^target: (\S+): (\w+)\[([\d, ]*)\] is no )");
  std::smatch match;
  if (!std::regex_search(request.detail, match, value)) return std::nullopt;
  const std::optional<Place> place = find_binding(request, facts, request.test.entry, match[1]);
  const TensorType* declared = place ? place->binding->var->type.as_tensor() : nullptr;
  if (declared == nullptr) return std::nullopt;
  const std::string dims = match[3];
  const auto rank = dims.empty() ? 0 : 1 + std::ranges::count(dims, ',');
  ReproParts parts{{}, {}, {}};
  parts.before.push_back(fmt::format("declared = {}.var.{}  # but {} is {}[{}]", place->expression,
                                     spelling_of(facts).type, match[1].str(), match[2].str(), dims));
  if (declared->dtype && dtype_name(*declared->dtype) != match[2].str()) {
    parts.bug.push_back(expect_dtype(match[2].str()));
  } else if (declared->rank != kUnknownRank && declared->rank != rank) {
    parts.bug.push_back(expect_rank(rank));
  } else {
    parts.bug.push_back(expect_shape(dims));
  }
  return parts;
}

// "main: takes 2 arguments, 1 by the convention", "main: the target has no such function", "main: does not return a
// tuple".
std::optional<ReproParts> show_signature(const ReproRequest& request, const ReproFacts& facts) {
  static const std::regex says(R"(^([^:\s]+): (?:takes \d+ arguments, (\d+) by the convention)?)");
  std::smatch match;
  if (!std::regex_search(request.detail, match, says)) return std::nullopt;
  const std::string function = function_of("after", match[1]);
  if (request.site == "convention.arity" && match[2].matched)
    return fails(fmt::format("assert len({0}.params) == {1}, {0}", function, match[2].str()));
  if (request.site == "convention.missing-function")
    return fails(fmt::format("assert {} in [name.name_hint for name in after.get_global_vars()]",
                             python_string(match[1].str())));
  if (request.site == "convention.type")
    return fails(fmt::format("assert isinstance({0}.{1}, relax.TupleType), {0}", function,
                             spelling_of(facts).result_type));
  return std::nullopt;
}

// "main loses its attribute num_input", "the module: another value of attribute origin"; of a function, or of the
// module.
std::string keeps_attribute(const std::string& detail, const GlobalFunction* function,
                            const std::string& name) {
  const auto attributes = [&](std::string_view module) {
    return (function == nullptr ? std::string(module) : function_of(module, function->name)) + ".attrs";
  };
  if (detail.find(" loses its attribute ") != std::string::npos)
    return fmt::format("assert {} in {}", python_string(name), attributes("after"));
  return fmt::format("assert str({0}[{2}]) == str({1}[{2}])", attributes("after"), attributes("Module"),
                     python_string(name));
}

// The details are those of the check surroundings-kept: "main loses its attribute num_input", "main: parameter w
// leaves its virtual device".
std::optional<ReproParts> show_what_is_lost(const ReproRequest& request, const ReproFacts& facts) {
  constexpr std::string_view kAttribute = "kept.attribute ";
  const Spelling say = spelling_of(facts);
  const std::string owner = request.detail.substr(0, request.detail.find_first_of(": "));
  const GlobalFunction* function = request.test.module.find(owner);
  if (request.site.starts_with(kAttribute))
    return fails(keeps_attribute(request.detail, function, request.site.substr(kAttribute.size())));
  if (request.site == "kept.function") {
    const std::string name = request.detail.substr(request.detail.rfind(' ') + 1);
    return fails(fmt::format("assert {}.attrs[\"global_symbol\"] == {}", function_of("after", name),
                             python_string(name)));
  }
  if (request.site == "kept.vdevices")
    return fails("assert len(after.global_infos[\"vdevice\"]) == len(Module.global_infos[\"vdevice\"])");
  if (function == nullptr) return std::nullopt;
  const std::string before = function_of("Module", owner);
  const std::string after = function_of("after", owner);
  if (request.site == "kept.purity")
    return fails(fmt::format("assert {}.is_pure == {}.is_pure", after, before));
  if (request.site != "kept.vdevice") return std::nullopt;
  const auto& params = function->function->params;
  for (std::size_t i = 0; i < params.size(); ++i) {
    if (request.detail.find(": parameter " + params[i]->name + " leaves") == std::string::npos) continue;
    const std::string type = fmt::format("params[{}].{}", i, say.type);
    return fails(assert_equal(fmt::format("{}.{}", after, type), fmt::format("{}.{}", before, type)));
  }
  const bool value = request.detail.find(": what it returns leaves") != std::string::npos;
  const std::string result = value ? fmt::format("body.body.{}", say.type) : std::string(say.result_type);
  return fails(assert_equal(fmt::format("{}.{}", after, result), fmt::format("{}.{}", before, result)));
}

// What a block declares, held against TVM's own analysis of it.
ReproParts show_contradiction(const BlockClaim& claim, const ReproFacts& facts) {
  std::vector<std::string> arguments = {"after", python_string(claim.function), python_string(claim.block)};
  if (!claim.buffer.empty()) arguments.push_back(python_string(claim.buffer));
  const std::string call = python_list(fmt::format("found = {}(", analysis_of(claim)), arguments, ")");
  return {{facts.define_analysis}, {call}, {"assert found is None, found"}};
}

// A detail that goes on with "; the target does not ..." was found by passdiff's checker alone.
std::optional<ReproParts> show_ill_formed(const ReproRequest& request, const ReproFacts& facts) {
  const bool rejected = facts.well_formed ? !*facts.well_formed : failing_stage(request.detail).empty();
  if (rejected) return fails("relax.analysis.well_formed(after)  # raises an error that names the fault");
  if (request.detail.find("of a function of TensorIR is not defined") == std::string::npos)
    return std::nullopt;
  const bool old = is_before_0_27(facts.version);
  return fails(
      fmt::format("tvm.{}.analysis.verify_well_formed(after)  # raises an error that names the fault",
                  old ? "tirx" : "s_tir"));
}

}  // namespace

std::string_view analysis_of(const BlockClaim& claim) { return claim.buffer.empty() ? "outside_of_domain" : "undeclared"; }

std::optional<Module> binding_in_question(const ReproRequest& request, const ReproFacts& facts) {
  const auto place = request.symptom == symptoms::kWrongTypeSymptom ? find_declaration(request, facts) : std::nullopt;
  if (!place || as<Call>(place->binding->value) == nullptr) return std::nullopt;
  Function function;
  for_each_use(place->binding->value, [&](const Var& var) {
    if (std::ranges::find(function.params, var) == function.params.end()) function.params.push_back(var);
  });
  const Var& var = place->binding->var;
  const Var result = make_var(var->name, var->type);
  function.body = {{Block{.dataflow = false, .bindings = {{result, place->binding->value, std::nullopt}}}}, var_expr(result)};
  function.result_type = result->type;
  return Module{.functions = {{request.test.entry, std::make_shared<const Function>(std::move(function))}},
                .vdevices = facts.target->vdevices,
                .attrs = {}};
}

std::optional<ReproParts> show_form(const ReproRequest& request, const ReproFacts& facts) {
  if (request.symptom == symptoms::kIllFormed) {
    const auto claim = block_claim(request.detail);
    return claim ? show_contradiction(*claim, facts) : show_ill_formed(request, facts);
  }
  if (request.symptom == symptoms::kSignature) return show_signature(request, facts);
  if (request.symptom == symptoms::kNotKept) return show_what_is_lost(request, facts);
  if (request.symptom != symptoms::kWrongTypeSymptom) return std::nullopt;
  if (facts.well_formed && !*facts.well_formed) return show_ill_formed(request, facts);
  const auto declaration = show_declaration(request, facts);
  return declaration ? declaration : show_value_of_other_type(request, facts);
}

}  // namespace passdiff

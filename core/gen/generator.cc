#include "core/gen/generator.h"

#include <algorithm>

#include "core/form/builder.h"
#include "core/gen/steps.h"
#include "core/gen/sharding.h"
#include "core/gen/training.h"
#include "core/gen/transformation.h"

namespace passdiff {
namespace {

// Gives the function the symbolic dims n and m, or n alone, which its first input defines.
void define_symbols(Choices& choices, GraphBuilder& graph) {
  FunctionDraft& function = graph.function();
  const std::size_t count = 1 + choices.index(2);
  Shape shape;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t size = graph.dim(choices);
    function.symbols.push_back({make_sym_var(i == 0 ? "n" : "m"), size, Dim(size)});
    shape.emplace_back(function.symbols.back().var);
  }
  if (choices.flip()) shape.emplace_back(graph.dim(choices));
  if (choices.one_in(6)) {
    graph.parameter(Origin::input, shape_type(shape), ShapeValue{graph.sizes(shape)});
  } else {
    graph.fresh(choices, Origin::input, graph.float_dtype(choices), shape);
  }
}

FunctionPtr make_public(FunctionDraft& function, SeqExpr body, bool num_input) {
  std::vector<Var> params;
  params.reserve(function.inputs.size() + function.weights.size());
  for (const Parameter& input : function.inputs) params.push_back(input.var);
  for (const Parameter& weight : function.weights) params.push_back(weight.var);
  NamedAttrs attrs;
  if (num_input) attrs["num_input"] = static_cast<std::int64_t>(function.inputs.size());
  return make_function(std::move(params), std::move(body), function.pure, std::move(attrs));
}

void begin_body(GraphBuilder& graph) {
  graph.begin_block(graph.config().blocks != BlockStyle::plain);
}

// Adds a second public function with the weights of main, so that one transformation of weights serves both.
void add_sibling(Choices& choices, CaseDraft& draft, const FunctionDraft& main) {
  for (const Parameter& weight : main.weights) {
    if (has_symbolic_dims(weight.var->type)) return;
  }
  FunctionDraft function;
  GraphBuilder graph(draft, function);
  for (const Parameter& weight : main.weights)
    graph.parameter(Origin::weight, weight.var->type, weight.value);
  const std::size_t weights = function.weights.size();
  begin_body(graph);
  for (std::size_t i = 0; i < weights; ++i) {
    if (choices.flip()) graph.call("relax.permute_dims", {graph.entries()[i].shown.expr});
  }
  grow_calls(choices, graph, graph.binding_count() + 2 + static_cast<int>(choices.index(4)));
  const ExprPtr result = choose_result(choices, graph);
  // Both must have the same weights: what was made beyond them is removed.
  while (function.weights.size() > weights) {
    function.inputs.push_back(std::move(function.weights[weights]));
    function.weights.erase(function.weights.begin() + static_cast<std::ptrdiff_t>(weights));
  }
  draft.module.functions.push_back(
      {.name = "decode", .function = make_public(function, graph.finish(result), true), .is_public = true});
}

}  // namespace

GeneratedCase generate_case(Choices& choices, const GenerateOptions& options) {
  const Config config = draw_config(choices, options);
  CaseDraft draft{.config = config, .options = options, .module = {}, .known_functions = {}};
  for (int i = 0; i < config.vdevices; ++i) draft.module.vdevices.push_back({.target = "llvm", .id = i});
  FunctionDraft function;
  GraphBuilder graph(draft, function);
  if (config.symbolic) define_symbols(choices, graph);
  begin_body(graph);
  grow(choices, graph, config.bindings);
  choices.begin_unit();
  ExprPtr result = config.training ? choose_loss(choices, graph) : nullptr;
  if (result == nullptr) result = choose_result(choices, graph);

  GeneratedCase made;
  Provenance ignored;
  made.result = graph.value_of(result, ignored);
  made.undefined = draft.undefined;
  for (const Parameter& input : function.inputs) made.test.arguments.push_back(input.value);
  for (const Parameter& weight : function.weights) made.test.arguments.push_back(weight.value);
  GlobalFunction main{.name = "main",
                      .function = make_public(function, graph.finish(result), config.num_input),
                      .is_public = true};
  std::vector<GlobalFunction>& functions = draft.module.functions;
  functions.insert(choices.flip() ? functions.begin() : functions.end(), std::move(main));
  if (config.sibling) add_sibling(choices, draft, function);
  if (choices.one_in(40)) draft.module.attrs["origin"] = std::string("generated");
  if (config.distributed) annotate_shardings(choices, draft.module);
  made.test.module = std::move(draft.module);
  made.idioms_drawn = config.idioms;
  made.idioms_made = std::move(draft.idioms_made);
  if (choices.one_in(24) && function.pure && !config.training && !config.distributed) become_transformation(choices, made);
  return made;
}

TestCase generate_test_case(Choices& choices, const GenerateOptions& options) {
  return generate_case(choices, options).test;
}

}  // namespace passdiff

// What a function returns.
#include <algorithm>

#include "core/form/builder.h"
#include "core/gen/steps.h"

namespace passdiff {
namespace {

constexpr std::size_t kMaxFields = 5;

bool is_returnable(const Entry& entry) {
  return entry.shown.expr->type.as_tensor() != nullptr || entry.shown.expr->type.as_tuple() != nullptr;
}

// The values that nothing uses. If all are returned, no binding is dead.
std::vector<ExprPtr> sinks(const GraphBuilder& graph) {
  std::vector<ExprPtr> found;
  const std::span<const Entry> entries = graph.entries();
  for (std::size_t i = entries.size(); i-- > 0 && found.size() < kMaxFields;) {
    if (entries[i].origin == Origin::computed && entries[i].uses == 0 && is_returnable(entries[i])) {
      found.push_back(entries[i].shown.expr);
    }
  }
  std::reverse(found.begin(), found.end());
  return found;
}

ExprPtr drawn(Choices& choices, GraphBuilder& graph, bool (*fits)(const Entry&)) {
  const Entry* entry = graph.choose(choices, fits);
  return entry != nullptr ? entry->shown.expr : nullptr;
}

// An unusual output: a value that is used too, an input, a weight, a constant, what weights alone determine, a
// repetition.
ExprPtr odd_output(Choices& choices, GraphBuilder& graph, const std::vector<ExprPtr>& fields) {
  switch (choices.index(6)) {
    case 0:
      return drawn(choices, graph, [](const Entry& e) { return is_returnable(e) && e.uses > 0; });
    case 1:
      return drawn(choices, graph,
                   [](const Entry& e) { return e.origin == Origin::input && is_returnable(e); });
    case 2:
      return drawn(choices, graph, [](const Entry& e) { return e.origin == Origin::weight; });
    case 3:
      return drawn(choices, graph, [](const Entry& e) { return e.origin == Origin::constant; });
    case 4:
      return drawn(choices, graph, [](const Entry& e) {
        return e.origin == Origin::computed && e.provenance.lifted && is_returnable(e);
      });
    default:
      return fields[choices.index(fields.size())];  // returned twice
  }
}

}  // namespace

ExprPtr choose_result(Choices& choices, GraphBuilder& graph) {
  std::vector<ExprPtr> fields = sinks(graph);
  if (fields.size() > 1 && choices.one_in(5))
    fields.erase(fields.begin(), fields.end() - 1);  // the others are dead
  if (fields.empty()) {
    const Entry* any = graph.choose(choices, is_returnable);
    fields.push_back(any != nullptr ? any->shown.expr
                                    : graph.fresh(choices, Origin::input, DType::float32, {2}));
  }
  if (graph.config().odd_outputs) {
    if (choices.one_in(8)) {
      if (const ExprPtr alone = odd_output(choices, graph, fields)) return alone;
    }
    const std::size_t extras = 1 + choices.index(2);
    for (std::size_t i = 0; i < extras; ++i) {
      if (ExprPtr extra = odd_output(choices, graph, fields)) fields.push_back(std::move(extra));
    }
    if (fields.size() > 2 && choices.one_in(3)) {
      ExprPtr inner = make_tuple({fields[0], fields[1]});
      fields.erase(fields.begin());
      fields[0] = std::move(inner);
    }
  }
  if (fields.size() == 1 && !choices.one_in(16)) return fields[0];
  ExprPtr tuple = make_tuple(std::move(fields));
  return choices.flip() ? graph.bind(std::move(tuple)) : tuple;
}

}  // namespace passdiff

#include "core/gen/config.h"

#include <algorithm>
#include <numeric>

#include "core/gen/sharding.h"
#include "core/gen/training.h"

namespace passdiff {
namespace {

// The sizes of axes that a case draws from: few, so that shapes match each other. The first pool is the choice of
// no bytes.
const std::vector<std::vector<std::int64_t>> kDimPools = {
    {2, 3, 4}, {2, 3}, {4, 2, 1}, {3}, {2, 4},       {1, 2, 3}, {4, 3, 2},    {2, 3, 5},
    {2},       {3, 1}, {2, 3, 4}, {4}, {2, 2, 3, 1}, {5, 2},    {3, 4, 3, 1}, {2, 3, 2, 0},
};

constexpr DType kOtherDTypes[] = {DType::float16, DType::int32,  DType::float64,  DType::int64,
                                  DType::boolean, DType::int8,   DType::bfloat16, DType::uint8,
                                  DType::float16, DType::int16,  DType::uint32,   DType::int64,
                                  DType::float64, DType::uint16, DType::uint64};

// How much heavier an op gets by being one of the case's favourites.
constexpr unsigned kFavouriteWeight = 8;

// How often an op is drawn. The rows of all ops are more than the first cache holds, and each case looks at all of them.
struct Frequency {
  unsigned weight;
  unsigned one_in;
};

std::span<const Frequency> frequencies() {
  static const std::vector<Frequency> frequencies = [] {
    CHECK(all_ops().size() <= 256) << "Config holds the indices of ops as bytes";
    std::vector<Frequency> all;
    for (const OpDef& op : all_ops()) all.push_back({op.pass_made ? 0 : op.weight, op.one_in});
    return all;
  }();
  return frequencies;
}

void draw_ops(Choices& choices, const GenerateOptions& options, Config& config) {
  const std::span<const OpDef> all = all_ops();
  const std::span<const Frequency> ops = frequencies();
  static const unsigned most =
      std::accumulate(ops.begin(), ops.end(), 0U, [](unsigned sum, const Frequency& op) { return sum + op.weight; });
  config.ops.reserve(most + 3 * kFavouriteWeight);
  config.ops.resize(most);
  auto end = config.ops.begin();
  std::size_t left_out = 0;  // a bit for each of eight ops
  const bool swarm = !choices.one_in(4);
  for (std::size_t i = 0; i < ops.size(); ++i) {
    if (swarm && i % 8 == 0) left_out = choices.index(256);
    if (swarm && ((left_out >> (i % 8)) & 1) != 0) continue;
    if (!options.avoid.empty() && is_avoided(options, all[i].name)) continue;
    if (ops[i].one_in > 1 && !choices.one_in(ops[i].one_in)) continue;
    end = std::fill_n(end, ops[i].weight, static_cast<std::uint8_t>(i));
  }
  config.ops.erase(end, config.ops.end());
  const std::size_t favourites = choices.index(4);
  for (std::size_t i = 0; i < favourites; ++i) {
    const std::size_t op = choices.index(all.size());
    if (ops[op].one_in > 1 && !choices.one_in(ops[op].one_in)) continue;
    if (ops[op].weight > 0 && !is_avoided(options, all[op].name))
      config.ops.insert(config.ops.end(), kFavouriteWeight, static_cast<std::uint8_t>(op));
  }
}

bool is_left_out(const GenerateOptions& options, const Idiom& idiom) {
  return is_avoided(options, idiom.name) || (idiom.needs_tensor_ir && !options.tensor_ir);
}

void draw_idioms(Choices& choices, const GenerateOptions& options, Config& config) {
  config.idioms_of_16 = choices.one_in(5) ? 0 : static_cast<unsigned>(choices.integer(2, 6));
  if (config.idioms_of_16 == 0) return;
  const std::span<const Idiom> all = idiom_table();
  const std::size_t kinds = 1 + choices.index(3);
  std::vector<unsigned> weights;
  weights.reserve(all.size());
  for (const Idiom& idiom : all) {
    weights.push_back(is_left_out(options, idiom) ? 0 : idiom.weight);
  }
  if (std::all_of(weights.begin(), weights.end(), [](unsigned w) { return w == 0; })) return;
  for (std::size_t i = 0; i < kinds; ++i) config.idioms.push_back(&all[choices.weighted(weights)]);
}

void draw_dtypes(Choices& choices, Config& config) {
  const bool no_float32 = choices.one_in(8);
  const std::size_t others = no_float32 ? 1 + choices.index(2) : choices.index(3);
  if (!no_float32) config.dtypes.assign(3, DType::float32);
  for (std::size_t i = 0; i < others; ++i) config.dtypes.push_back(choices.pick(kOtherDTypes));
  for (const DType dtype : config.dtypes) {
    if (is_float(dtype)) config.float_dtypes.push_back(dtype);
  }
  if (config.float_dtypes.empty()) config.float_dtypes.push_back(DType::float32);
}

// Each flag is rare enough that most cases have one or two of them.
void draw_structure(Choices& choices, const GenerateOptions& options, Config& config) {
  constexpr BlockStyle kStyles[] = {BlockStyle::one_dataflow, BlockStyle::one_dataflow,
                                    BlockStyle::one_dataflow, BlockStyle::mixed, BlockStyle::plain};
  config.blocks = choices.pick(kStyles);
  config.num_input = options.num_input && !choices.one_in(4);
  config.symbolic = options.symbolic_shapes && choices.one_in(5);
  config.branches = options.control_flow && choices.one_in(6);
  config.closures = options.several_functions && choices.one_in(8);
  if (options.several_functions && choices.one_in(4))
    config.max_helpers = 1 + static_cast<int>(choices.index(2));
  config.sibling = options.several_functions && config.num_input && choices.one_in(12);
  const bool wanted = std::any_of(config.idioms.begin(), config.idioms.end(),
                                  [](const Idiom* idiom) { return idiom->needs_vdevices; });
  if (options.vdevices && (wanted || choices.one_in(8))) config.vdevices = 1 + static_cast<int>(choices.index(2));
  config.odd_outputs = choices.one_in(3);
}

}  // namespace

bool is_avoided(const GenerateOptions& options, std::string_view name) {
  return std::find(options.avoid.begin(), options.avoid.end(), name) != options.avoid.end();
}

Config draw_config(Choices& choices, const GenerateOptions& options) {
  Config config;
  const auto spare = static_cast<std::size_t>(std::max(0, options.max_bindings - options.min_bindings));
  config.bindings =
      options.min_bindings + static_cast<int>((choices.index(spare + 1) + choices.index(spare + 1)) / 3);
  config.dims = choices.pick(kDimPools);
  draw_dtypes(choices, config);
  draw_ops(choices, options, config);
  draw_idioms(choices, options, config);
  draw_structure(choices, options, config);
  config.reuse_of_16 = static_cast<unsigned>(choices.integer(12, 15));
  config.constants_of_16 = static_cast<unsigned>(choices.index(8));
  config.weights_of_16 = static_cast<unsigned>(choices.index(9));
  config.undefined = options.undefined_one_in != 0 && choices.one_in(options.undefined_one_in);
  config.wild = choices.one_in(8);
  config.training = std::any_of(config.idioms.begin(), config.idioms.end(), [](const Idiom* idiom) { return idiom->trains; });
  config.distributed = options.distributed_one_in == 1 || (options.distributed_one_in > 1 && choices.one_in(options.distributed_one_in));
  if (config.distributed) {
    config.training = false;
    restrict_to_sharding(config);
  } else if (config.training) {
    restrict_to_training(config);
  }
  return config;
}

}  // namespace passdiff

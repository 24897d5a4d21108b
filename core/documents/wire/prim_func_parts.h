// What a function of TensorIR in a module document is made of, as PrimFuncReader hands it on.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "core/documents/wire/module_document.h"
#include "core/ir/tir/stmt.h"

namespace passdiff {

// Kinds has the types that are made, as for PrimFuncReader. The texts are those of the document.
template <class Kinds>
struct PrimFuncParts {
  using Expr = typename Kinds::Expr;
  using Stmt = typename Kinds::Stmt;
  using Variable = typename Kinds::Variable;
  using Buffer = typename Kinds::Buffer;
  template <class T>
  using List = typename Kinds::template List<T>;

  struct BufferParts {
    Cursor at;
    std::string_view name;
    tir::ScalarType dtype;
    List<Expr> shape;
    List<Expr> strides;
    Expr elem_offset{nullptr};
    std::string_view scope;
    int data_alignment = 0;
    int offset_factor = 0;
    std::vector<std::int64_t> axis_separators;
  };
  struct Range {
    Expr min{nullptr};
    Expr extent{nullptr};
  };
  struct Region {
    Buffer buffer{nullptr};
    std::vector<Range> ranges;
  };
  struct Match {
    Buffer buffer{nullptr};
    Region source;
  };
  struct Axis {
    Variable var{nullptr};
    Range domain;
    tir::IterKind kind = tir::IterKind::spatial;
  };
  struct LoopParts {
    Cursor at;
    Variable var{nullptr};
    Range range;
    Expr step{nullptr};
    tir::ForKind kind = tir::ForKind::serial;
    std::string_view thread_tag;
    NamedAttrs annotations;
    Stmt body{nullptr};
  };
  struct BlockParts {
    List<Expr> values;
    Expr predicate{nullptr};
    std::string_view name;
    std::vector<Axis> axes;
    std::vector<Region> reads, writes;
    List<Buffer> alloc_buffers;
    std::vector<Match> match_buffers;
    NamedAttrs annotations;
    Stmt init{nullptr};
    Stmt body{nullptr};
  };
  struct Param {
    std::optional<Variable> var;   // either this
    std::optional<Buffer> buffer;  // or this
  };
  struct AttrParts {
    std::variant<std::monostate, std::string_view, std::int64_t, Param> node;
    std::string_view thread_tag;
    std::string_view key;
    Expr value{nullptr};
    Stmt body{nullptr};
  };
};

}  // namespace passdiff

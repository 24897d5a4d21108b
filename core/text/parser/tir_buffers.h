// Buffers of TensorIR as they are declared: T.Buffer((n, 4), "float32", scope="shared").
#pragma once

#include <optional>
#include <string_view>

#include "core/text/parser/tir_exprs.h"

namespace passdiff {

struct BufferDeclaration {
  tir::Buffer buffer;
  tir::Expr data;                // or null
  tir::Annotations annotations;  // of an allocation
};

// Fails with parse.*.
class TirBufferParser {
 public:
  TirBufferParser(ParseContext& context, TirExprParser& exprs) : nodes_(context.nodes), exprs_(exprs) {}

  // A call with shape and dtype first, from the argument numbered `first` on: T.match_buffer has one before them.
  Result<BufferDeclaration> declaration(NodeIndex call, std::string_view name, int first = 0);
  // The same buffer at the place of a region of another, if the call gives no shape.
  Result<BufferDeclaration> match(NodeIndex call, std::string_view name, const tir::BufferRegion& source);
  // T.allocate([16], "float32", "global") of TVM 0.25.
  Result<BufferDeclaration> allocation(NodeIndex call, std::string_view name);
  // A.view("int32"), A.view(4, 4).
  Result<BufferDeclaration> view(NodeIndex call, std::string_view name);
  // A[0:4, 0:n], as TVM 0.25 prints a buffer that is declared on the data of another: only from the start of A, and as wide as it but for the first
  // axis.
  Result<BufferDeclaration> beginning(NodeIndex subscript, std::string_view name);

 private:
  struct Arguments;
  std::optional<Error> keyword(NodeIndex argument, Arguments& into);
  Result<std::vector<tir::Expr>> strides(NodeIndex node, const tir::ScalarType& type);
  Result<BufferDeclaration> build(const Arguments& args, tir::BufferNode buffer);

  Nodes& nodes_;
  TirExprParser& exprs_;
};

// T.sblock_attr({...}), annotations={...}: attributes, in which TVM's older prefixes are replaced. The hint
// layout_free_placeholders, which lists buffers, is left out.
Result<NamedAttrs> parse_tir_attrs(const Nodes& nodes, NodeIndex dict);

}  // namespace passdiff

// Calls: of ops, of functions of the module, of local ones, of functions of the host.
#pragma once

#include <vector>

#include "core/ops/op.h"
#include "core/text/parser/exprs.h"

namespace passdiff {

// Fails with parse.argument, parse.attribute, and with type.* where a call does not type.
class CallParser {
 public:
  CallParser(ParseContext& context, ExprParser& exprs)
      : context_(context), nodes_(context.nodes), exprs_(exprs) {}

  // R.add(x, y), by the op's parameters.
  Result<ExprPtr> op_call(NodeIndex node, const OpDef& op);
  // Is the op one whose operands are not matched by name: R.print(x, y, format="{} {}")?
  static bool is_host_call(const OpDef& op);
  // R.print(x, format="{}"), R.call_dps_packed("f", (x,), out_ty=R.Tensor(...)).
  Result<ExprPtr> host_call(NodeIndex node, const OpDef& op);
  // cls.f(x), f(x), R.ExternFunc("f")(x).
  Result<ExprPtr> function_call(NodeIndex node);
  // R.call_packed("f", x, ty_args=(R.Tensor(...),)).
  Result<ExprPtr> packed_call(NodeIndex node);
  // The arguments of a call that takes them by position alone.
  Result<std::vector<ExprPtr>> arguments(NodeIndex call);

 private:
  Result<std::vector<ExprPtr>> operands(NodeIndex call, const OpDef& op, const std::vector<NodeIndex>& values);
  Result<Attrs> attributes(NodeIndex call, const OpDef& op, const std::vector<NodeIndex>& values);
  Result<ExprPtr> operand(const Param& param, NodeIndex node);
  Result<ExprPtr> host_operand(const Param& param, NodeIndex node);
  Result<std::vector<Type>> declared_types(const OpDef& op, NodeIndex node);
  Result<IndexMap> index_map(NodeIndex node);
  Result<AttrValue> attr(const OpDef& op, const Param& param, NodeIndex node);

  ParseContext& context_;
  Nodes& nodes_;
  ExprParser& exprs_;
};

}  // namespace passdiff

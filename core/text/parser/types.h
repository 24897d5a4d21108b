// Types: R.Tensor((n, 2), "float32"), R.DTensor(...), R.Tuple(...), R.Callable(...).
#pragma once

#include <vector>

#include "core/ir/module.h"
#include "core/result.h"
#include "core/text/parser/dims.h"

namespace passdiff {

class TypeParser {
 public:
  TypeParser(Nodes& nodes, NameTable& names, Module& module, UnknownSymbol unknown = UnknownSymbol::error)
      : nodes_(nodes), names_(names), module_(module), dims_(nodes, names, unknown) {}

  // Fails with parse.type, parse.argument, parse.dtype, parse.vdevice, parse.mesh, and as DimParser does.
  Result<Type> type(NodeIndex node);

 private:
  Result<Type> bare(NodeIndex node, std::string_view name);
  std::optional<int> rank_alone(NodeIndex shape) const;
  Result<TensorType> tensor(NodeIndex call);
  Result<TensorType> distributed_tensor(NodeIndex call);
  // What R.Tensor and R.DTensor have in common; the nodes may be absent.
  Result<TensorType> tensor(NodeIndex shape, NodeIndex dtype, NodeIndex ndim);
  Result<ShapeType> shape(NodeIndex call);
  Result<TupleType> tuple(NodeIndex call);
  Result<FuncType> callable(NodeIndex call);
  Result<Type> prim(NodeIndex call);
  Result<Type> prim_of_value(NodeIndex call, NodeIndex value);
  // The ndim of R.Shape or R.Tensor; -1 says that it is unknown. `message` is what the error says.
  Result<int> rank(NodeIndex node, std::string_view message);

  Nodes& nodes_;
  const NameTable& names_;
  Module& module_;  // virtual devices and meshes that a type is the first to name are added
  DimParser dims_;
};

}  // namespace passdiff

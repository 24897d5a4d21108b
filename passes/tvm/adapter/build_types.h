// The compiler's types, dimensions and attributes from their documents.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/documents/wire/type_reader.h"
#include "passes/tvm/adapter/global_infos.h"

namespace passdiff {

ObjectRef int_imm(DType dtype, std::int64_t value);
ObjectRef float_imm(DType dtype, double value);
// The compiler's object for the attributes; those that are not given have their defaults.
ObjectRef make_attrs(std::string_view type_key, const std::vector<Any>& names_and_values);

class RelaxTypes;

// The types that the readers of documents make here: objects of the compiler.
struct RelaxKinds {
  template <class T>
  using List = Objects;
  using Dim = ObjectRef;
  using Type = ObjectRef;
  using Types = RelaxTypes;
  using Variable = ObjectRef;
  using Expr = ObjectRef;
  using Binding = ObjectRef;
  using Block = ObjectRef;
  using Seq = ObjectRef;
  using Function = ObjectRef;
  using BeforeBranches = std::vector<std::optional<ObjectRef>>;  // the symbols known so far
};

class RelaxTypes final : public TypeReader<RelaxKinds> {
 public:
  // The infos must outlive this.
  RelaxTypes(const GlobalInfoObjects& infos, std::vector<std::string_view> symbol_names)
      : TypeReader(infos.counts(), std::move(symbol_names)), infos_(infos) {}

  Any attr(const AttrValue& value);
  // The type of a tensor like that, spread over a mesh.
  ObjectRef distributed(const ObjectRef& tensor_type, const Sharding& sharding) const;

 protected:
  ObjectRef make_symbol(std::string_view name) override;
  ObjectRef make_integer(std::int64_t value, DType dtype) override { return int_imm(dtype, value); }
  ObjectRef make_operation(DimOp op, const ObjectRef& lhs, const ObjectRef& rhs) override;
  ObjectRef make_object_type() override;
  ObjectRef make_tensor_type(Extent extent, std::optional<DType> dtype, std::optional<int> vdevice,
                             const std::optional<Sharding>& sharding) override;
  ObjectRef make_tuple_type(Objects fields) override;
  ObjectRef make_shape_type(Extent extent) override;
  ObjectRef make_prim_type(DType dtype) override;
  ObjectRef make_func_type(std::optional<Objects> params, ObjectRef result, bool pure) override;

 private:
  ObjectRef index_map(const IndexMap& map);
  ObjectRef index(const passdiff::Dim& dim, const IndexMap& map, const Objects& axes);

  const GlobalInfoObjects& infos_;
};

}  // namespace passdiff

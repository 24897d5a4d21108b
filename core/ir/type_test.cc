#include "core/ir/type.h"

#include <gtest/gtest.h>

namespace passdiff {
namespace {

const SymVar kN = make_sym_var("n");
const Dim n(kN);

Type rank(int value) {
  return tensor_type_of_rank(value, DType::float32);
}
Type f32(Shape shape, std::optional<int> vdevice = std::nullopt) {
  return tensor_type(std::move(shape), DType::float32, vdevice);
}

TEST(IsSubtype, KnownFactsRefineUnknownOnes) {
  EXPECT_TRUE(is_subtype(f32({2, 3}), rank(2)));
  EXPECT_TRUE(is_subtype(rank(2), rank(kUnknownRank)));
  EXPECT_TRUE(is_subtype(f32({2, 3}), tensor_type_of_rank(2, std::nullopt)));
  EXPECT_TRUE(is_subtype(f32({2}, 0), f32({2})));
  EXPECT_TRUE(is_subtype(rank(2), object_type()));
  EXPECT_TRUE(is_subtype(f32({n + 1}), f32({Dim(1) + n})));
  EXPECT_FALSE(is_subtype(rank(2), f32({2, 3})));
  EXPECT_FALSE(is_subtype(f32({2}), f32({2}, 0)));
  EXPECT_FALSE(is_subtype(f32({n}), f32({3})));
  EXPECT_FALSE(is_subtype(object_type(), rank(2)));
}

TEST(IsSubtype, PureFunctionsAreImpureOnesToo) {
  const Type pure = func_type({f32({2})}, f32({2}), true);
  const Type impure = func_type({f32({2})}, f32({2}), false);
  EXPECT_TRUE(is_subtype(pure, impure));
  EXPECT_FALSE(is_subtype(impure, pure));
  EXPECT_TRUE(is_subtype(pure, FuncType{std::nullopt, object_type(), true}));
}

TEST(IsSubtype, IgnoresTheNamesOfAFunctionsOwnSymbols) {
  const Dim m(make_sym_var("m"));
  EXPECT_TRUE(is_subtype(func_type({f32({n})}, f32({n + 1})), func_type({f32({m})}, f32({m + 1}))));
  EXPECT_FALSE(is_subtype(func_type({f32({n})}, f32({n + 1})), func_type({f32({m})}, f32({m + 2}))));
}

TEST(Compatible, IsFalseOnlyIfNoValueCanHaveBothTypes) {
  EXPECT_FALSE(compatible(rank(2), rank(3)));
  EXPECT_FALSE(compatible(f32({4}), f32({5})));
  EXPECT_FALSE(compatible(tensor_type({2}, DType::int8), f32({2})));
  EXPECT_FALSE(compatible(shape_type({2}), f32({2})));
  EXPECT_FALSE(compatible(tuple_type({f32({2})}), tuple_type({})));
  EXPECT_TRUE(compatible(f32({n}), f32({5})));
  EXPECT_TRUE(compatible(f32({4}), rank(kUnknownRank)));
  EXPECT_TRUE(compatible(object_type(), f32({2})));
}

TEST(MayMatch, DoesNotLookAtDevices) {
  EXPECT_FALSE(compatible(f32({2}, 0), f32({2}, 1)));
  EXPECT_TRUE(may_match(f32({2}, 0), f32({2}, 1)));
  EXPECT_TRUE(may_match(object_type(), f32({2}, 1)));
  EXPECT_FALSE(may_match(f32({2}, 0), tensor_type({2}, DType::int8, 1)));
}

TEST(Unify, KeepsWhatBothSidesShare) {
  EXPECT_TRUE(equal(unify(f32({2, n}), f32({2, n})), f32({2, n})));
  EXPECT_TRUE(equal(unify(f32({2, 3}), f32({2, 4})), rank(2)));
  EXPECT_TRUE(equal(unify(f32({2}), f32({2, 4})), rank(kUnknownRank)));
  EXPECT_TRUE(equal(unify(f32({2}, 0), f32({2}, 1)), f32({2})));
  EXPECT_TRUE(equal(unify(tuple_type({f32({2}), f32({2})}), tuple_type({f32({2}), f32({3})})),
                    tuple_type({f32({2}), rank(1)})));
  EXPECT_TRUE(unify(tuple_type({}), tuple_type({f32({2})})).is_object());
  EXPECT_TRUE(unify(prim_type(DType::int64), prim_type(DType::boolean)).is_object());
}

TEST(Equal, ComparesVDevicesUnlessToldNotTo) {
  EXPECT_FALSE(equal(f32({2}, 0), f32({2})));
  EXPECT_TRUE(equal(f32({2}, 0), f32({2}), VDevices::ignore));
}

TEST(ToString, WritesTVMScript) {
  EXPECT_EQ(to_string(f32({2, n})), "R.Tensor((2, n), dtype=\"float32\")");
  EXPECT_EQ(to_string(f32({2})), "R.Tensor((2,), dtype=\"float32\")");
  EXPECT_EQ(to_string(rank(2)), "R.Tensor(dtype=\"float32\", ndim=2)");
  EXPECT_EQ(to_string(tuple_type({shape_type({n, 2}), prim_type(DType::int64)})),
            "R.Tuple(R.Shape([n, 2]), R.Prim(\"int64\"))");
}

TEST(Type, IsAnObjectUnlessSaidOtherwise) {
  EXPECT_TRUE(Type().is_object());
  EXPECT_TRUE(equal(Type(), object_type()));
  EXPECT_EQ(Type().kind(), Type(ObjectType{}).kind());
  EXPECT_TRUE(Type().visit([]<class T>(const T&) { return std::is_same_v<T, ObjectType>; }));
}

TEST(Type, IsSharedByItsCopies) {
  const Type type = f32({2, 3});
  const Type copy = type;
  EXPECT_EQ(copy.as_tensor(), type.as_tensor());
  EXPECT_TRUE(copy.is_same(type));
  EXPECT_FALSE(f32({2, 3}).is_same(type));
}

TEST(ReplaceTensors, ReachesThoseInTuples) {
  const auto to_int8 = [](TensorType tensor) {
    tensor.dtype = DType::int8;
    return tensor;
  };
  const Type nested = tuple_type({f32({2}), tuple_type({f32({n})}), shape_type({2})});
  const Type expected = tuple_type(
      {tensor_type({2}, DType::int8), tuple_type({tensor_type({n}, DType::int8)}), shape_type({2})});
  EXPECT_TRUE(equal(replace_tensors(nested, to_int8), expected))
      << to_string(replace_tensors(nested, to_int8));
  EXPECT_TRUE(replace_tensors(shape_type({2}), to_int8).as_shape() != nullptr);
}

}  // namespace
}  // namespace passdiff

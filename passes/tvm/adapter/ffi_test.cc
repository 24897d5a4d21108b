// Calls and fields through tvm-ffi alone, on a class and functions that the test registers.
#include "passes/tvm/adapter/ffi.h"

#include <gtest/gtest.h>
#include <tvm/ffi/reflection/registry.h>

#include <new>

namespace passdiff {
namespace {

class PointObj : public ffi::Object {
 public:
  std::int64_t x = 3;
  ffi::Optional<ObjectRef> next;

  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("passdiff.test.Point", PointObj, ffi::Object);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = ffi::reflection;
  refl::ObjectDef<PointObj>().def_ro("x", &PointObj::x).def_ro("next", &PointObj::next);
  refl::GlobalDef()
      .def("passdiff.test.twice", [](std::int64_t value) { return 2 * value; })
      .def("passdiff.test.refuse", [](std::int64_t) { TVM_FFI_THROW(ValueError) << "no"; })
      .def("passdiff.test.exhaust", [](std::int64_t) { throw std::bad_alloc(); });
}

TEST(FindFunction, TakesTheFirstNameThatExists) {
  const ffi::Function twice = find_function({"passdiff.test.nowhere", "passdiff.test.twice"});
  ASSERT_NE(twice, nullptr);
  EXPECT_EQ(call(twice, 21).cast<std::int64_t>(), 42);
  EXPECT_EQ(find_function({"passdiff.test.nowhere"}), nullptr);
}

TEST(RequireFunction, NamesTheFirstThatIsMissing) {
  try {
    require_function({"passdiff.test.nowhere", "passdiff.test.elsewhere"});
    FAIL() << "found";
  } catch (const ffi::Error& error) {
    EXPECT_NE(std::string(error.message()).find("passdiff.test.nowhere"), std::string::npos);
  }
}

TEST(Call, TurnsEveryExceptionIntoAnErrorOfTheFfi) {
  for (const char* name : {"passdiff.test.refuse", "passdiff.test.exhaust"}) {
    EXPECT_THROW(call(require_function({name}), 1), ffi::Error) << name;
  }
}

TEST(TypeIndex, OfAnUnknownClassIsNegative) {
  EXPECT_EQ(type_index_of("passdiff.test.Nowhere"), -1);
  EXPECT_EQ(type_index_of("passdiff.test.Point"), static_cast<int>(PointObj::RuntimeTypeIndex()));
  EXPECT_EQ(type_key_of(type_index_of("passdiff.test.Point")), "passdiff.test.Point");
}

TEST(Field, IsFoundByTheFirstNameThatExists) {
  const auto point = ffi::make_object<PointObj>();
  const Field x{{"passdiff.test.Nowhere", "x"}, {"passdiff.test.Point", "y"}, {"passdiff.test.Point", "x"}};
  ASSERT_TRUE(x);
  EXPECT_EQ(x(point.get()).cast<std::int64_t>(), 3);
  const Field y{{"passdiff.test.Point", "y"}};
  EXPECT_FALSE(y);
  EXPECT_THROW(y(point.get()), ffi::Error);
}

TEST(Field, OfAnObjectThatIsNotThereIsNull) {
  const auto point = ffi::make_object<PointObj>();
  const Field next{{"passdiff.test.Point", "next"}};
  EXPECT_FALSE(next.object(point.get()).defined());
  point->next = ObjectRef(ffi::make_object<PointObj>());
  EXPECT_TRUE(next.object(point.get()).defined());
}

}  // namespace
}  // namespace passdiff

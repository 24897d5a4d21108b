// Structural equality is an equivalence that sees structure and not names, and the hash agrees with it.
#include "core/ir/structural.h"

#include "core/text/text.h"
#include "core/form/well_formed.h"
#include "fuzz/properties/property.h"
#include "fuzz/properties/rename.h"

namespace passdiff {
namespace {

TEST(StructuralEquality, IsReflexiveSymmetricAndTransitiveOnRenamedCopies) {
  expect_holds(500, [](const RandomCase& random) {
    const Module a = random.test().module;
    const Module b = renamed(a);
    const Module c = renamed(b);
    RC_ASSERT(structural_equal(a, a));
    RC_ASSERT(structural_equal(a, b));
    RC_ASSERT(structural_equal(b, a));
    RC_ASSERT(structural_equal(b, c));
    RC_ASSERT(structural_equal(a, c));
    RC_ASSERT(structural_hash(a) == structural_hash(b));
    RC_ASSERT(!well_formed(b).has_value());
  });
}

TEST(StructuralEquality, IsSymmetricAndAgreesWithTheHashOnUnrelatedModules) {
  expect_holds(500, [](const RandomCase& one, const RandomCase& other) {
    const Module a = one.test().module;
    const Module b = other.test().module;
    const bool equal = structural_equal(a, b);
    RC_ASSERT(equal == structural_equal(b, a));
    RC_ASSERT(equal == (structural_hash(a) == structural_hash(b)));
  });
}

TEST(StructuralEquality, IgnoresTheOrderOfFunctions) {
  expect_holds(300, [](const RandomCase& random) {
    const Module a = random.test().module;
    Module b = a;
    std::reverse(b.functions.begin(), b.functions.end());
    RC_ASSERT(structural_equal(a, b));
    RC_ASSERT(structural_hash(a) == structural_hash(b));
  });
}

TEST(StructuralEquality, IsBrokenByAnySmallChange) {
  expect_holds(1000, [](const RandomCase& random) {
    const Module a = random.test().module;
    Choices choices(random.more);
    const std::size_t place = choices.index(count_changes(a));
    const Module changed = with_change(a, place);
    RC_LOG() << "changed at place " << place << ":\n" << print(changed);
    RC_ASSERT(!structural_equal(a, changed));
    RC_ASSERT(!structural_equal(changed, a));
    RC_ASSERT(structural_hash(a) != structural_hash(changed));
    RC_ASSERT(structural_equal(changed, with_change(renamed(a), place)));
  });
}

}  // namespace
}  // namespace passdiff

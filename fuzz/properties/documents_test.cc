// Text, JSON and CBOR: what is written reads back the same, and damaged input is an error or another module.
#include <nlohmann/json.hpp>

#include "core/eval/interpret.h"
#include "core/ir/structural.h"
#include "core/documents/json.h"
#include "core/text/text.h"
#include "core/form/well_formed.h"
#include "core/tensor/tensor.h"
#include "fuzz/properties/damage.h"
#include "fuzz/properties/property.h"

namespace passdiff {
namespace {

void assert_reads_back(const Result<Module>& read, const Module& written) {
  if (!read) RC_FAIL(read.error().code + ": " + read.error().message);
  RC_ASSERT(structural_equal(*read, written));
}

TEST(Documents, ModulesSurviveText) {
  expect_holds(500, [](const RandomCase& random) {
    const Module module = random.test().module;
    const std::string text = print(module);
    const Result<Module> read = parse_text(text);
    assert_reads_back(read, module);
    RC_ASSERT(print(*read) == text);
  });
}

TEST(Documents, ModulesSurviveJson) {
  expect_holds(300, [](const RandomCase& random) {
    const Module module = random.test().module;
    const Result<nlohmann::json> document = parse_json(to_json(module).dump());
    RC_ASSERT(document.ok());
    const Result<Module> read = module_from_json(*document);
    assert_reads_back(read, module);
    RC_ASSERT(to_json(*read) == *document);
    // Printing compares the names, too, which structural equality ignores.
    RC_ASSERT(print(*read) == print(module));
  });
}

TEST(Documents, ModulesSurviveCbor) {
  expect_holds(500, [](const RandomCase& random) {
    const Module module = random.test().module;
    const Bytes wire = module_to_cbor(module);
    const Result<Module> read = module_from_cbor(wire);
    assert_reads_back(read, module);
    RC_ASSERT(module_to_cbor(*read) == wire);
    // CBOR and JSON hold the same document.
    const Result<nlohmann::json> document = parse_cbor(wire);
    RC_ASSERT(document.ok());
    RC_ASSERT(*document == to_json(module));
  });
}

TEST(Documents, ValuesSurviveJsonBitByBit) {
  expect_holds(300, [](const RandomCase& random) {
    for (const Value& argument : random.test().arguments) {
      const Result<nlohmann::json> document = parse_json(value_to_json(argument).dump());
      RC_ASSERT(document.ok());
      const Result<Value> read = value_from_json(*document);
      RC_ASSERT(read.ok());
      RC_ASSERT(bit_equal(*read, argument));
      if (argument.as_tensor()) RC_ASSERT(bit_equal(read->tensor(), argument.tensor(), true));
    }
  });
}

// A module that was read from a document may be ill-formed. It must be possible to look at it all the same, and to run and
// write it if it is well-formed.
void use(const Module& module, const TestCase& test) {
  RC_LOG() << print(module);
  (void)structural_hash(module);
  (void)to_json(module);
  if (well_formed(module)) return;
  assert_reads_back(module_from_cbor(module_to_cbor(module)), module);
  InterpretOptions options;
  options.limits = {.steps = 2000, .elements = 1 << 14, .total_elements = 1 << 18, .depth = 40};
  for (const GlobalFunction& f : module.functions) (void)interpret(module, f.name, test.arguments, options);
}
void assert_harmless(const Result<Module>& read, const TestCase& test) {
  if (read) return use(*read, test);
  RC_ASSERT(!read.error().code.empty());
  RC_ASSERT(!read.error().message.empty());
}

TEST(Documents, DamagedTextIsReadWithoutHarm) {
  expect_holds(1500, [](const RandomCase& random) {
    const TestCase test = random.test();
    Choices choices(random.more);
    const std::string text = damaged_text(print(test.module), choices);
    RC_LOG() << "damaged:\n" << text;
    assert_harmless(parse_text(text), test);
  });
}

TEST(Documents, DamagedJsonIsReadWithoutHarm) {
  expect_holds(500, [](const RandomCase& random) {
    const TestCase test = random.test();
    Choices choices(random.more);
    const std::string text = damaged_text(to_json(test.module).dump(), choices);
    RC_LOG() << "damaged: " << text;
    const Result<nlohmann::json> document = parse_json(text);
    if (document) assert_harmless(module_from_json(*document), test);
  });
}

TEST(Documents, DamagedTreesAreReadWithoutHarm) {
  expect_holds(700, [](const RandomCase& random) {
    const TestCase test = random.test();
    Choices choices(random.more);
    const nlohmann::json document = damaged_document(to_json(test.module), choices);
    RC_LOG() << "damaged: " << document.dump();
    assert_harmless(module_from_json(document), test);
    assert_harmless(module_from_cbor(to_cbor(document)), test);
    RC_ASSERT(module_from_json(document).ok() == module_from_cbor(to_cbor(document)).ok());
  });
}

TEST(Documents, DamagedCborIsReadWithoutHarm) {
  expect_holds(1500, [](const RandomCase& random) {
    const TestCase test = random.test();
    Choices choices(random.more);
    const Bytes wire = damaged_bytes(module_to_cbor(test.module), choices);
    RC_LOG() << "damaged: " << to_hex(wire);
    assert_harmless(module_from_cbor(wire), test);
    (void)parse_cbor(wire);
  });
}

TEST(Documents, DamagedValuesAreReadWithoutHarm) {
  expect_holds(500, [](const RandomCase& random) {
    Choices choices(random.more);
    for (const Value& argument : random.test().arguments) {
      const nlohmann::json document = damaged_document(value_to_json(argument), choices);
      RC_LOG() << "damaged: " << document.dump();
      const Result<Value> read = value_from_json(document);
      if (read) (void)value_to_json(*read);
    }
  });
}

}  // namespace
}  // namespace passdiff

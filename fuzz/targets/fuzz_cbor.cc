// A target for the readers of CBOR: any bytes are a module or an error, and the same through a JSON document as directly.
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>

#include "fuzz/targets/crash_on.h"
#include "fuzz/targets/documents.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace passdiff;
  crash_if_asked({data, size});
  const std::span<const std::uint8_t> bytes(data, size);
  const Result<Module> module = module_from_cbor(bytes);
  module ? use_module(*module) : use_error(module.error());
  const Result<Value> value = value_from_cbor(bytes);
  if (!value) use_error(value.error());
  const Result<nlohmann::json> document = parse_cbor(bytes);
  if (!document) {
    use_error(document.error());
    CHECK(!module.ok() && !value.ok()) << "read, but no document: " << document.error().message;
    return 0;
  }
  CHECK(module_from_json(*document).ok() == module.ok()) << "JSON and CBOR differ in what is a module";
  CHECK(value_from_json(*document).ok() == value.ok()) << "JSON and CBOR differ in what is a value";
  return 0;
}

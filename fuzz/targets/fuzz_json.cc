// A target for the readers of JSON: any bytes are a document or an error, any document is a module or an error, a value or an error.
// What was read as a value is written as a document that reads back as the same value.
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>

#include "fuzz/targets/crash_on.h"
#include "fuzz/targets/documents.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace passdiff;
  crash_if_asked({data, size});
  const Result<nlohmann::json> document = parse_json({reinterpret_cast<const char*>(data), size});
  if (!document) {
    use_error(document.error());
    return 0;
  }
  const Result<Module> module = module_from_json(*document);
  module ? use_module(*module) : use_error(module.error());
  const Result<Value> value = value_from_json(*document);
  if (!value) {
    use_error(value.error());
    return 0;
  }
  const Result<Value> again = value_from_json(value_to_json(*value));
  CHECK(again.ok()) << again.error().message;
  CHECK(bit_equal(*again, *value)) << to_string(*value) << " reads back as " << to_string(*again);
  return 0;
}

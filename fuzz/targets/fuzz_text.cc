// A target for the reader of TVMScript: any bytes are a module or an error, and a well-formed module is printed as text that reads
// back as the same module and prints as the same text.
#include <cstdint>
#include <string_view>

#include "fuzz/targets/crash_on.h"
#include "fuzz/targets/documents.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace passdiff;
  crash_if_asked({data, size});
  const Result<Module> module = parse_text({reinterpret_cast<const char*>(data), size});
  if (!module) {
    use_error(module.error());
    return 0;
  }
  use_module(*module);
  if (well_formed(*module)) return 0;
  const std::string text = print(*module);
  const Result<Module> again = parse_text(text);
  CHECK(again.ok()) << again.error().message << "\n" << text;
  CHECK(structural_equal(*again, *module)) << "reads back as another module:\n"
                                           << text << "\n"
                                           << print(*again);
  CHECK(print(*again) == text) << "prints otherwise:\n" << text << "\n" << print(*again);
  return 0;
}

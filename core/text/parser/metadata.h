// The section `metadata = tvm.ir.load_json("""{...}""")` that TVM's printer puts before a module if it is asked to show it: the
// constants that do not stand in the text itself.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/tensor/tensor.h"

namespace passdiff {

class Metadata {
 public:
  // Reads the JSON of TVM 0.25 to 0.27. Fails with parse.metadata if it is of another form.
  static Result<Metadata> read(const std::string& json);
  // What metadata["relax.expr.Constant"][0] means. Fails with parse.metadata if there is nothing, or it is no tensor of the host.
  Result<TensorPtr> constant(std::string_view kind, std::int64_t index) const;
  // What metadata["ir.StringImm"][0] means: TVM puts strings of several lines here.
  Result<std::string> string(std::string_view kind, std::int64_t index) const;

 private:
  struct Object {
    Result<TensorPtr> constant;
    std::optional<std::string> string;
  };
  const Object* find(std::string_view kind, std::int64_t index) const;

  std::map<std::string, std::vector<Object>, std::less<>> objects_;  // by class
};

}  // namespace passdiff

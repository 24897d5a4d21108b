// Bodies of functions: indented blocks of statements, branches, dataflow blocks, local functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/result.h"
#include "core/text/parser/context.h"
#include "core/text/parser/expression_reader.h"
#include "core/text/parser/sequence.h"
#include "core/text/parser/signature.h"

namespace passdiff {

class BodyParser {
 public:
  BodyParser(ParseContext& context, ExpressionReader& reader) : context_(context), reader_(reader) {}

  // The function; the reader stands before the colon of its body, and its parameters are in scope. Fails with
  // parse.*, and with type.* where types contradict each other.
  Result<FunctionPtr> function(const Signature& signature);

 private:
  std::optional<Error> block(Sequence& sequence);
  std::optional<Error> statement(Sequence& sequence);
  std::optional<Error> compound_statement(Sequence& sequence);
  std::optional<Error> simple_statement(Sequence& sequence);
  std::optional<Error> local_function(Sequence& sequence);
  std::optional<Error> dataflow_block(Sequence& sequence);
  std::optional<Error> if_statement(Sequence& sequence);
  struct Branch {
    SeqExpr body;
    std::string name;  // of the variable that the branch ends with
    std::optional<Type> annotation;
  };
  Result<Branch> branch(std::string_view suffix);

  ParseContext& context_;
  ExpressionReader& reader_;
  int depth_ = 0;
};

}  // namespace passdiff

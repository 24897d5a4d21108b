// Damaged documents, as a careless editor, a broken transfer or an attacker leaves them.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "fuzz/properties/property.h"

namespace passdiff {

// One to four edits, each of a character, a range of characters, a number or a line.
std::string damaged_text(std::string text, Choices& choices);
Bytes damaged_bytes(Bytes bytes, Choices& choices);
// The document with another value at one to four places: a number, a null, a part from elsewhere in it.
nlohmann::json damaged_document(nlohmann::json document, Choices& choices);

}  // namespace passdiff

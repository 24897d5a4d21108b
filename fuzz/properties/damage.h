// Damage: what a careless editor, a broken transfer or an attacker does to a document.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "fuzz/properties/property.h"

namespace passdiff {

// One to four edits of characters, stretches, numbers and lines.
std::string damaged_text(std::string text, Choices& choices);
Bytes damaged_bytes(Bytes bytes, Choices& choices);
// Another value at one to four places of the document: a number, a null, a part from elsewhere in it.
nlohmann::json damaged_document(nlohmann::json document, Choices& choices);

}  // namespace passdiff

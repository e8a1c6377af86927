// What those write who come from other languages, and what to write here.
#pragma once

#include <string_view>

namespace weft {

/// Help for a character that has no meaning (`&`), or nothing.
std::string_view helpForCharacter(std::string_view character);
/// Help for a word that starts a statement or declaration elsewhere (`return`), or nothing.
std::string_view helpForWord(std::string_view word);

} // namespace weft

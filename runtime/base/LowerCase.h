// Lower-case letters.
#ifndef WEFT_RUNTIME_BASE_LOWERCASE_H
#define WEFT_RUNTIME_BASE_LOWERCASE_H

#include <cstdint>
#include <string>
#include <string_view>

namespace weft::runtime {

/// The lower case of a code point, or itself. One to one: of the letters whose lower case depends
/// on what follows (final sigma) or is two code points, the simple form.
uint32_t lowerCase(uint32_t character);

/// Every character of a UTF-8 text; bytes that are none stay.
std::string lowerCase(std::string_view text);

} // namespace weft::runtime
#endif

// Canonical forms of Unicode, by Standard Annex 15.
#ifndef WEFT_RUNTIME_TEXT_UNICODE_NORMALIZATION_H
#define WEFT_RUNTIME_TEXT_UNICODE_NORMALIZATION_H

#include <string>
#include <string_view>

namespace weft::runtime {

/// NFD and NFC. Bytes that are no UTF-8 become U+FFFD.
std::string decomposed(std::string_view text);
std::string composed(std::string_view text);

} // namespace weft::runtime
#endif

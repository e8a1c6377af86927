// Bytes in JSON: base64 by RFC 4648.
#ifndef WEFT_RUNTIME_BASE_BASE64_H
#define WEFT_RUNTIME_BASE_BASE64_H

#include <optional>
#include <string>
#include <string_view>

namespace weft::runtime {

std::string toBase64(std::string_view bytes);
/// Nothing where `text` is not base64 with its padding.
std::optional<std::string> fromBase64(std::string_view text);

} // namespace weft::runtime
#endif

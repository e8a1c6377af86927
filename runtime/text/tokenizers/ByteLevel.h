// GPT-2's characters for bytes, so that any bytes can be written as a line of text.
#ifndef WEFT_RUNTIME_TEXT_TOKENIZERS_BYTELEVEL_H
#define WEFT_RUNTIME_TEXT_TOKENIZERS_BYTELEVEL_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft::runtime {

/// The order of GPT-2's 256 first ids, and back: first the bytes that have a visible character of
/// their own, then the others, which are spelled by the characters from U+0100.
const std::vector<unsigned char> &bytesById();
const std::vector<int32_t> &idsByByte();

std::string spelledAsCharacters(std::string_view bytes);
/// Nothing if a character stands for no byte.
std::optional<std::string> bytesSpelled(std::string_view characters);

} // namespace weft::runtime
#endif

// Letters, numbers, white space: the classes that pre-tokenization tells apart.
#ifndef WEFT_RUNTIME_TOKENIZERS_UNICODECLASSES_H
#define WEFT_RUNTIME_TOKENIZERS_UNICODECLASSES_H

#include <cstdint>

namespace weft::runtime {

/// General category L*, N*, the property White_Space, and all else.
enum class CharacterClass { Space, Letter, Number, Other };
CharacterClass classOf(uint32_t codePoint);

} // namespace weft::runtime
#endif

// Pieces that are cut out of a text before anything else is done with it, in llama.cpp's order.
#ifndef WEFT_RUNTIME_TEXT_SENTENCEPIECE_LONGESTFIRST_H
#define WEFT_RUNTIME_TEXT_SENTENCEPIECE_LONGESTFIRST_H

#include "runtime/text/tokenizers/PrefixTrie.h"

namespace weft::runtime {

/// A piece at its place in a text, in bytes.
struct Cut {
  size_t begin, length;
  int32_t id;
};

/// The longest pieces are looked for first, wherever they stand, of equally long ones that of the
/// lowest id; of what is left the next ones. In the order of the text, none over another.
std::vector<Cut> cutLongestFirst(const PrefixTrie &pieces, std::string_view text);

} // namespace weft::runtime
#endif

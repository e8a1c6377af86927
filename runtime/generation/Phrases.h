// What a text says next, by what it has said before.
#ifndef WEFT_RUNTIME_GENERATION_PHRASES_H
#define WEFT_RUNTIME_GENERATION_PHRASES_H

#include <cstdint>
#include <span>
#include <vector>

namespace weft::runtime {

/// Up to `most` ids that may follow `text`: what followed where its last few ids stood before. Of
/// several such places it is that where most of them stood (at most 64 count), of equal ones the
/// latest; as many ids follow as stood there, for what repeats little goes on otherwise soon. A
/// phrase that reaches the end of the text goes on as it has begun. Nothing where the last two ids
/// did not stand before.
std::vector<int32_t> repeatedPhrase(std::span<const int32_t> text, size_t most);

} // namespace weft::runtime
#endif

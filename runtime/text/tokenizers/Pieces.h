// Pre-tokenization: the pieces of a text that BPE never merges across.
#ifndef WEFT_RUNTIME_TEXT_TOKENIZERS_PIECES_H
#define WEFT_RUNTIME_TEXT_TOKENIZERS_PIECES_H

#include <cstddef>
#include <string_view>

namespace weft::runtime {

/// The bytes of the first piece of `text`, which is not empty, by GPT-2's pattern (Radford et al.
/// 2019)
///   's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
/// Written by hand: a regular expression library with Unicode classes would be larger than the
/// runtime. Bytes that are no UTF-8 count as \p{other}.
size_t firstPiece(std::string_view text);

/// The same by the pattern of GPT-4 and Llama 3
///   (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|
///   \s*[\r\n]+|\s+(?!\S)|\s+
size_t firstPieceOfGpt4(std::string_view text);

/// The same with \p{N} for \p{N}{1,3}: that of Qwen 2.
size_t firstPieceOfQwen2(std::string_view text);

} // namespace weft::runtime
#endif

// Byte-level byte pair encoding: pieces of bytes, merged pair by pair in a learned order.
#ifndef WEFT_RUNTIME_TEXT_TOKENIZERS_BPE_H
#define WEFT_RUNTIME_TEXT_TOKENIZERS_BPE_H

#include "runtime/text/tokenizers/ByteLevel.h"
#include "runtime/text/tokenizers/MergeTable.h"
#include "runtime/text/tokenizers/Tokenizer.h"

namespace weft::runtime {

/// Ids as in GPT-2: the 256 bytes in the order of its byte-to-character table, then the merges in
/// the order they were learned, then `<|endoftext|>`, which is never split. Sennrich, Haddow, Birch
/// 2016; Radford et al. 2019.
class Bpe final : public Tokenizer {
public:
  using Merge = std::pair<int32_t, int32_t>;
  static constexpr std::string_view endMark = "<|endoftext|>";

  /// Each merge joins two ids that exist before it.
  explicit Bpe(std::vector<Merge> merges);
  const char *kind() const override { return "bpe"; }
  int64_t size() const override { return static_cast<int64_t>(tokens.size()) + 1; }
  Result<std::vector<int32_t>> encode(std::string_view text, Marks marks) const override;
  std::string decode(int32_t id, Place = Place::Later) const override;
  std::optional<int32_t> endOfText() const override { return static_cast<int32_t>(size()) - 1; }
  Json json() const override;

  const std::vector<Merge> &mergeList() const { return merges; }

private:
  std::vector<int32_t> encodePiece(std::string_view piece) const;
  std::vector<Merge> merges;
  MergeTable table;
  std::vector<std::string> tokens; // the bytes of each id, without the end mark
};

constexpr int64_t bpeLeastSize = 257, bpeMostSize = 1 << 20;

/// Learns merges from a text until there are `size` ids, or no pair occurs twice. Of equally
/// frequent pairs the one with the greater bytes is merged first.
Result<TokenizerPtr> trainBpe(std::string_view text, int64_t size);

/// GPT-2's `vocab.bpe`: a line per merge, bytes spelled as characters.
Result<TokenizerPtr> bpeFromMerges(const std::string &path);

} // namespace weft::runtime
#endif

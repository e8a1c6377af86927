// Text to token ids and back. Three kinds: bytes, characters, byte-level BPE.
#ifndef WEFT_RUNTIME_TOKENIZERS_TOKENIZER_H
#define WEFT_RUNTIME_TOKENIZERS_TOKENIZER_H

#include "runtime/error/Error.h"
#include "runtime/facts/Facts.h"
#include "runtime/json/Json.h"

#include <memory>
#include <vector>

namespace weft::runtime {

/// Whether `<|endoftext|>` in a text is the mark of that name, or just those characters. Only BPE
/// has the mark.
enum class Marks { Recognised, Plain };

class Tokenizer {
public:
  virtual ~Tokenizer() = default;
  /// "bytes", "characters", "bpe".
  virtual const char *kind() const = 0;
  /// How many ids there are; ids are 0 to size - 1.
  virtual int64_t size() const = 0;
  /// Errors name the first character that the vocabulary lacks, and where it is.
  virtual Result<std::vector<int32_t>> encode(std::string_view text,
                                              Marks marks = Marks::Recognised) const = 0;
  /// The bytes of one token (not always whole characters); empty for an id that is none.
  virtual std::string decode(int32_t id) const = 0;
  /// The id that ends a text, where there is one.
  virtual std::optional<int32_t> endOfText() const { return std::nullopt; }
  /// What readTokenizer() makes this tokenizer of again. Format: docs/abi.md.
  virtual Json json() const = 0;
};

using TokenizerPtr = std::unique_ptr<Tokenizer>;

/// The 256 bytes.
TokenizerPtr byteTokenizer();
/// The characters of a text, in code point order. Errors: text that is not UTF-8.
Result<TokenizerPtr> characterTokenizer(std::string_view text);

/// Makes what `--tokenizer` asks for: `char`, `byte`, `bpe:N` (trained on `text`), `merges:FILE`
/// (GPT-2's vocab.bpe), or a FILE that was saved. Empty: what suits a model of so many ids. The
/// result never has more ids than `vocabulary` has.
Result<TokenizerPtr> makeTokenizer(const std::string &request, std::string_view text,
                                   const Dimension &vocabulary);

/// The same without a text to learn from: `byte`, `merges:FILE` or a saved FILE.
Result<TokenizerPtr> tokenizerWithoutText(const std::string &request);

/// A tokenizer from the file that json() went to.
Result<TokenizerPtr> readTokenizer(const std::string &path);

} // namespace weft::runtime
#endif

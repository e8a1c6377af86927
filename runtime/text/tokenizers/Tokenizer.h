// Text to token ids and back, whatever the kind of vocabulary.
#ifndef WEFT_RUNTIME_TEXT_TOKENIZERS_TOKENIZER_H
#define WEFT_RUNTIME_TEXT_TOKENIZERS_TOKENIZER_H

#include "runtime/base/Error.h"
#include "runtime/base/Json.h"

#include <memory>
#include <span>
#include <vector>

namespace weft::runtime {

/// Marks are special tokens: `<|endoftext|>`, `</s>`, `[MASK]`. Whether one that is spelled in a
/// text is the token of that name, or just those characters. Bytes and characters have no marks.
enum class Marks { Recognised, Plain };

/// Where a token stands in a text. Some vocabularies put a space before every word, and take it
/// away again from the first.
enum class Place { First, Later };

class Tokenizer {
public:
  virtual ~Tokenizer() = default;
  /// "bytes", "characters", "bpe", ….
  virtual const char *kind() const = 0;
  /// How many ids there are; ids are 0 to size - 1.
  virtual int64_t size() const = 0;
  /// Errors name the first character that the vocabulary lacks, and where it is.
  virtual Result<std::vector<int32_t>> encode(std::string_view text,
                                              Marks marks = Marks::Recognised) const = 0;
  /// The first word that encode() took for the unknown one, where the vocabulary is of words.
  virtual std::optional<std::string> unknownWord(std::string_view) const { return std::nullopt; }
  /// The bytes of one token (not always whole characters); empty for an id that is none, and for
  /// marks that are not text. TextDecoder and decodeText() keep account of the place.
  virtual std::string decode(int32_t id, Place place = Place::Later) const = 0;
  /// What people call a token that stands alone: its text; of a mark its spelling, or `<12>`.
  virtual std::string spelling(int32_t id) const;
  /// Where what follows a token stands.
  virtual Place after(int32_t, Place) const { return Place::Later; }
  /// The id that begins every text, and the one that ends it, where there are such; encode() adds
  /// neither.
  virtual std::optional<int32_t> startOfText() const { return std::nullopt; }
  virtual std::optional<int32_t> endOfText() const { return std::nullopt; }
  /// Whether a sentence to translate is followed by endOfText().
  virtual bool closes() const { return false; }
  /// Whether any text that is read whole is: BERT's [SEP]. Where a text is continued, none is.
  virtual bool frames() const { return false; }
  /// Whether the model has exactly these ids, rather than room for them.
  virtual bool fillsModel() const { return false; }
  /// The id that fills up what is too short, where there is one.
  virtual std::optional<int32_t> padding() const { return std::nullopt; }
  /// What readTokenizer() makes this tokenizer of again. Format: docs/abi.md.
  virtual Json json() const = 0;
};

using TokenizerPtr = std::unique_ptr<Tokenizer>;

/// The bytes of ids that come one after the other.
class TextDecoder {
public:
  /// `tokenizer` must outlive the decoder.
  explicit TextDecoder(const Tokenizer &tokenizer) : tokenizer(&tokenizer) {}
  std::string push(int32_t id) {
    std::string bytes = tokenizer->decode(id, place);
    place = tokenizer->after(id, place);
    return bytes;
  }

private:
  const Tokenizer *tokenizer;
  Place place = Place::First;
};

std::string decodeText(const Tokenizer &tokenizer, std::span<const int32_t> ids);
/// encode(), with startOfText() in front where there is one.
Result<std::vector<int32_t>> encodeFromStart(const Tokenizer &tokenizer, std::string_view text);
/// The same, with endOfText() behind it where the tokenizer frames(): the ids of one text as its
/// own post-processor makes them. A mark that the text spells itself is not doubled.
Result<std::vector<int32_t>> encodeWhole(const Tokenizer &tokenizer, std::string_view text);

/// The 256 bytes.
TokenizerPtr byteTokenizer();
/// The characters of a text, in code point order. Errors: text that is not UTF-8.
Result<TokenizerPtr> characterTokenizer(std::string_view text);

} // namespace weft::runtime
#endif

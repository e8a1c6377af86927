// Vocabularies of whole words, as translation uses them: text is cleaned, then split at spaces.
#ifndef WEFT_RUNTIME_TEXT_WORDS_WORDS_H
#define WEFT_RUNTIME_TEXT_WORDS_WORDS_H

#include "runtime/text/tokenizers/Tokenizer.h"

#include <span>
#include <unordered_map>

namespace weft::runtime {

/// How a text becomes words; all spaces separate, U+00A0 and U+202F too.
struct WordRules {
  bool lower = true;  // lower case
  bool spaced = true; // a space before each of , . ! ? that follows something else
  bool operator==(const WordRules &) const = default;
};

/// The words of a text, in order.
std::vector<std::string> wordsOf(std::string_view text, WordRules rules);

/// Ids that are no words. Empty names: the vocabulary has none.
struct WordMarks {
  std::string begin, end, padding, unknown;
};

/// The kind `words`. A word that the vocabulary lacks is the unknown mark; words that look like a
/// mark are unknown too.
class Words final : public Tokenizer {
public:
  struct Contents {
    std::vector<std::string> words; // by id, marks among them
    WordMarks marks;
    WordRules rules;
    bool closes = true; // whether a sentence is followed by the end mark
  };
  /// Errors: a word or mark twice, a mark that is no word, no unknown mark.
  static Result<TokenizerPtr> create(Contents contents);
  /// What json() gave. Errors: Value, which name the member or id that is wrong, not the file.
  static Result<TokenizerPtr> fromJson(const Json &json);
  /// A file with a token on each line: see wordsFromFile() in text/WordsKind.h.
  static Result<TokenizerPtr> fromFile(const std::string &path);

  const char *kind() const override { return "words"; }
  int64_t size() const override { return static_cast<int64_t>(contents.words.size()); }
  Result<std::vector<int32_t>> encode(std::string_view text, Marks) const override;
  /// A word, with a space before it but for the first; nothing for marks, except the unknown one.
  std::string decode(int32_t id, Place place = Place::Later) const override;
  std::string spelling(int32_t id) const override;
  std::optional<std::string> unknownWord(std::string_view text) const override;
  Place after(int32_t id, Place place) const override { return isText(id) ? Place::Later : place; }
  std::optional<int32_t> startOfText() const override { return idOf(contents.marks.begin); }
  std::optional<int32_t> endOfText() const override { return idOf(contents.marks.end); }
  bool closes() const override { return contents.closes; }
  /// Vocabularies of other projects do: they came with their model.
  bool fillsModel() const override { return !contents.closes; }
  Json json() const override;

  /// The ids of words, and behind them the end mark if sentences have one.
  std::vector<int32_t> sentence(const std::vector<std::string> &words) const;
  std::optional<int32_t> padding() const override { return idOf(contents.marks.padding); }
  int32_t unknown() const { return *idOf(contents.marks.unknown); }
  WordRules rules() const { return contents.rules; }

private:
  explicit Words(Contents contents) : contents(std::move(contents)) {}
  std::vector<int32_t> idsOf(const std::vector<std::string> &words) const;
  bool isText(int32_t id) const;
  std::optional<int32_t> idOf(const std::string &word) const;
  Contents contents;
  std::unordered_map<std::string, int32_t> ids;
};

/// The tokenizer as one of this kind, or nullptr.
const Words *asWords(const Tokenizer *tokenizer);

} // namespace weft::runtime
#endif

// Tokens beside those of the model: `added_tokens` of tokenizer.json.
#ifndef WEFT_RUNTIME_TEXT_PIPELINE_ADDEDTOKENS_H
#define WEFT_RUNTIME_TEXT_PIPELINE_ADDEDTOKENS_H

#include "runtime/text/pipeline/Models.h"
#include "runtime/text/pipeline/Normalizers.h"
#include "runtime/text/tokenizers/PrefixTrie.h"

namespace weft::runtime {

struct AddedToken {
  int32_t id;
  std::string content;
  bool special;               // a mark: decodes to nothing
  bool normalized;            // sought in the normalized text
  bool leftSpace, rightSpace; // takes the white space on that side with it
};

class AddedTokens {
public:
  /// Puts the tokens into the table of the model's, too. Errors: an id that another token has.
  static Result<AddedTokens> read(const Section &document, Tokens &tokens,
                                  const TextStep &normalize);

  const std::vector<AddedToken> &all() const { return tokens; }
  /// nullptr where the id is not of an added token.
  const AddedToken *find(int32_t id) const;
  std::optional<int32_t> idOf(std::string_view content) const;

  /// A stretch of text, or a token that is spelled there.
  struct Part {
    std::string_view text;
    const AddedToken *token; // nullptr: text
  };
  /// Takes the tokens out of a text that is normalized, or is not yet.
  std::vector<Part> split(std::string_view text, bool normalized) const;

private:
  std::vector<AddedToken> tokens;
  PrefixTrie raw, normal; // values are places in `tokens`
};

} // namespace weft::runtime
#endif

// WordPiece: always the longest token that goes on with the word. Wu et al. 2016.
#include "runtime/base/Utf8.h"
#include "runtime/text/pipeline/Models.h"
#include "runtime/text/tokenizers/PrefixTrie.h"

using namespace weft::runtime;

namespace {
class WordPieceModel final : public WordModel {
public:
  void encode(std::string_view word, std::vector<int32_t> &into) const override;

  PrefixTrie trie;
  int32_t within =
      PrefixTrie::root; // where tokens that go on with a word begin; none: there is none
  int32_t unknown = 0;
  int64_t longest = 0; // characters of a word; longer ones are unknown
};
} // namespace

void WordPieceModel::encode(std::string_view word, std::vector<int32_t> &into) const {
  int64_t characters = 0;
  for (std::string_view rest = word; !rest.empty(); ++characters)
    rest.remove_prefix(static_cast<size_t>(nextCodePoint(rest).length));
  size_t before = into.size();
  bool known = characters <= longest;
  for (int32_t from = PrefixTrie::root; known && !word.empty(); from = within) {
    PrefixTrie::Match match =
        from == PrefixTrie::none ? PrefixTrie::Match{} : trie.longest(word, from);
    known = match.length > 0;
    into.push_back(match.value);
    word.remove_prefix(match.length);
  }
  if (known)
    return;
  into.resize(before);
  into.push_back(unknown);
}

Result<std::unique_ptr<WordModel>> weft::runtime::wordPieceModel(const Section &section,
                                                                 const Tokens &tokens) {
  auto model = std::make_unique<WordPieceModel>();
  std::string unknown = section.string("unk_token", "[UNK]"),
              prefix = section.string("continuing_subword_prefix", "##");
  std::vector<PrefixTrie::Entry> entries;
  model->unknown = -1;
  for (size_t id = 0; id < tokens.size(); ++id) {
    if (!tokens[id].empty())
      entries.push_back({tokens[id], static_cast<int32_t>(id)});
    if (tokens[id] == unknown)
      model->unknown = static_cast<int32_t>(id);
  }
  if (model->unknown < 0)
    return section.error(
        text("`%s`, which stands for unknown words, is not in the vocabulary", unknown.c_str()));
  model->trie = PrefixTrie(std::move(entries));
  constexpr int64_t usual = 100;
  model->longest = section.integer("max_input_chars_per_word", usual);
  for (char c : prefix)
    if (model->within != PrefixTrie::none)
      model->within = model->trie.step(model->within, static_cast<unsigned char>(c));
  return std::unique_ptr<WordModel>(std::move(model));
}

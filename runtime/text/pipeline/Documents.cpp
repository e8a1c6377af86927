// Other files of such tokenizers, as the document that says the same.
#include "runtime/base/Utf8.h"
#include "runtime/text/pipeline/Pipeline.h"
#include "runtime/text/tokenizers/Bpe.h"

#include <unordered_map>

using namespace weft::runtime;

/// What is not in the files themselves.
static constexpr std::string_view bertDocument = R"({
"version": "1.0", "pre_tokenizer": {"type": "BertPreTokenizer"},
"normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true},
"decoder": {"type": "WordPiece", "prefix": "##", "cleanup": true},
"model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
          "max_input_chars_per_word": 100},
"post_processor": {"type": "TemplateProcessing", "single": [
  {"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
  {"SpecialToken": {"id": "[SEP]", "type_id": 0}}]}})";
static constexpr std::string_view gpt2Document = R"({
"version": "1.0", "decoder": {"type": "ByteLevel"}, "model": {"type": "BPE"},
"pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "use_regex": true}})";

static Json mark(const std::string &content, size_t id) {
  Json out = parseJson(R"({"special": true, "normalized": false, "lstrip": false,
                           "rstrip": false, "single_word": false})");
  out["id"] = id;
  out["content"] = content;
  return out;
}

/// The next line, without its end; `text` goes on behind it.
static std::string_view takeLine(std::string_view &text) {
  std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  if (line.ends_with('\r'))
    line.remove_suffix(1);
  return line;
}

static bool hasCapital(std::string_view token) {
  if (token.starts_with('[') && token.ends_with(']'))
    return false;
  for (char c : token)
    if (c >= 'A' && c <= 'Z')
      return true;
  return false;
}

Result<TokenizerPtr> weft::runtime::pipelineFromWordPieces(std::string_view lines) {
  Json vocabulary = Json::object(), marks = Json::array(), special = Json::object();
  bool capitals = false;
  for (size_t id = 0; !lines.empty(); ++id) {
    std::string token(takeLine(lines));
    if (token.empty() || !isUtf8(token))
      return Error{Code::Value,
                   text("line %zu is %s", id + 1,
                        token.empty() ? "empty, and every line is a token" : "not UTF-8")};
    auto [entry, isNew] = vocabulary.emplace(token, id);
    if (!isNew)
      return Error{Code::Value, text("line %zu: `%s` is line %zu, too", id + 1, token.c_str(),
                                     entry->get<size_t>() + 1)};
    capitals = capitals || hasCapital(token);
    for (const char *name : {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"})
      if (token == name) {
        marks.push_back(mark(token, id));
        special[token] = jsonObject(
            {{"id", token}, {"ids", Json::array({id})}, {"tokens", Json::array({token})}});
      }
  }
  Json document = parseJson(bertDocument);
  document["added_tokens"] = std::move(marks);
  document["normalizer"]["lowercase"] = !capitals;
  document["model"]["vocab"] = std::move(vocabulary);
  if (special.contains("[CLS]") && special.contains("[SEP]"))
    document["post_processor"]["special_tokens"] = std::move(special);
  else
    document.erase("post_processor");
  return pipelineFromJson(document);
}

Result<TokenizerPtr> weft::runtime::pipelineFromVocabulary(const Json &vocabulary,
                                                           std::string_view merges) {
  Json pairs = Json::array(), marks = Json::array();
  for (size_t line = 1; !merges.empty(); ++line) {
    std::string_view row = takeLine(merges);
    if (row.empty() || (line == 1 && row.starts_with("#version")))
      continue;
    pairs.push_back(std::string(row));
  }
  const std::string end(Bpe::endMark);
  if (auto found = vocabulary.find(end); found != vocabulary.end() && found->is_number_unsigned())
    marks.push_back(mark(end, found->get<size_t>()));
  Json document = parseJson(gpt2Document);
  document["added_tokens"] = std::move(marks);
  document["model"]["vocab"] = vocabulary;
  document["model"]["merges"] = std::move(pairs);
  return pipelineFromJson(document);
}

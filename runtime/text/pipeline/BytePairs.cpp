// The document that says the same.
#include "runtime/text/pipeline/BytePairs.h"

#include "runtime/text/pipeline/Pipeline.h"
#include "runtime/text/pipeline/PreTokenizers.h"

using namespace weft::runtime;

/// What a vocabulary fills in; texts, because code that makes documents is large.
static constexpr std::string_view frame = R"({
"version": "1.0", "decoder": {"type": "ByteLevel"}, "model": {"type": "BPE", "vocab": {}},
"pre_tokenizer": {"type": "Sequence", "pretokenizers": [
  {"type": "Digits", "individual_digits": true},
  {"type": "ByteLevel", "add_prefix_space": false}]},
"post_processor": {"type": "TemplateProcessing", "special_tokens": {}, "single": [
  {"SpecialToken": {"id": "", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}]}})";
static constexpr std::string_view splitAtPattern = R"({
"type": "Split", "behavior": "Isolated", "invert": false, "pattern": {"Regex": ""}})";
static constexpr std::string_view addedToken = R"({
"normalized": false, "lstrip": false, "rstrip": false, "single_word": false})";

/// Puts in what cuts texts.
static void cut(Json &stages, BytePairs::Cut cut) {
  bool byGpt2 = cut == BytePairs::Cut::Gpt2 || cut == BytePairs::Cut::DigitsThenGpt2;
  stages[1]["use_regex"] = byGpt2;
  if (cut == BytePairs::Cut::Gpt2)
    stages.erase(0);
  if (byGpt2)
    return;
  stages[0] = parseJson(splitAtPattern);
  stages[0]["pattern"]["Regex"] = cut == BytePairs::Cut::Gpt4 ? gpt4Pattern : qwen2Pattern;
}

/// Puts in the mark that texts begin with.
static void beginWith(Json &framing, const std::string &mark, int32_t id) {
  framing["single"][0]["SpecialToken"]["id"] = mark;
  Json &special = framing["special_tokens"][mark];
  special["id"] = mark;
  special["ids"] = Json::array({id});
  special["tokens"] = Json::array({mark});
}

Result<TokenizerPtr> weft::runtime::pipelineFromBytePairs(const BytePairs &vocabulary) {
  Json document = parseJson(frame), added = Json::array(), merges = Json::array();
  Json &model = document["model"], &ids = model["vocab"];
  for (size_t id = 0; id < vocabulary.tokens.size(); ++id) {
    const BytePairs::Token &token = vocabulary.tokens[id];
    auto [entry, isNew] = ids.emplace(token.text, id);
    if (!isNew)
      return Error{Code::Value, text("token %zu is token %zu, too", id, entry->get<size_t>())};
    if (!token.isMark && !token.added)
      continue;
    added.push_back(parseJson(addedToken));
    added.back()["id"] = id;
    added.back()["content"] = token.text;
    added.back()["special"] = token.isMark;
  }
  for (const std::string &merge : vocabulary.merges)
    merges.push_back(merge);
  model["merges"] = std::move(merges);
  model["ignore_merges"] = vocabulary.wholeWords;
  document["added_tokens"] = std::move(added);
  cut(document["pre_tokenizer"]["pretokenizers"], vocabulary.cut);
  for (std::optional<int32_t> mark : {vocabulary.start, vocabulary.end})
    if (mark && (*mark < 0 || *mark >= std::ssize(vocabulary.tokens)))
      return Error{Code::Value,
                   text("the mark %d is none of the %zu tokens", *mark, vocabulary.tokens.size())};
  if (vocabulary.start)
    beginWith(document["post_processor"],
              vocabulary.tokens[static_cast<size_t>(*vocabulary.start)].text, *vocabulary.start);
  else
    document.erase("post_processor");
  if (vocabulary.end)
    document["weft_end_of_text"] = *vocabulary.end;
  return pipelineFromJson(document);
}

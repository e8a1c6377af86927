// A text goes through the stages; words that come again are encoded once.
#include "runtime/text/pipeline/Pipeline.h"

#include "runtime/text/pipeline/AddedTokens.h"
#include "runtime/text/pipeline/Decoders.h"
#include "runtime/text/pipeline/Framing.h"
#include "runtime/text/pipeline/PreTokenizers.h"

using namespace weft::runtime;

namespace {
/// Lets a map of strings be searched for views.
struct ViewHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

class Pipeline final : public Tokenizer {
public:
  const char *kind() const override { return name.c_str(); }
  int64_t size() const override { return static_cast<int64_t>(tokens.size()); }
  Result<std::vector<int32_t>> encode(std::string_view text, Marks marks) const override;
  std::string decode(int32_t id, Place place) const override;
  std::string spelling(int32_t id) const override {
    bool isNamed = id >= 0 && id < size() && isMark(id);
    return isNamed ? tokens[static_cast<size_t>(id)] : Tokenizer::spelling(id);
  }
  Place after(int32_t id, Place place) const override;
  std::optional<int32_t> startOfText() const override { return framing.start; }
  std::optional<int32_t> endOfText() const override { return framing.end; }
  bool frames() const override { return framing.closes; }
  Json json() const override { return parseJson(document); }

  std::string name, document;
  Tokens tokens;
  TextStep normalize; // empty: nothing
  PreTokenization preTokenization;
  std::unique_ptr<WordModel> model;
  DecodeStep decoder;
  AddedTokens added;
  Framing framing;

private:
  using Ids = std::vector<int32_t>;
  class Encoding;
  bool isMark(int32_t id) const {
    const AddedToken *token = added.find(id);
    return id < 0 || id >= size() || (token && token->special);
  }
};

/// One text under way.
class Pipeline::Encoding {
public:
  explicit Encoding(const Pipeline &pipeline) : pipeline(pipeline) {}
  void addMarked(std::string_view text);
  void addText(std::string_view text, bool first, Marks marks);
  Ids ids;

private:
  void addWord(std::string_view word);
  const Pipeline &pipeline;
  std::unordered_map<std::string, Ids, ViewHash, std::equal_to<>> seen;
};
} // namespace

void Pipeline::Encoding::addWord(std::string_view word) {
  auto entry = seen.find(word);
  if (entry == seen.end()) {
    entry = seen.emplace(word, Ids()).first;
    pipeline.model->encode(word, entry->second);
  }
  ids.insert(ids.end(), entry->second.begin(), entry->second.end());
}

void Pipeline::Encoding::addText(std::string_view text, bool first, Marks marks) {
  std::string normalized = pipeline.normalize ? pipeline.normalize(std::string(text)) : "";
  if (pipeline.normalize)
    text = normalized;
  std::vector<AddedTokens::Part> parts{{text, nullptr}};
  if (marks == Marks::Recognised)
    parts = pipeline.added.split(text, true);
  for (const AddedTokens::Part &part : parts)
    if (part.token)
      ids.push_back(part.token->id);
    else if (pipeline.preTokenization.splitter)
      pipeline.preTokenization.splitter->split(
          {part.text, first && part.text.data() == text.data()},
          [this](Stretch word) { addWord(word.text); });
    else
      addWord(part.text);
}

void Pipeline::Encoding::addMarked(std::string_view text) {
  for (const AddedTokens::Part &part : pipeline.added.split(text, false))
    if (part.token)
      ids.push_back(part.token->id);
    else
      addText(part.text, part.text.data() == text.data(), Marks::Recognised);
}

Result<std::vector<int32_t>> Pipeline::encode(std::string_view text, Marks marks) const {
  Encoding encoding(*this);
  if (marks == Marks::Recognised)
    encoding.addMarked(text);
  else if (!text.empty())
    encoding.addText(text, true, marks);
  return std::move(encoding.ids);
}

std::string Pipeline::decode(int32_t id, Place place) const {
  return isMark(id) ? "" : decoder(tokens[static_cast<size_t>(id)], place);
}

Place Pipeline::after(int32_t id, Place place) const {
  return id == framing.start || (isMark(id) && place == Place::First) ? Place::First : Place::Later;
}

/// What a model ends a text with, where another file than tokenizer.json has said so.
static constexpr const char *endMember = "weft_end_of_text";

Result<TokenizerPtr> weft::runtime::pipelineFromJson(const Json &json) {
  Section document(&json, "tokenizer");
  auto section = [&](const char *name) { return Section(document.member(name), name); };
  auto pipeline = std::make_unique<Pipeline>();
  if (Section normalizer = section("normalizer")) {
    Result<TextStep> step = normalizerFrom(normalizer);
    if (!step)
      return step.error();
    pipeline->normalize = std::move(*step);
  }
  Result<PreTokenization> splitter = preTokenizationFrom(section("pre_tokenizer"));
  if (!splitter)
    return splitter.error();
  pipeline->preTokenization = std::move(*splitter);
  Result<ModelParts> model = modelFrom(section("model"), pipeline->preTokenization.byteLevel);
  if (!model)
    return model.error();
  pipeline->tokens = std::move(model->tokens);
  pipeline->model = std::move(model->model);
  Result<DecodeStep> decoder = decoderFrom(section("decoder"));
  if (!decoder)
    return decoder.error();
  pipeline->decoder = std::move(*decoder);
  Result<AddedTokens> added = AddedTokens::read(document, pipeline->tokens, pipeline->normalize);
  if (!added)
    return added.error();
  pipeline->added = std::move(*added);
  Result<Framing> framing = framingFrom(section("post_processor"), pipeline->added,
                                        static_cast<int32_t>(pipeline->tokens.size()));
  if (!framing)
    return framing.error();
  pipeline->framing = *framing;
  if (const Json *end = document.member(endMember); end && !framing->closes) {
    if (!isTokenId(*end) || end->get<int64_t>() >= pipeline->size())
      return document.error(text("`%s` is none of the %lld tokens", endMember,
                                 static_cast<long long>(pipeline->size())));
    pipeline->framing.end = end->get<int32_t>();
  }
  pipeline->name = section("model").type();
  Json kept = Json::object();
  for (const char *name : {"version", "added_tokens", "normalizer", "pre_tokenizer",
                           "post_processor", "decoder", "model", endMember})
    if (const Json *value = document.member(name))
      kept[name] = *value;
  pipeline->document = jsonText(kept);
  return TokenizerPtr(std::move(pipeline));
}

// The vocabulary in a GGUF file of llama.cpp: typed keys and values before the tensors.
#include "runtime/text/Gguf.h"

#include "runtime/base/GgufKeys.h"
#include "runtime/base/Utf8.h"
#include "runtime/text/pipeline/BytePairs.h"
#include "runtime/text/sentencepiece/Vocabulary.h"

using namespace weft::runtime;

namespace {
/// The keys that a vocabulary is made of.
struct Keys {
  std::string_view model, pre;
  std::vector<std::string_view> tokens, merges;
  std::vector<float> scores;
  std::vector<int32_t> kinds;
  std::optional<int32_t> start, end;
  std::optional<bool> startInFront;
  bool spaceInFront = true;
};
} // namespace

template <class T, class Read>
static std::vector<T> array(ByteReader &in, GgufType type, Read read) {
  std::vector<T> out;
  GgufType element{in.number<uint32_t>()};
  auto count = in.number<uint64_t>();
  if (element != type)
    in.fail();
  for (uint64_t i = 0; i < count && in.whole(); ++i)
    out.push_back(read());
  return out;
}

/// Reads a value into what it says; false where it says nothing of a vocabulary.
static bool use(ByteReader &in, std::string_view key, GgufType type, Keys &keys) {
  auto strings = [&] {
    return array<std::string_view>(in, GgufType::String, [&] { return ggufString(in); });
  };
  if (key == "tokenizer.ggml.model" && type == GgufType::String)
    keys.model = ggufString(in);
  else if (key == "tokenizer.ggml.pre" && type == GgufType::String)
    keys.pre = ggufString(in);
  else if (key == "tokenizer.ggml.tokens" && type == GgufType::Array)
    keys.tokens = strings();
  else if (key == "tokenizer.ggml.merges" && type == GgufType::Array)
    keys.merges = strings();
  else if (key == "tokenizer.ggml.scores" && type == GgufType::Array)
    keys.scores = array<float>(in, GgufType::Float32, [&] { return in.number<float>(); });
  else if (key == "tokenizer.ggml.token_type" && type == GgufType::Array)
    keys.kinds = array<int32_t>(in, GgufType::Int32, [&] { return in.number<int32_t>(); });
  else if (key == "tokenizer.ggml.bos_token_id" && type == GgufType::Uint32)
    keys.start = in.number<int32_t>();
  else if (key == "tokenizer.ggml.eos_token_id" && type == GgufType::Uint32)
    keys.end = in.number<int32_t>();
  else if (key == "tokenizer.ggml.add_space_prefix" && type == GgufType::Bool)
    keys.spaceInFront = in.number<unsigned char>() != 0;
  else if (key == "tokenizer.ggml.add_bos_token" && type == GgufType::Bool)
    keys.startInFront = in.number<unsigned char>() != 0;
  else
    return false;
  return true;
}

static Result<Keys> readKeys(std::string_view gguf, bool &isCut) {
  ByteReader in(gguf);
  Keys keys;
  auto read = readGgufKeys(
      in, [&](std::string_view key, GgufType type) { return use(in, key, type, keys); });
  isCut = in.endedEarly();
  if (!read)
    return read.error();
  return keys;
}

/// All tokens are text, and of a kind.
static Status checkTokens(const Keys &keys) {
  size_t count = keys.tokens.size();
  if (keys.kinds.size() != count)
    return Error{Code::Value, text("%zu tokens have %zu types", count, keys.kinds.size())};
  for (size_t id = 0; id < count; ++id)
    if (keys.kinds[id] < 1 || keys.kinds[id] > 6 || !isUtf8(keys.tokens[id]))
      return Error{Code::Value, text("token %zu is not UTF-8, or of a type that is none", id)};
  return success();
}

static Result<TokenizerPtr> sentencePieces(const Keys &keys) {
  using Vocabulary = SentencePieceVocabulary;
  if (keys.scores.size() != keys.tokens.size())
    return Error{Code::Value,
                 text("%zu tokens have %zu scores", keys.tokens.size(), keys.scores.size())};
  Vocabulary vocabulary{.algorithm = Vocabulary::Algorithm::Bpe,
                        .spaceInFront = keys.spaceInFront,
                        .removeExtraSpaces = false,
                        .byteFallback = true,
                        .keepInvalidBytes = true,
                        .cutsUserDefined = true,
                        .start = keys.startInFront.value_or(true) ? keys.start : std::nullopt,
                        .end = keys.end};
  for (size_t id = 0; id < keys.tokens.size(); ++id)
    vocabulary.pieces.push_back(
        {std::string(keys.tokens[id]), keys.scores[id], static_cast<PieceKind>(keys.kinds[id])});
  return sentencePieceTokenizer(std::move(vocabulary));
}

/// How texts are cut before anything is merged, by the names that llama.cpp has for it (its
/// src/llama-vocab.cpp), and what else goes by that name there.
static std::optional<BytePairs> cutAs(std::string_view pre) {
  using Cut = BytePairs::Cut;
  struct Named {
    std::string_view name;
    Cut cut;
    bool wholeWords = false; // a word that is a token is not merged; texts begin with their mark
  };
  static constexpr Named known[] = {{"gpt-2", Cut::Gpt2},
                                    {"phi-2", Cut::Gpt2},
                                    {"olmo", Cut::Gpt2},
                                    {"starcoder", Cut::DigitsThenGpt2},
                                    {"smollm", Cut::DigitsThenGpt2},
                                    {"refact", Cut::DigitsThenGpt2},
                                    {"command-r", Cut::DigitsThenGpt2},
                                    {"qwen2", Cut::Qwen2},
                                    {"llama-bpe", Cut::Gpt4, true},
                                    {"llama3", Cut::Gpt4, true},
                                    {"llama-v3", Cut::Gpt4, true},
                                    {"falcon3", Cut::Gpt4, true}};
  for (const Named &each : known)
    if (each.name == pre)
      return BytePairs{.cut = each.cut, .wholeWords = each.wholeWords};
  return std::nullopt;
}

static Result<TokenizerPtr> bytePairs(const Keys &keys) {
  std::optional<BytePairs> vocabulary = cutAs(keys.pre);
  if (!vocabulary)
    return Error{Code::Value,
                 text("%s%s%s (tokenizer.ggml.pre); Weft knows GPT-2's, Llama 3's, Qwen 2's and "
                      "StarCoder's. Give the model's tokenizer.json",
                      keys.pre.empty() ? "it does not say how texts are cut"
                                       : "its way to cut texts is not known: `",
                      shownGgufName(keys.pre).c_str(), keys.pre.empty() ? "" : "`")};
  bool starts = keys.startInFront.value_or(vocabulary->wholeWords);
  vocabulary->start = starts ? keys.start : std::nullopt;
  vocabulary->end = keys.end;
  for (size_t id = 0; id < keys.tokens.size(); ++id) {
    auto kind = static_cast<PieceKind>(keys.kinds[id]);
    vocabulary->tokens.push_back(
        {std::string(keys.tokens[id]), kind == PieceKind::Control, kind == PieceKind::UserDefined});
  }
  for (std::string_view merge : keys.merges) {
    if (!isUtf8(merge))
      return Error{Code::Value, text("merge %zu is not UTF-8", vocabulary->merges.size())};
    vocabulary->merges.emplace_back(merge);
  }
  return pipelineFromBytePairs(*vocabulary);
}

Result<TokenizerPtr> weft::runtime::tokenizerFromGguf(std::string_view gguf, bool &isCut) {
  Result<Keys> keys = readKeys(gguf, isCut);
  if (!keys)
    return keys.error();
  if (keys->model.empty())
    return Error{Code::Value, "it holds no vocabulary (tokenizer.ggml.model)"};
  if (keys->model != "llama" && keys->model != "gpt2")
    return Error{Code::Value, text("the vocabulary's kind is `%s`; of GGUF files Weft reads "
                                   "`llama` and `gpt2`",
                                   shownGgufName(keys->model).c_str())};
  if (Status status = checkTokens(*keys); !status)
    return status.error();
  return keys->model == "llama" ? sentencePieces(*keys) : bytePairs(*keys);
}

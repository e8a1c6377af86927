// The vocabulary in a GGUF file of llama.cpp: typed keys and values before the tensors.
#include "runtime/base/GgufKeys.h"
#include "runtime/base/Utf8.h"
#include "runtime/text/sentencepiece/Vocabulary.h"

using namespace weft::runtime;

using Vocabulary = SentencePieceVocabulary;

namespace {
/// The keys that a vocabulary is made of.
struct Keys {
  std::string_view model;
  std::vector<std::string_view> tokens;
  std::vector<float> scores;
  std::vector<int32_t> kinds;
  std::optional<int32_t> start, end;
  bool spaceInFront = true, startInFront = true;
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
  if (key == "tokenizer.ggml.model" && type == GgufType::String)
    keys.model = ggufString(in);
  else if (key == "tokenizer.ggml.tokens" && type == GgufType::Array)
    keys.tokens = array<std::string_view>(in, GgufType::String, [&] { return ggufString(in); });
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

static Result<Keys> readKeys(std::string_view gguf) {
  ByteReader in(gguf);
  Keys keys;
  auto read = readGgufKeys(
      in, [&](std::string_view key, GgufType type) { return use(in, key, type, keys); });
  if (!read)
    return read.error();
  return keys;
}

Result<TokenizerPtr> weft::runtime::sentencePieceFromGguf(std::string_view gguf) {
  Result<Keys> keys = readKeys(gguf);
  if (!keys)
    return keys.error();
  if (keys->model != "llama")
    return Error{Code::Value,
                 keys->model.empty()
                     ? std::string("it holds no vocabulary (tokenizer.ggml.model)")
                     : text("the vocabulary's kind is `%s`; of GGUF files Weft reads `llama` only",
                            std::string(keys->model.substr(0, 60)).c_str())};
  size_t count = keys->tokens.size();
  if (keys->scores.size() != count || keys->kinds.size() != count)
    return Error{Code::Value, text("%zu tokens have %zu scores and %zu types", count,
                                   keys->scores.size(), keys->kinds.size())};
  Vocabulary vocabulary{.algorithm = Vocabulary::Algorithm::Bpe,
                        .spaceInFront = keys->spaceInFront,
                        .removeExtraSpaces = false,
                        .byteFallback = true,
                        .keepInvalidBytes = true,
                        .cutsUserDefined = true,
                        .start = keys->startInFront ? keys->start : std::nullopt,
                        .end = keys->end};
  for (size_t id = 0; id < count; ++id) {
    if (keys->kinds[id] < 1 || keys->kinds[id] > 6 || !isUtf8(keys->tokens[id]))
      return Error{Code::Value, text("token %zu is not UTF-8, or of a type that is none", id)};
    vocabulary.pieces.push_back(
        {std::string(keys->tokens[id]), keys->scores[id], static_cast<PieceKind>(keys->kinds[id])});
  }
  return sentencePieceTokenizer(std::move(vocabulary));
}

// The vocabulary in a GGUF file of llama.cpp: typed keys and values before the tensors.
#include "runtime/base/Utf8.h"
#include "runtime/text/sentencepiece/ByteReader.h"
#include "runtime/text/sentencepiece/Vocabulary.h"

using namespace weft::runtime;

using Vocabulary = SentencePieceVocabulary;

namespace {
/// GGUF's types of values, and how many bytes each has; 0 for those of no fixed size.
enum Type : uint32_t { Uint32 = 4, Int32 = 5, Float32 = 6, Bool = 7, String = 8, Array = 9 };
constexpr size_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};

/// The keys that a vocabulary is made of.
struct Keys {
  std::string_view model;
  std::vector<std::string_view> tokens;
  std::vector<float> scores;
  std::vector<int32_t> kinds;
  std::optional<int32_t> start, end;
  bool spaceInFront = true, startInFront = true;
};

class GgufReader {
public:
  explicit GgufReader(std::string_view bytes) : in(bytes) {}
  Result<Keys> read();

private:
  std::string_view string() { return in.bytes(in.number<uint64_t>()); }
  void skip(uint32_t type);
  template <class T, class Read> std::vector<T> array(uint32_t type, Read read);
  void value(std::string_view key, uint32_t type, Keys &keys);
  ByteReader in;
};
} // namespace

void GgufReader::skip(uint32_t type) {
  if (type == String) {
    string();
  } else if (type == Array) {
    auto element = in.number<uint32_t>();
    auto count = in.number<uint64_t>();
    bool nested = element == Array || element >= std::size(sizes);
    if (nested || (sizes[element] > 0 && count > UINT64_MAX / 8))
      in.fail();
    else if (element == String)
      for (uint64_t i = 0; i < count && in.whole(); ++i)
        string();
    else
      in.bytes(count * sizes[element]);
  } else if (type < std::size(sizes)) {
    in.bytes(sizes[type]);
  } else {
    in.fail();
  }
}

template <class T, class Read> std::vector<T> GgufReader::array(uint32_t type, Read read) {
  std::vector<T> out;
  auto element = in.number<uint32_t>();
  auto count = in.number<uint64_t>();
  if (element != type)
    in.fail();
  for (uint64_t i = 0; i < count && in.whole(); ++i)
    out.push_back(read());
  return out;
}

void GgufReader::value(std::string_view key, uint32_t type, Keys &keys) {
  if (key == "tokenizer.ggml.model" && type == String)
    keys.model = string();
  else if (key == "tokenizer.ggml.tokens" && type == Array)
    keys.tokens = array<std::string_view>(String, [&] { return string(); });
  else if (key == "tokenizer.ggml.scores" && type == Array)
    keys.scores = array<float>(Float32, [&] { return in.number<float>(); });
  else if (key == "tokenizer.ggml.token_type" && type == Array)
    keys.kinds = array<int32_t>(Int32, [&] { return in.number<int32_t>(); });
  else if (key == "tokenizer.ggml.bos_token_id" && type == Uint32)
    keys.start = in.number<int32_t>();
  else if (key == "tokenizer.ggml.eos_token_id" && type == Uint32)
    keys.end = in.number<int32_t>();
  else if (key == "tokenizer.ggml.add_space_prefix" && type == Bool)
    keys.spaceInFront = in.number<unsigned char>() != 0;
  else if (key == "tokenizer.ggml.add_bos_token" && type == Bool)
    keys.startInFront = in.number<unsigned char>() != 0;
  else
    skip(type);
}

Result<Keys> GgufReader::read() {
  in.bytes(4); // the magic
  auto version = in.number<uint32_t>();
  if (in.whole() && version != 2 && version != 3)
    return Error{Code::Value, text("its version is %u, expected 2 or 3", version)};
  in.number<uint64_t>(); // how many tensors
  auto count = in.number<uint64_t>();
  Keys keys;
  for (uint64_t i = 0; i < count && in.whole(); ++i) {
    std::string_view key = string();
    auto type = in.number<uint32_t>();
    size_t place = in.position();
    value(key, type, keys);
    if (!in.whole())
      return Error{Code::Value,
                   text("the value of `%.*s` at byte %zu is not whole",
                        static_cast<int>(std::min<size_t>(key.size(), 60)), key.data(), place)};
  }
  if (!in.whole())
    return Error{Code::Value, "its header is broken off"};
  return keys;
}

Result<TokenizerPtr> weft::runtime::sentencePieceFromGguf(std::string_view gguf) {
  Result<Keys> keys = GgufReader(gguf).read();
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

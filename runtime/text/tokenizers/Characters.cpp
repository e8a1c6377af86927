// The tokenizers without training: bytes, and the characters of a text.
#include "runtime/base/Utf8.h"
#include "runtime/text/tokenizers/FromJson.h"
#include "runtime/text/tokenizers/Tokenizer.h"

#include <algorithm>
#include <set>

using namespace weft::runtime;

namespace {
class Bytes final : public Tokenizer {
public:
  const char *kind() const override { return "bytes"; }
  int64_t size() const override { return 256; }
  Result<std::vector<int32_t>> encode(std::string_view text, Marks) const override {
    std::vector<int32_t> ids;
    for (char c : text)
      ids.push_back(static_cast<unsigned char>(c));
    return ids;
  }
  std::string decode(int32_t id, Place) const override {
    return id >= 0 && id < 256 ? std::string(1, static_cast<char>(id)) : "";
  }
  Json json() const override { return jsonObject({{"weft_tokenizer", 1}, {"kind", kind()}}); }
};

class Characters final : public Tokenizer {
public:
  explicit Characters(std::vector<uint32_t> characters) : characters(std::move(characters)) {}
  const char *kind() const override { return "characters"; }
  int64_t size() const override { return static_cast<int64_t>(characters.size()); }
  Result<std::vector<int32_t>> encode(std::string_view text, Marks) const override;
  std::string decode(int32_t id, Place) const override {
    return id >= 0 && id < size() ? toUtf8(characters[static_cast<size_t>(id)]) : "";
  }
  Json json() const override;

private:
  std::vector<uint32_t> characters; // sorted; the id is the position
};
} // namespace

/// A character so that a person can tell which it is: "é (U+00E9)", "U+0009".
static std::string spelled(uint32_t character) {
  bool visible = character > 0x20 && (character < 0x7f || character > 0xa0);
  return visible ? text("`%s` (U+%04X)", toUtf8(character).c_str(), character)
                 : text("U+%04X", character);
}

Result<std::vector<int32_t>> Characters::encode(std::string_view all, Marks) const {
  std::vector<int32_t> ids;
  for (size_t i = 0; i < all.size();) {
    CodePoint point = nextCodePoint(all.substr(i));
    if (point.value == CodePoint::invalid)
      return Error{Code::Value, text("the text is not UTF-8 at byte %zu", i)};
    auto found = std::lower_bound(characters.begin(), characters.end(), point.value);
    if (found == characters.end() || *found != point.value)
      return Error{
          Code::Value,
          text("the character %s at byte %zu is not in the vocabulary of %zu characters; leave "
               "it out, or train with --tokenizer bpe:N or byte, which take any text",
               spelled(point.value).c_str(), i, characters.size())};
    ids.push_back(static_cast<int32_t>(found - characters.begin()));
    i += static_cast<size_t>(point.length);
  }
  return ids;
}

Json Characters::json() const {
  std::string all;
  for (uint32_t character : characters)
    all += toUtf8(character);
  return jsonObject({{"weft_tokenizer", 1}, {"kind", kind()}, {"characters", all}});
}

TokenizerPtr weft::runtime::byteTokenizer() {
  return std::make_unique<Bytes>();
}

Result<TokenizerPtr> weft::runtime::characterTokenizer(std::string_view all) {
  std::set<uint32_t> characters;
  for (size_t i = 0; i < all.size();) {
    CodePoint point = nextCodePoint(all.substr(i));
    if (point.value == CodePoint::invalid)
      return Error{Code::Value,
                   text("the text is not UTF-8 at byte %zu; --tokenizer byte takes anything", i)};
    characters.insert(point.value);
    i += static_cast<size_t>(point.length);
  }
  return TokenizerPtr(
      std::make_unique<Characters>(std::vector<uint32_t>(characters.begin(), characters.end())));
}

Result<TokenizerPtr> weft::runtime::charactersFromJson(const Json &json) {
  auto found = json.find("characters");
  if (found == json.end() || !found->is_string() || found->get_ref<const std::string &>().empty())
    return Error{Code::Value, "`characters` is missing"};
  return characterTokenizer(found->get_ref<const std::string &>());
}

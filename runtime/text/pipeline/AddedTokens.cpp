// Finding the added tokens in a text.
#include "runtime/text/pipeline/AddedTokens.h"

#include "runtime/base/Utf8.h"
#include "runtime/text/tokenizers/Marks.h"
#include "runtime/text/unicode/Classes.h"

using namespace weft::runtime;

Result<AddedTokens> AddedTokens::read(const Section &document, Tokens &table,
                                      const TextStep &normalize) {
  AddedTokens out;
  for (const Section &entry : document.list("added_tokens")) {
    const Json *id = entry.member("id");
    AddedToken token{0,
                     entry.string("content"),
                     entry.flag("special"),
                     entry.flag("normalized"),
                     entry.flag("lstrip"),
                     entry.flag("rstrip")};
    if (!id || !isTokenId(*id) || token.content.empty())
      return entry.error("has no `id` or no `content`");
    if (entry.flag("single_word"))
      return entry.error("`single_word` is not read");
    token.id = id->get<int32_t>();
    auto place = static_cast<size_t>(token.id);
    table.resize(std::max(table.size(), place + 1));
    if (!table[place].empty() && table[place] != token.content)
      return entry.error(text("id %d is `%s` in the model, `%s` here", token.id,
                              table[place].c_str(), token.content.c_str()));
    table[place] = token.content;
    out.tokens.push_back(std::move(token));
  }
  std::vector<std::string> spelled;
  std::vector<PrefixTrie::Entry> raw, normal;
  spelled.reserve(out.tokens.size());
  for (size_t i = 0; i < out.tokens.size(); ++i) {
    const AddedToken &token = out.tokens[i];
    spelled.push_back(token.normalized && normalize ? normalize(token.content) : token.content);
    if (!spelled.back().empty())
      (token.normalized ? normal : raw).push_back({spelled.back(), static_cast<int32_t>(i)});
  }
  out.raw = PrefixTrie(std::move(raw));
  out.normal = PrefixTrie(std::move(normal));
  return out;
}

const AddedToken *AddedTokens::find(int32_t id) const {
  for (const AddedToken &token : tokens)
    if (token.id == id)
      return &token;
  return nullptr;
}

std::optional<int32_t> AddedTokens::idOf(std::string_view content) const {
  for (const AddedToken &token : tokens)
    if (token.content == content)
      return token.id;
  return std::nullopt;
}

/// Without the white space at its beginning, or at its end.
static std::string_view stripped(std::string_view text, bool left, bool right) {
  while (left && !text.empty() && isSpace(nextCodePoint(text).value))
    text.remove_prefix(static_cast<size_t>(nextCodePoint(text).length));
  while (right && !text.empty()) {
    size_t last = text.size() - 1;
    while (last > 0 && text.size() - last < 4 && (text[last] & 0xc0) == 0x80)
      --last;
    CodePoint point = nextCodePoint(text.substr(last));
    if (!isSpace(point.value) || last + static_cast<size_t>(point.length) != text.size())
      break;
    text = text.substr(0, last);
  }
  return text;
}

std::vector<AddedTokens::Part> AddedTokens::split(std::string_view text, bool normalized) const {
  std::vector<Part> parts;
  const AddedToken *before = nullptr;
  for (MarkedText rest(normalized ? normal : raw, text); rest.next();) {
    const AddedToken *token =
        rest.mark() == PrefixTrie::none ? nullptr : &tokens[static_cast<size_t>(rest.mark())];
    std::string_view between =
        stripped(rest.before(), before && before->rightSpace, token && token->leftSpace);
    if (!between.empty())
      parts.push_back({between, nullptr});
    if (token)
      parts.push_back({{}, token});
    before = token;
  }
  return parts;
}

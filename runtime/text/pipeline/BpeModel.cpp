// Byte pair encoding by a list of merges, on characters or on bytes.
#include "runtime/base/Utf8.h"
#include "runtime/text/pipeline/Models.h"
#include "runtime/text/tokenizers/ByteLevel.h"
#include "runtime/text/tokenizers/MergeTable.h"

using namespace weft::runtime;

namespace {
class BpeModel final : public WordModel {
public:
  void encode(std::string_view word, std::vector<int32_t> &into) const override;

  TokenIds ids;
  MergeTable merges;
  std::array<int32_t, 256> byBytes; // -1: no token
  bool byteLevel = false, wholeWords = false, byteFallback = false, fusesUnknown = false;
  int32_t unknown = -1;

private:
  void appendUnknown(std::string_view character, std::vector<int32_t> &symbols) const;
};
} // namespace

void BpeModel::appendUnknown(std::string_view character, std::vector<int32_t> &symbols) const {
  bool bytes = byteFallback;
  for (char c : character)
    bytes = bytes && byBytes[static_cast<unsigned char>(c)] >= 0;
  if (bytes)
    for (char c : character)
      symbols.push_back(byBytes[static_cast<unsigned char>(c)]);
  else if (unknown >= 0 && !(fusesUnknown && !symbols.empty() && symbols.back() == unknown))
    symbols.push_back(unknown);
}

void BpeModel::encode(std::string_view word, std::vector<int32_t> &into) const {
  if (wholeWords) {
    std::string spelled = byteLevel ? spelledAsCharacters(word) : std::string(word);
    if (auto found = ids.find(spelled); found != ids.end())
      return into.push_back(found->second);
  }
  std::vector<int32_t> symbols;
  for (std::string_view rest = word; !rest.empty();) {
    size_t length = byteLevel ? 1 : static_cast<size_t>(nextCodePoint(rest).length);
    std::string_view character = rest.substr(0, length);
    rest.remove_prefix(length);
    int32_t id = -1;
    if (byteLevel)
      id = byBytes[static_cast<unsigned char>(character[0])];
    else if (auto found = ids.find(character); found != ids.end())
      id = found->second;
    if (id >= 0)
      symbols.push_back(id);
    else
      appendUnknown(character, symbols);
  }
  merges.apply(symbols);
  into.insert(into.end(), symbols.begin(), symbols.end());
}

/// A merge is "left right", or ["left", "right"] where tokens have spaces.
static std::optional<std::pair<std::string, std::string>> halvesOf(const Json &merge) {
  if (merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string())
    return std::pair(merge[0].get<std::string>(), merge[1].get<std::string>());
  if (!merge.is_string())
    return std::nullopt;
  const auto &line = merge.get_ref<const std::string &>();
  size_t space = line.find(' ');
  if (space == std::string::npos)
    return std::nullopt;
  return std::pair(line.substr(0, space), line.substr(space + 1));
}

static Status addMerges(const Section &section, BpeModel &model) {
  const Json *merges = section.member("merges");
  if (!merges || !merges->is_array())
    return section.error("`merges` is missing");
  int32_t rank = 0;
  for (const Json &merge : *merges) {
    auto halves = halvesOf(merge);
    if (!halves)
      return section.error(text("merges[%d] is not of two tokens", rank));
    const std::string both[] = {halves->first, halves->second, halves->first + halves->second};
    int32_t ids[3];
    for (int i = 0; i < 3; ++i) {
      auto found = model.ids.find(both[i]);
      if (found == model.ids.end())
        return section.error(
            text("merges[%d]: `%s` is not in the vocabulary", rank, both[i].c_str()));
      ids[i] = found->second;
    }
    model.merges.add(ids[0], ids[1], {rank++, ids[2]});
  }
  return success();
}

Result<std::unique_ptr<WordModel>> weft::runtime::bpeModel(const Section &section,
                                                           const Tokens &tokens, bool byteLevel) {
  for (const char *name : {"continuing_subword_prefix", "end_of_word_suffix"})
    if (!section.string(name).empty())
      return section.error(text("`%s` is not read", name));
  if (const Json *dropout = section.member("dropout");
      dropout && dropout->is_number() && *dropout > 0)
    return section.error("`dropout` would make encodings random");
  auto model = std::make_unique<BpeModel>();
  for (size_t id = 0; id < tokens.size(); ++id)
    if (!tokens[id].empty())
      model->ids.emplace(tokens[id], static_cast<int32_t>(id));
  auto idOf = [&](const std::string &token) {
    auto found = model->ids.find(token);
    return found == model->ids.end() ? -1 : found->second;
  };
  model->byteLevel = byteLevel;
  model->wholeWords = section.flag("ignore_merges");
  model->byteFallback = section.flag("byte_fallback");
  model->fusesUnknown = section.flag("fuse_unk");
  model->unknown = idOf(section.string("unk_token"));
  for (int byte = 0; byte < 256; ++byte) {
    auto character = static_cast<char>(byte);
    model->byBytes[byte] =
        idOf(byteLevel ? spelledAsCharacters({&character, 1}) : text("<0x%02X>", byte));
  }
  if (Status status = addMerges(section, *model); !status)
    return status.error();
  return std::unique_ptr<WordModel>(std::move(model));
}

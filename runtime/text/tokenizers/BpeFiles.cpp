// BPE in files: GPT-2's list of merges, and the JSON of Bpe::json().
#include "runtime/base/files/InputFile.h"
#include "runtime/text/tokenizers/Bpe.h"
#include "runtime/text/tokenizers/FromJson.h"

#include <unordered_map>

using namespace weft::runtime;

Result<TokenizerPtr> weft::runtime::bpeFromMerges(const std::string &path) {
  Result<WholeFile> file = WholeFile::read(path);
  if (!file)
    return file.error();
  std::unordered_map<std::string, int32_t> ids;
  for (int32_t id = 0; id < 256; ++id)
    ids[std::string(1, static_cast<char>(bytesById()[static_cast<size_t>(id)]))] = id;
  std::vector<Bpe::Merge> merges;
  std::string_view rest = file->view();
  for (int line = 1; !rest.empty(); ++line) {
    std::string_view row = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(row.size() + 1, rest.size()));
    if (row.empty() || (line == 1 && row.starts_with("#version")))
      continue;
    size_t space = row.find(' ');
    auto left = bytesSpelled(row.substr(0, space));
    auto right =
        space == std::string_view::npos ? std::nullopt : bytesSpelled(row.substr(space + 1));
    if (!left || !right || !ids.count(*left) || !ids.count(*right))
      return Error{Code::File, text("%s:%d: is not a merge of two tokens that exist before it",
                                    path.c_str(), line)};
    merges.emplace_back(ids[*left], ids[*right]);
    ids.emplace(*left + *right, 256 + static_cast<int32_t>(merges.size()) - 1);
  }
  return TokenizerPtr(std::make_unique<Bpe>(std::move(merges)));
}

Json Bpe::json() const {
  Json pairs = Json::array();
  for (auto [left, right] : merges)
    pairs.push_back(Json::array({left, right}));
  return jsonObject({{"weft_tokenizer", 1}, {"kind", kind()}, {"merges", pairs}});
}

Result<TokenizerPtr> weft::runtime::bpeFromJson(const Json &json) {
  std::vector<Bpe::Merge> merges;
  std::vector<uint64_t> lengths(256, 1); // each merge may double a token's
  constexpr uint64_t most = uint64_t{1} << 28;
  uint64_t bytes = 0;
  auto found = json.find("merges");
  if (found == json.end() || !found->is_array() || found->size() > static_cast<size_t>(bpeMostSize))
    return Error{Code::Value, "`merges` is missing"};
  for (const Json &pair : *found) {
    auto known = [&](const Json &id) {
      return id.is_number_unsigned() && id < 256 + merges.size();
    };
    if (!pair.is_array() || pair.size() != 2 || !known(pair[0]) || !known(pair[1]))
      return Error{Code::Value, text("merge %zu is not a pair of earlier ids", merges.size())};
    merges.emplace_back(pair[0].get<int32_t>(), pair[1].get<int32_t>());
    auto [left, right] = merges.back();
    lengths.push_back(lengths[static_cast<size_t>(left)] + lengths[static_cast<size_t>(right)]);
    if ((bytes += lengths.back()) > most)
      return Error{Code::Value, text("merge %zu: so far the tokens are more than %llu bytes",
                                     merges.size() - 1, static_cast<unsigned long long>(most))};
  }
  return TokenizerPtr(std::make_unique<Bpe>(std::move(merges)));
}

// Encoding and decoding by byte pairs.
#include "runtime/text/tokenizers/Bpe.h"

#include "runtime/text/tokenizers/Pieces.h"

#include <unordered_map>

using namespace weft::runtime;

Bpe::Bpe(std::vector<Merge> merges_) : merges(std::move(merges_)) {
  for (unsigned char byte : bytesById())
    tokens.emplace_back(1, static_cast<char>(byte));
  for (auto [left, right] : merges) {
    auto id = static_cast<int32_t>(tokens.size());
    table.add(left, right, {id, id});
    tokens.push_back(tokens[static_cast<size_t>(left)] + tokens[static_cast<size_t>(right)]);
  }
}

std::vector<int32_t> Bpe::encodePiece(std::string_view piece) const {
  std::vector<int32_t> ids;
  for (char c : piece)
    ids.push_back(idsByByte()[static_cast<unsigned char>(c)]);
  table.apply(ids);
  return ids;
}

Result<std::vector<int32_t>> Bpe::encode(std::string_view text, Marks marks) const {
  std::vector<int32_t> ids;
  std::unordered_map<std::string_view, std::vector<int32_t>> seen;
  while (!text.empty()) {
    size_t special =
        marks == Marks::Plain ? text.size() : std::min(text.find(endMark), text.size());
    for (size_t i = 0; i < special;) {
      std::string_view piece = text.substr(i, firstPiece(text.substr(i, special - i)));
      auto [entry, isNew] = seen.try_emplace(piece);
      if (isNew)
        entry->second = encodePiece(piece);
      ids.insert(ids.end(), entry->second.begin(), entry->second.end());
      i += piece.size();
    }
    if (special == text.size())
      break;
    ids.push_back(static_cast<int32_t>(tokens.size()));
    text.remove_prefix(special + endMark.size());
  }
  return ids;
}

std::string Bpe::decode(int32_t id, Place) const {
  if (id == static_cast<int32_t>(tokens.size()))
    return std::string(endMark);
  return id >= 0 && id < static_cast<int32_t>(tokens.size()) ? tokens[static_cast<size_t>(id)] : "";
}

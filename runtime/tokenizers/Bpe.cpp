// Encoding and decoding by byte pairs.
#include "runtime/tokenizers/Bpe.h"

#include "runtime/tokenizers/Pieces.h"

#include <queue>

using namespace weft::runtime;

const std::vector<unsigned char> &weft::runtime::bytesById() {
  static const std::vector<unsigned char> order = [] {
    std::vector<unsigned char> out;
    auto visible = [](int byte) {
      return (byte >= '!' && byte <= '~') || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
    };
    for (bool wanted : {true, false}) // those with a visible character of their own come first
      for (int byte = 0; byte < 256; ++byte)
        if (visible(byte) == wanted)
          out.push_back(static_cast<unsigned char>(byte));
    return out;
  }();
  return order;
}

const std::vector<int32_t> &weft::runtime::idsByByte() {
  static const std::vector<int32_t> ids = [] {
    std::vector<int32_t> out(256);
    for (int32_t id = 0; id < 256; ++id)
      out[bytesById()[static_cast<size_t>(id)]] = id;
    return out;
  }();
  return ids;
}

static uint64_t pairKey(int32_t left, int32_t right) {
  return static_cast<uint64_t>(left) << 32 | static_cast<uint32_t>(right);
}

Bpe::Bpe(std::vector<Merge> merges_) : merges(std::move(merges_)) {
  for (unsigned char byte : bytesById())
    tokens.emplace_back(1, static_cast<char>(byte));
  for (auto [left, right] : merges) {
    mergedByPair.emplace(pairKey(left, right),
                         static_cast<int32_t>(tokens.size())); // the first of equal merges counts
    tokens.push_back(tokens[static_cast<size_t>(left)] + tokens[static_cast<size_t>(right)]);
  }
}

/// Merges the pair with the lowest id first, the leftmost of equals, until none is left: a linked
/// list of parts and a queue of pairs, so a long piece costs n log n.
std::vector<int32_t> Bpe::encodePiece(std::string_view piece) const {
  struct Part {
    int32_t id; // -1: merged into the one before
    int64_t previous, next;
  };
  struct Pair {
    int32_t merged;
    int64_t at;
    int32_t left, right;
    bool operator<(const Pair &other) const {
      return std::tie(merged, at) > std::tie(other.merged, other.at);
    }
  };
  auto count = static_cast<int64_t>(piece.size());
  std::vector<Part> parts(piece.size());
  std::priority_queue<Pair> queue;
  auto consider = [&](int64_t at) {
    int64_t next = at < 0 ? count : parts[at].next;
    if (next >= count)
      return;
    auto found = mergedByPair.find(pairKey(parts[at].id, parts[next].id));
    if (found != mergedByPair.end())
      queue.push({found->second, at, parts[at].id, parts[next].id});
  };
  for (int64_t i = 0; i < count; ++i)
    parts[i] = {idsByByte()[static_cast<unsigned char>(piece[i])], i - 1, i + 1};
  for (int64_t i = 0; i < count; ++i)
    consider(i);
  while (!queue.empty()) {
    Pair pair = queue.top();
    queue.pop();
    Part &left = parts[pair.at];
    if (left.id != pair.left || left.next >= count || parts[left.next].id != pair.right)
      continue; // merged otherwise meanwhile
    Part &right = parts[left.next];
    left.id = pair.merged;
    right.id = -1;
    left.next = right.next;
    if (left.next < count)
      parts[left.next].previous = pair.at;
    consider(left.previous);
    consider(pair.at);
  }
  std::vector<int32_t> ids;
  for (int64_t i = 0; i < count; i = parts[i].next)
    ids.push_back(parts[i].id);
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

std::string Bpe::decode(int32_t id) const {
  if (id == static_cast<int32_t>(tokens.size()))
    return std::string(endMark);
  return id >= 0 && id < static_cast<int32_t>(tokens.size()) ? tokens[static_cast<size_t>(id)] : "";
}

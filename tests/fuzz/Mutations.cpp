// Mutations that need to know nothing of what they change.
#include "tests/fuzz/Mutations.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace weft::fuzz {
namespace {

size_t below(size_t end, Random &random) {
  return end == 0 ? 0 : static_cast<size_t>(random() % end);
}

/// What readers trip over, as text.
constexpr const char *words[] = {"0",
                                 "-1",
                                 "1e400",
                                 "-0.0",
                                 "2147483648",
                                 "4294967296",
                                 "9223372036854775808",
                                 "1e-320",
                                 "null",
                                 "true",
                                 "{}",
                                 "[]",
                                 "\"\"",
                                 "\"\\u0000\"",
                                 "[[[[",
                                 "\xff",
                                 "\xef\xbf\xbd",
                                 "..",
                                 "()",
                                 "\n",
                                 "\t",
                                 "999999999999999999999",
                                 "nan",
                                 "inf"};

/// Numbers at the edges of their types.
constexpr uint64_t edges[] = {0,          1,          0x7f,       0x80,       0xff,
                              0x7fff,     0x8000,     0xffff,     0x7fffffff, 0x80000000,
                              0xffffffff, 1ull << 32, 1ull << 40, 1ull << 62, (1ull << 63) - 1,
                              1ull << 63, ~0ull};

void insert(std::string &text, const std::string &piece, Random &random) {
  text.insert(below(text.size() + 1, random), piece);
}

/// A piece of `text`, mostly short.
std::string_view pieceOf(const std::string &text, Random &random) {
  size_t longest = random() % 8 ? 32 : text.size();
  size_t length = std::min(text.size(), 1 + below(longest, random));
  return std::string_view(text).substr(below(text.size() - length + 1, random), length);
}

void overwriteInteger(std::string &text, Random &random) {
  const size_t widths[] = {1, 2, 4, 8};
  size_t width = widths[random() % 4];
  if (text.size() < width)
    return;
  uint64_t value = random() % 4 ? edges[random() % std::size(edges)] : random();
  char bytes[8];
  std::memcpy(bytes, &value, sizeof bytes);
  if (random() % 2)
    std::reverse(bytes, bytes + width);
  text.replace(below(text.size() - width + 1, random), width, bytes, width);
}

/// A run of digits becomes another number.
void replaceNumber(std::string &text, Random &random) {
  size_t at = text.find_first_of("0123456789", below(text.size(), random));
  if (at == std::string::npos)
    return;
  size_t end = std::min(text.find_first_not_of("0123456789.", at), text.size());
  std::string by = random() % 2 ? words[random() % std::size(words)]
                                : std::to_string(edges[random() % std::size(edges)]);
  text.replace(at, end - at, by);
}

void nest(std::string &text, size_t most, Random &random) {
  constexpr std::pair<const char *, const char *> brackets[] = {
      {"[", "]"}, {"(", ")"}, {"{\"a\":", "}"}, {"not ", ""}, {"-", ""}};
  auto [open, close] = brackets[random() % std::size(brackets)];
  size_t room = most > text.size() ? (most - text.size()) / (strlen(open) + strlen(close)) : 0;
  size_t depth = random() % 4 ? below(std::min<size_t>(room, 300) + 1, random) : room;
  size_t at = below(text.size() + 1, random), end = at + below(text.size() - at + 1, random);
  std::string before, behind;
  for (size_t i = 0; i < depth; ++i) {
    before += open;
    behind += close;
  }
  text.insert(end, behind);
  text.insert(at, before);
}

void change(std::string &text, const std::vector<std::string> &pool, size_t most, Random &random) {
  switch (random() % 10) {
  case 0:
    if (!text.empty())
      text[below(text.size(), random)] ^= static_cast<char>(1u << random() % 8);
    break;
  case 1:
    if (!text.empty())
      text[below(text.size(), random)] = static_cast<char>(random());
    break;
  case 2:
    insert(text, words[random() % std::size(words)], random);
    break;
  case 3:
    overwriteInteger(text, random);
    break;
  case 4:
    replaceNumber(text, random);
    break;
  case 5: { // cut out, or cut off
    size_t at = below(text.size() + 1, random);
    text.erase(at, random() % 4 ? 1 + below(32, random) : std::string::npos);
    break;
  }
  case 6:
    insert(text, std::string(pieceOf(text, random)), random);
    break;
  case 7:
    insert(text, std::string(pieceOf(pool[below(pool.size(), random)], random)), random);
    break;
  case 8: { // one piece in the place of another
    std::string piece(pieceOf(pool[below(pool.size(), random)], random));
    size_t at = below(text.size() + 1, random);
    text.replace(at, std::min(piece.size(), text.size() - at), piece);
    break;
  }
  default:
    if (random() % 8 == 0)
      nest(text, most, random);
    else
      overwriteInteger(text, random);
  }
}

} // namespace

std::string mutated(const std::vector<std::string> &pool, size_t most, Random &random) {
  std::string text = pool[below(pool.size(), random)];
  for (uint64_t left = 1 + (random() % 2 ? 0 : random() % 6); left > 0; --left)
    change(text, pool, most, random);
  if (text.size() > most)
    text.resize(most);
  return text;
}

} // namespace weft::fuzz

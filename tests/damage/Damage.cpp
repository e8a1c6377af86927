// The kinds of damage.
#include "tests/damage/Damage.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <iterator>
#include <vector>

static size_t below(size_t end, Random &random) {
  return end == 0 ? 0 : random() % end;
}

static std::string flipped(std::string bytes, Random &random) {
  for (size_t times = 1 + below(8, random); times > 0 && !bytes.empty(); --times)
    bytes[below(bytes.size(), random)] ^= static_cast<char>(1 << below(8, random));
  return bytes;
}

static std::string cut(const std::string &bytes, Random &random) {
  return bytes.substr(0, below(bytes.size(), random));
}

/// A number of 1 to 8 bytes, low or high end first, that says far too much, or a little.
static std::string resized(std::string bytes, Random &random) {
  const uint64_t values[] = {0,          UINT64_MAX, INT64_MAX, 0x7fffffff, 0x80000000, 0xffffffff,
                             1ull << 62, 1ull << 40, 0xffff,    0x7f,       0x80,       1};
  uint64_t value = values[below(std::size(values), random)];
  size_t width = size_t(1) << below(4, random);
  if (bytes.size() < width)
    return bytes;
  // sizes stand at the beginning more often than elsewhere
  size_t room = bytes.size() - width + 1;
  size_t at = below(random() % 2 ? std::min<size_t>(room, 64) : room, random);
  char number[8];
  memcpy(number, &value, sizeof number);
  if (random() % 2)
    std::reverse(number, number + width);
  memcpy(&bytes[at], number, width);
  return bytes;
}

/// Another number in the place of one that is spelled.
static std::string renumbered(const std::string &bytes, Random &random) {
  std::vector<std::pair<size_t, size_t>> numbers;
  for (size_t at = 0; at < bytes.size(); ++at) {
    size_t end = at;
    while (end < bytes.size() && isdigit(static_cast<unsigned char>(bytes[end])))
      ++end;
    if (end > at)
      numbers.emplace_back(at, end - at);
    at = end;
  }
  if (numbers.empty())
    return flipped(bytes, random);
  static const char *const others[] = {
      "-1",  "0",     "99999999999999999999999", "2147483648", "1e999",
      "1.5", "65536", "9223372036854775807",     "-0",         "1e-400"};
  auto [at, length] = numbers[below(numbers.size(), random)];
  return bytes.substr(0, at) + others[below(std::size(others), random)] + bytes.substr(at + length);
}

/// Many beginnings at a place where something begins, or anywhere.
static std::string nested(const std::string &bytes, Random &random) {
  static const char *const beginnings[] = {
      "[", "{\"a\":", "{\"type\":\"Sequence\",\"normalizers\":[", "(", "[[[[{\"x\":["};
  const char *beginning = beginnings[below(std::size(beginnings), random)];
  size_t at = below(bytes.size() + 1, random);
  if (size_t found = bytes.find_first_of("[{", at); random() % 4 && found != std::string::npos)
    at = found;
  std::string inside;
  for (size_t depth = size_t(1) << below(17, random); depth > 0; --depth)
    inside += beginning;
  return bytes.substr(0, at) + inside + bytes.substr(at);
}

/// A piece is gone, there twice, zero, noise, or in the place of another.
static std::string moved(std::string bytes, Random &random) {
  size_t begin = below(bytes.size() + 1, random);
  size_t length = below(std::min<size_t>(bytes.size() - begin, 256) + 1, random);
  std::string piece = bytes.substr(begin, length);
  switch (below(5, random)) {
  case 0:
    return bytes.erase(begin, length);
  case 1:
    return bytes.insert(begin, piece);
  case 2:
    return bytes.replace(begin, length, length, '\0');
  case 3:
    for (char &byte : piece)
      byte = static_cast<char>(random());
    return bytes.replace(begin, length, piece);
  default:
    return bytes.erase(begin, length).insert(below(bytes.size() + 1, random), piece);
  }
}

std::string damaged(const std::string &whole, Random &random) {
  switch (below(8, random)) {
  case 0:
  case 1:
    return flipped(whole, random);
  case 2:
    return cut(whole, random);
  case 3:
    return resized(whole, random);
  case 4:
    return renumbered(whole, random);
  case 5:
    return nested(whole, random);
  case 6:
    return moved(moved(whole, random), random);
  default:
    return damaged(damaged(whole, random), random);
  }
}

// The tokenization of mteval-v13a, rule by rule as sacreBLEU applies it.
#include "runtime/base/Utf8.h"
#include "runtime/text/words/Bleu.h"

#include <cstring>

using namespace weft::runtime;

static bool isDigit(char c) {
  return c >= '0' && c <= '9';
}
static bool isStop(char c) {
  return c == '.' || c == ',';
}

static void replaceAll(std::string &text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

/// Applies `rule` from left to right: it gives how many bytes at the front it took, and adds what
/// stands for them; 0 leaves one byte as it is.
template <class Rule> static std::string rewrite(const std::string &text, Rule rule) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    size_t taken = rule(std::string_view(text).substr(i), out);
    if (taken == 0)
      out += text[i++];
    i += taken;
  }
  return out;
}

/// What Python's str.split() splits at.
static bool isSpace(uint32_t c) {
  return (c >= 0x09 && c <= 0x0d) || (c >= 0x1c && c <= 0x20) || c == 0x85 || c == 0xa0 ||
         c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f ||
         c == 0x205f || c == 0x3000;
}

static std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> words;
  bool inside = false;
  while (!text.empty()) {
    CodePoint point = nextCodePoint(text);
    auto length = static_cast<size_t>(point.length);
    bool space = isSpace(point.value);
    if (!space && !inside)
      words.emplace_back();
    if (!space)
      words.back() += text.substr(0, length);
    inside = !space;
    text.remove_prefix(length);
  }
  return words;
}

std::vector<std::string> weft::runtime::wordsOf13a(std::string_view given) {
  std::string text(given);
  text.erase(text.find_last_not_of(" \t\n\r\v\f") + 1);
  for (auto [from, to] : {std::pair{"<skipped>", ""},
                          {"-\n", ""},
                          {"\n", " "},
                          {"&quot;", "\""},
                          {"&amp;", "&"},
                          {"&lt;", "<"},
                          {"&gt;", ">"}})
    replaceAll(text, from, to);
  text = " " + text + " ";
  text = rewrite(text, [](std::string_view rest, std::string &out) -> size_t {
    if (!strchr("{|}~[\\]^_` !\"#$%&()*+:;<=>?@/", rest[0]) || !rest[0])
      return 0;
    out += {' ', rest[0], ' '};
    return 1;
  });
  text = rewrite(text, [](std::string_view rest, std::string &out) -> size_t {
    if (rest.size() < 2 || isDigit(rest[0]) || !isStop(rest[1]))
      return 0;
    out += {rest[0], ' ', rest[1], ' '};
    return 2;
  });
  text = rewrite(text, [](std::string_view rest, std::string &out) -> size_t {
    if (rest.size() < 2 || !isStop(rest[0]) || isDigit(rest[1]))
      return 0;
    out += {' ', rest[0], ' ', rest[1]};
    return 2;
  });
  text = rewrite(text, [](std::string_view rest, std::string &out) -> size_t {
    if (rest.size() < 2 || !isDigit(rest[0]) || rest[1] != '-')
      return 0;
    out += {rest[0], ' ', '-', ' '};
    return 2;
  });
  return split(text);
}

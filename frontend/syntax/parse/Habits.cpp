// Tables of foreign words and signs.
#include "frontend/syntax/parse/Habits.h"

#include <span>
#include <utility>

using namespace weft;
using Entry = std::pair<std::string_view, std::string_view>;

static constexpr std::string_view bind = "a value is bound by `name = expression`";
static constexpr std::string_view function =
    "a function is `fn name(x: [..]) -> [..] = expression`";
static constexpr std::string_view loop = "`repeat[layer] { ... }` repeats over a dimension";
static constexpr std::string_view module = "what owns parameters is a `block`";
static constexpr std::string_view file = "`use name` reads `name.weft` beside this file";

static constexpr Entry characters[] = {
    {"&", "write `and`"},
    {"!", "write `not`"},
    {"~", "write `not`"},
    {";", "a statement ends with its line"},
    {"'", "strings stand between `\"`, and only in `weights`"},
    {"@", "products are `*`, and what is summed is said: `sum[d](a * b)`"},
};

static constexpr Entry words[] = {
    {"return", "the last expression of a body is its value"},
    {"let", bind},
    {"var", bind},
    {"const", bind},
    {"def", function},
    {"func", function},
    {"function", function},
    {"for", loop},
    {"while", loop},
    {"class", module},
    {"struct", module},
    {"module", module},
    {"import", file},
    {"include", file},
    {"elif", "put the second `if` into braces: `else { if ... }`"},
};

static std::string_view find(std::span<const Entry> table, std::string_view key) {
  for (auto [word, help] : table)
    if (word == key)
      return help;
  return {};
}

std::string_view weft::helpForCharacter(std::string_view character) {
  return find(characters, character);
}

std::string_view weft::helpForWord(std::string_view word) {
  return find(words, word);
}

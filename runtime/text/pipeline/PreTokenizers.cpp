// Each pre-tokenizer hands its words on as it finds them.
#include "runtime/text/pipeline/PreTokenizers.h"

#include "runtime/base/Utf8.h"
#include "runtime/text/pipeline/Normalizers.h"
#include "runtime/text/tokenizers/Pieces.h"
#include "runtime/text/unicode/Classes.h"

using namespace weft::runtime;

namespace {
/// What a character does to the words around it.
enum class Role { Joins, JoinsAlike, StandsAlone, Parts };

/// Splits by a role that each character has.
class ByCharacter final : public PreTokenizer {
public:
  explicit ByCharacter(Role (*roleOf)(uint32_t)) : roleOf(roleOf) {}
  void split(Stretch stretch, const TakeStretch &take) const override;

private:
  Role (*roleOf)(uint32_t);
};

/// Splits by a pattern, of which a function finds the first match.
class ByPattern final : public PreTokenizer {
public:
  ByPattern(size_t (*first)(std::string_view), bool space) : first(first), space(space) {}
  void split(Stretch stretch, const TakeStretch &take) const override;

private:
  size_t (*first)(std::string_view); // nullptr: all is one piece
  bool space;                        // one is put before the text where it has none
};

class Metaspace final : public PreTokenizer {
public:
  explicit Metaspace(const Section &section)
      : mark(section.string("replacement", "\u2581")), scheme(prependScheme(section)),
        splits(section.flag("split", true)) {}
  void split(Stretch stretch, const TakeStretch &take) const override;

private:
  std::string mark, scheme;
  bool splits;
};

class Sequence final : public PreTokenizer {
public:
  explicit Sequence(std::vector<std::unique_ptr<PreTokenizer>> parts) : parts(std::move(parts)) {}
  void split(Stretch stretch, const TakeStretch &take) const override { from(0, stretch, take); }

private:
  void from(size_t part, Stretch stretch, const TakeStretch &take) const {
    if (part == parts.size())
      return take(stretch);
    parts[part]->split(stretch, [&](Stretch word) { from(part + 1, word, take); });
  }
  std::vector<std::unique_ptr<PreTokenizer>> parts;
};
} // namespace

void ByCharacter::split(Stretch stretch, const TakeStretch &take) const {
  size_t begin = 0, end = 0;
  Role before = Role::Joins;
  auto finish = [&](size_t next) {
    if (end > begin)
      take({stretch.text.substr(begin, end - begin), stretch.first && begin == 0});
    begin = end = next;
  };
  while (end < stretch.text.size()) {
    CodePoint point = nextCodePoint(stretch.text.substr(end));
    size_t next = end + static_cast<size_t>(point.length);
    Role role = point.value == CodePoint::invalid ? Role::Joins : roleOf(point.value);
    if (role != before || role == Role::StandsAlone)
      finish(end);
    before = role;
    end = next;
    if (role == Role::Parts)
      begin = end;
  }
  finish(end);
}

void ByPattern::split(Stretch stretch, const TakeStretch &take) const {
  std::string spaced;
  if (space && !stretch.text.starts_with(' ')) {
    spaced = " ";
    spaced += stretch.text;
    stretch.text = spaced;
  }
  if (!first)
    return take(stretch);
  for (bool atFirst = stretch.first; !stretch.text.empty(); atFirst = false) {
    std::string_view piece = stretch.text.substr(0, first(stretch.text));
    stretch.text.remove_prefix(piece.size());
    take({piece, atFirst});
  }
}

void Metaspace::split(Stretch stretch, const TakeStretch &take) const {
  std::string marked = replaceAll(std::string(stretch.text), " ", mark);
  bool prepends = scheme == "always" || (scheme == "first" && stretch.first);
  if (prepends && !marked.starts_with(mark))
    marked = mark + marked;
  if (!splits)
    return take({marked, stretch.first});
  for (size_t begin = 0; begin < marked.size();) {
    size_t end = std::min(marked.find(mark, begin + 1), marked.size());
    take({std::string_view(marked).substr(begin, end - begin), stretch.first && begin == 0});
    begin = end;
  }
}

/// BERT takes every sign of ASCII for punctuation, also `$` and `+`.
static bool isBertPunctuation(uint32_t c) {
  return c < 0x80 ? c > 0x20 && c < 0x7f && classOf(c) == CharacterClass::Other : isPunctuation(c);
}
static Role bertRole(uint32_t c) {
  return isSpace(c) ? Role::Parts : isBertPunctuation(c) ? Role::StandsAlone : Role::Joins;
}
static Role spaceRole(uint32_t c) {
  return isSpace(c) ? Role::Parts : Role::Joins;
}
static Role punctuationRole(uint32_t c) {
  return isBertPunctuation(c) ? Role::StandsAlone : Role::Joins;
}
static Role digitRole(uint32_t c) {
  return classOf(c) == CharacterClass::Number ? Role::JoinsAlike : Role::Joins;
}
static Role eachDigitRole(uint32_t c) {
  return classOf(c) == CharacterClass::Number ? Role::StandsAlone : Role::Joins;
}

std::string weft::runtime::prependScheme(const Section &metaspace) {
  return metaspace.string("prepend_scheme",
                          metaspace.flag("add_prefix_space", true) ? "always" : "never");
}

static constexpr const char *gpt2Pattern =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
static Result<std::unique_ptr<PreTokenizer>> splitFrom(const Section &section) {
  std::string pattern = section.at("pattern").string("Regex");
  bool isolated = section.string("behavior") == "Isolated" && !section.flag("invert"),
       removed = section.string("behavior") == "Removed" && section.flag("invert");
  size_t (*first)(std::string_view) = nullptr;
  if (pattern == gpt2Pattern)
    first = firstPiece;
  else if (pattern == gpt4Pattern)
    first = firstPieceOfGpt4;
  else if (pattern == qwen2Pattern)
    first = firstPieceOfQwen2;
  if (!first || (!isolated && !removed))
    return section.error("splits at a pattern that Weft does not know: it knows GPT-2's, Qwen 2's, "
                         "and that of GPT-4 and Llama 3");
  return std::unique_ptr<PreTokenizer>(std::make_unique<ByPattern>(first, false));
}

static Result<std::unique_ptr<PreTokenizer>> splitterFrom(const Section &section) {
  std::string type = section.type();
  auto by = [](Role (*roleOf)(uint32_t)) {
    return std::unique_ptr<PreTokenizer>(std::make_unique<ByCharacter>(roleOf));
  };
  if (type == "BertPreTokenizer")
    return by(bertRole);
  if (type == "WhitespaceSplit")
    return by(spaceRole);
  if (type == "Punctuation" && section.string("behavior", "Isolated") == std::string("Isolated"))
    return by(punctuationRole);
  if (type == "Digits")
    return by(section.flag("individual_digits") ? eachDigitRole : digitRole);
  if (type == "Metaspace")
    return std::unique_ptr<PreTokenizer>(std::make_unique<Metaspace>(section));
  if (type == "ByteLevel")
    return std::unique_ptr<PreTokenizer>(
        std::make_unique<ByPattern>(section.flag("use_regex", true) ? firstPiece : nullptr,
                                    section.flag("add_prefix_space", true)));
  if (type == "Split")
    return splitFrom(section);
  return section.unknownType();
}

Result<PreTokenization> weft::runtime::preTokenizationFrom(const Section &section) {
  if (!section)
    return PreTokenization();
  bool isSequence = section.type() == "Sequence";
  std::vector<Section> sections =
      isSequence ? section.list("pretokenizers") : std::vector<Section>{section};
  std::vector<std::unique_ptr<PreTokenizer>> parts;
  bool byteLevel = false;
  for (const Section &part : sections) {
    if (byteLevel)
      return part.error("stands behind ByteLevel, which must be last");
    byteLevel = part.type() == "ByteLevel";
    Result<std::unique_ptr<PreTokenizer>> splitter = splitterFrom(part);
    if (!splitter)
      return splitter.error();
    parts.push_back(std::move(*splitter));
  }
  return PreTokenization{std::make_unique<Sequence>(std::move(parts)), byteLevel};
}

// Each normalizer is a function on a text.
#include "runtime/text/pipeline/Normalizers.h"

#include "runtime/base/Base64.h"
#include "runtime/base/LowerCase.h"
#include "runtime/base/Utf8.h"
#include "runtime/text/sentencepiece/CharacterMap.h"
#include "runtime/text/unicode/Classes.h"
#include "runtime/text/unicode/Normalization.h"

using namespace weft::runtime;

/// Calls `take` with every code point; bytes that are no UTF-8 are U+FFFD.
template <class Take> static std::string mapped(const std::string &text, Take take) {
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  for (std::string_view rest = text; !rest.empty();) {
    CodePoint point = nextCodePoint(rest);
    rest.remove_prefix(static_cast<size_t>(point.length));
    take(point.value == CodePoint::invalid ? 0xfffd : point.value, out);
  }
  return out;
}

static void append(uint32_t c, std::string &out) {
  if (c < 0x80)
    out += static_cast<char>(c);
  else
    out += toUtf8(c);
}

static std::string inLowerCase(const std::string &text) {
  return mapped(text, [](uint32_t c, std::string &out) {
    if (c == 0x130)
      out += "i\u0307";
    else
      append(lowerCase(c), out);
  });
}

/// The ideographs that BERT takes for words of their own. The gap before U+2B920 is what the
/// common implementation has.
static bool isIdeograph(uint32_t c) {
  return (c >= 0x4e00 && c <= 0x9fff) || (c >= 0x3400 && c <= 0x4dbf) ||
         (c >= 0x20000 && c <= 0x2a6df) || (c >= 0x2a700 && c <= 0x2b73f) ||
         (c >= 0x2b740 && c <= 0x2b81f) || (c >= 0x2b920 && c <= 0x2ceaf) ||
         (c >= 0xf900 && c <= 0xfaff) || (c >= 0x2f800 && c <= 0x2fa1f);
}

static std::string cleaned(const std::string &text) {
  return mapped(text, [](uint32_t c, std::string &out) {
    if (isSpace(c) && c != 0xb && c != 0xc && c != 0x85)
      out += ' ';
    else if (c != 0 && c != 0xfffd && (c < 0x20 || c >= 0x7f ? !isOther(c) : true))
      append(c, out);
  });
}

static std::string withoutAccents(const std::string &text, bool (*isAccent)(uint32_t)) {
  return mapped(text, [isAccent](uint32_t c, std::string &out) {
    if (!isAccent(c))
      append(c, out);
  });
}

static TextStep bertNormalizer(const Section &section) {
  bool lower = section.flag("lowercase", true), cleans = section.flag("clean_text", true),
       apart = section.flag("handle_chinese_chars", true),
       strips = section.flag("strip_accents", lower);
  return [=](const std::string &given) {
    std::string text = cleans ? cleaned(given) : given;
    if (apart)
      text = mapped(text, [](uint32_t c, std::string &out) {
        bool alone = isIdeograph(c);
        out += alone ? " " : "";
        append(c, out);
        out += alone ? " " : "";
      });
    if (strips)
      text = withoutAccents(decomposed(text), isNonspacingMark);
    return lower ? inLowerCase(text) : text;
  };
}

std::string weft::runtime::replaceAll(const std::string &text, const std::string &from,
                                      const std::string &to) {
  std::string out;
  for (size_t i = 0;;) {
    size_t found = text.find(from, i);
    out.append(text, i, found - i);
    if (found == std::string::npos)
      return out;
    out += to;
    i = found + from.size();
  }
}

Result<std::string> weft::runtime::plainPattern(const Section &section) {
  std::string pattern = section.at("pattern").string("String");
  if (pattern.empty())
    return section.error("searches for no plain text; other patterns are not read");
  return pattern;
}

double weft::runtime::growthOf(const Section &section) {
  std::string type = section.type();
  double growth = 1;
  if (type == "Sequence") {
    for (const char *stages : {"normalizers", "decoders"})
      for (const Section &part : section.list(stages))
        growth *= growthOf(part);
  } else if (type == "Replace") {
    std::string from = section.at("pattern").string("String");
    if (!from.empty())
      growth = std::max(1.0, double(section.string("content").size()) / double(from.size()));
  }
  return growth;
}

static Result<TextStep> replacement(const Section &section) {
  Result<std::string> from = plainPattern(section);
  if (!from)
    return from.error();
  return TextStep([from = *from, to = section.string("content")](const std::string &text) {
    return replaceAll(text, from, to);
  });
}

static TextStep stripping(const Section &section) {
  bool left = section.flag("strip_left", true), right = section.flag("strip_right", true);
  return [=](const std::string &text) {
    // where characters that are no white space begin and end
    size_t first = std::string::npos, last = 0;
    for (size_t i = 0; i < text.size();) {
      CodePoint point = nextCodePoint(std::string_view(text).substr(i));
      size_t next = i + static_cast<size_t>(point.length);
      if (!isSpace(point.value)) {
        first = std::min(first, i);
        last = next;
      }
      i = next;
    }
    size_t begin = left ? std::min(first, text.size()) : 0, end = right ? last : text.size();
    return begin < end ? text.substr(begin, end - begin) : std::string();
  };
}

/// The whole text is normalized, as SentencePiece does; a grapheme at a time, as others do, differs
/// only where the map replaces across graphemes.
static Result<TextStep> precompiled(const Section &section) {
  std::optional<std::string> bytes = fromBase64(section.string("precompiled_charsmap"));
  if (!bytes)
    return section.error("`precompiled_charsmap` is not base64");
  Result<CharacterMap> map = CharacterMap::read(*bytes);
  if (!map)
    return section.error(map.error().message);
  return TextStep([map = *map](const std::string &text) {
    std::string out;
    for (std::string_view rest = text; !rest.empty();) {
      CharacterMap::Replacement found = map.find(rest);
      size_t length =
          found.length > 0 ? found.length : static_cast<size_t>(nextCodePoint(rest).length);
      out += found.length > 0 ? found.by : rest.substr(0, length);
      rest.remove_prefix(length);
    }
    return out;
  });
}

static Result<TextStep> sequence(const Section &section) {
  std::vector<TextStep> steps;
  for (const Section &part : section.list("normalizers")) {
    Result<TextStep> step = normalizerFrom(part);
    if (!step)
      return step.error();
    steps.push_back(std::move(*step));
  }
  return TextStep([steps](const std::string &text) {
    std::string out = text;
    for (const TextStep &step : steps)
      out = step(out);
    return out;
  });
}

Result<TextStep> weft::runtime::normalizerFrom(const Section &section) {
  std::string type = section.type();
  if (growthOf(section) > mostGrowth)
    return section.error(text("makes texts more than %.0f times as long", mostGrowth));
  if (type == "BertNormalizer")
    return bertNormalizer(section);
  if (type == "Lowercase")
    return TextStep(inLowerCase);
  if (type == "StripAccents")
    return TextStep([](const std::string &text) { return withoutAccents(text, isMark); });
  if (type == "NFD")
    return TextStep([](const std::string &text) { return decomposed(text); });
  if (type == "NFC")
    return TextStep([](const std::string &text) { return composed(text); });
  if (type == "Strip")
    return stripping(section);
  if (type == "Prepend")
    return TextStep([in = section.string("prepend")](const std::string &text) {
      return text.empty() ? text : in + text;
    });
  if (type == "Replace")
    return replacement(section);
  if (type == "Precompiled")
    return precompiled(section);
  if (type == "Sequence")
    return sequence(section);
  return section.unknownType();
}

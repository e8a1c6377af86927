// Each decoder changes a token's text, knowing whether it is the first.
#include "runtime/text/pipeline/Decoders.h"

#include "runtime/text/pipeline/Normalizers.h"
#include "runtime/text/pipeline/PreTokenizers.h"
#include "runtime/text/sentencepiece/Vocabulary.h"
#include "runtime/text/tokenizers/ByteLevel.h"

using namespace weft::runtime;

/// Undoes the spaces that splitting at punctuation and contractions made.
static std::string joinedLikeEnglish(const std::string &token) {
  static constexpr std::pair<const char *, const char *> joins[] = {
      {" .", "."},   {" ?", "?"},     {" !", "!"},    {" ,", ","},
      {" ' ", "'"},  {" n't", "n't"}, {" 'm", "'m"},  {" do not", " don't"},
      {" 's", "'s"}, {" 've", "'ve"}, {" 're", "'re"}};
  std::string out = token;
  for (auto [from, to] : joins)
    out = replaceAll(out, from, to);
  return out;
}

static DecodeStep wordPieceDecoder(const Section &section) {
  bool joins = section.flag("cleanup", true);
  return [prefix = section.string("prefix", "##"), joins](const std::string &token, Place place) {
    std::string out = token;
    if (place == Place::Later)
      out =
          !prefix.empty() && token.starts_with(prefix) ? token.substr(prefix.size()) : " " + token;
    return joins ? joinedLikeEnglish(out) : out;
  };
}

static DecodeStep metaspaceDecoder(const Section &section) {
  bool prepended = prependScheme(section) != "never";
  return [mark = section.string("replacement", "\u2581"), prepended](const std::string &token,
                                                                     Place place) {
    std::string out = replaceAll(token, mark, " ");
    bool added = prepended && place == Place::First && out.starts_with(' ');
    return added ? out.substr(1) : out;
  };
}

static Result<DecodeStep> replacingDecoder(const Section &section) {
  Result<std::string> from = plainPattern(section);
  if (!from)
    return from.error();
  return DecodeStep([from = *from, to = section.string("content")](
                        const std::string &token, Place) { return replaceAll(token, from, to); });
}

static Result<DecodeStep> strippingDecoder(const Section &section, bool fused) {
  int64_t start = section.integer("start", 0), stop = section.integer("stop", 0);
  std::string content = section.string("content", " ");
  if (stop != 0 || start < 0 || content.empty() || !fused)
    return section.error("Strip is read behind Fuse only, and only of what begins a text");
  return DecodeStep([start, content](const std::string &token, Place place) {
    std::string_view rest = token;
    for (int64_t i = 0; place == Place::First && i < start && rest.starts_with(content); ++i)
      rest.remove_prefix(content.size());
    return std::string(rest);
  });
}

static Result<DecodeStep> stepFrom(const Section &section, bool fused) {
  std::string type = section.type();
  if (type == "ByteLevel")
    return DecodeStep(
        [](const std::string &token, Place) { return bytesSpelled(token).value_or(token); });
  if (type == "ByteFallback")
    return DecodeStep([](const std::string &token, Place) {
      std::optional<unsigned char> byte = byteOfPiece(token);
      return byte ? std::string(1, static_cast<char>(*byte)) : token;
    });
  if (type == "WordPiece")
    return wordPieceDecoder(section);
  if (type == "Metaspace")
    return metaspaceDecoder(section);
  if (type == "Replace")
    return replacingDecoder(section);
  if (type == "Strip")
    return strippingDecoder(section, fused);
  return section.unknownType();
}

Result<DecodeStep> weft::runtime::decoderFrom(const Section &section) {
  if (!section)
    return DecodeStep([](const std::string &token, Place place) {
      return place == Place::First ? token : " " + token;
    });
  std::vector<Section> sections =
      section.type() == "Sequence" ? section.list("decoders") : std::vector<Section>{section};
  if (growthOf(section) > mostGrowth)
    return section.error(text("makes texts more than %.0f times as long", mostGrowth));
  std::vector<DecodeStep> steps;
  bool fused = false; // from here on, the text is one
  for (const Section &part : sections) {
    if (part.type() == "Fuse") {
      fused = true;
      continue;
    }
    Result<DecodeStep> step = stepFrom(part, fused);
    if (!step)
      return step.error();
    steps.push_back(std::move(*step));
  }
  return DecodeStep([steps](const std::string &token, Place place) {
    std::string out = token;
    for (const DecodeStep &step : steps)
      out = step(out, place);
    return out;
  });
}

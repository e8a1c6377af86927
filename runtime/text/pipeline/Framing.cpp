// Templates, and the fixed forms of BERT and RoBERTa.
#include "runtime/text/pipeline/Framing.h"

using namespace weft::runtime;

/// The id of ["[SEP]", 102].
static std::optional<int32_t> idOfPair(const Json *pair) {
  bool whole = pair && pair->is_array() && pair->size() == 2 && isTokenId((*pair)[1]);
  return whole ? std::optional((*pair)[1].get<int32_t>()) : std::nullopt;
}

/// The id of a special token in a template: `special_tokens` has a list of ids for each.
static std::optional<int32_t> idInTemplate(const Section &section, const std::string &token) {
  Section special = section.at("special_tokens").at(token.c_str());
  const Json *ids = special.member("ids");
  bool whole = ids && ids->is_array() && ids->size() == 1 && isTokenId((*ids)[0]);
  return whole ? std::optional((*ids)[0].get<int32_t>()) : std::nullopt;
}

static Status addTemplate(const Section &section, Framing &framing) {
  bool behind = false; // the text itself
  for (const Section &part : section.list("single")) {
    if (part.at("Sequence")) {
      behind = true;
      continue;
    }
    std::optional<int32_t> id = idInTemplate(section, part.at("SpecialToken").string("id"));
    std::optional<int32_t> &place = behind ? framing.end : framing.start;
    if (!id)
      return part.error("is neither the text nor a special token with one id");
    if (place)
      return part.error("is a second mark on the same side of a text");
    place = id;
  }
  return success();
}

static Status addFraming(const Section &section, Framing &framing) {
  std::string type = section.type();
  if (type == "ByteLevel")
    return success();
  if (type == "TemplateProcessing")
    return addTemplate(section, framing);
  if (type == "BertProcessing" || type == "RobertaProcessing") {
    framing.start = idOfPair(section.member("cls"));
    framing.end = idOfPair(section.member("sep"));
    return framing.start && framing.end ? success() : section.error("`cls` or `sep` is missing");
  }
  if (type != "Sequence")
    return section.unknownType();
  for (const Section &part : section.list("processors"))
    if (Status status = addFraming(part, framing); !status)
      return status;
  return success();
}

Result<Framing> weft::runtime::framingFrom(const Section &section, const AddedTokens &added,
                                           int32_t size) {
  Framing framing;
  if (section)
    if (Status status = addFraming(section, framing); !status)
      return status.error();
  for (std::optional<int32_t> mark : {framing.start, framing.end})
    if (mark && *mark >= size)
      return section.error(text("the mark %d is none of the %d tokens", *mark, size));
  framing.closes = framing.end.has_value();
  for (const char *usual : {"</s>", "<|endoftext|>", "<|end_of_text|>", "<eos>"})
    if (!framing.end)
      framing.end = added.idOf(usual);
  return framing;
}

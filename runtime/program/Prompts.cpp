// From options to ids to go on from.
#include "runtime/program/Prompts.h"

#include "runtime/base/Utf8.h"
#include "runtime/base/files/TextLines.h"
#include "runtime/program/GenerateSearch.h"

using namespace weft::runtime;

Result<std::vector<int32_t>> weft::runtime::readPrompt(const std::string &given,
                                                       const std::string &origin,
                                                       const Tokenizer *tokenizer,
                                                       const Decoding &decoding) {
  Result<std::vector<int32_t>> ids =
      tokenizer ? encodeFromStart(*tokenizer, given) : readIds(given, origin.c_str());
  if (!ids)
    return Error{ids.error().code, (tokenizer ? origin + ": " : "") + ids.error().message};
  if (ids->empty() && decoding.start)
    ids->push_back(static_cast<int32_t>(*decoding.start));
  if (ids->empty())
    return Error{Code::Usage, text("%s is empty or missing: this model needs something to go on "
                                   "from",
                                   origin.c_str())};
  return ids;
}

/// `--prompt "Once upon…"`, of several.
static std::string shownPrompt(std::string_view given) {
  constexpr size_t most = 40;
  std::string_view start = given.substr(0, validUtf8Length(given.substr(0, most)));
  return "--prompt " + jsonQuoted(std::string(start) + (start.size() < given.size() ? "…" : ""));
}

/// What was given, and where.
static Result<std::vector<TextLine>> readTexts(const Options &options) {
  std::vector<TextLine> texts;
  std::vector<std::string> all = options.all("prompt");
  bool several = all.size() > 1 || options.has("prompt-file");
  for (const std::string &given : all)
    texts.push_back({given, several ? shownPrompt(given) : "--prompt"});
  Result<std::vector<TextLine>> lines = readLines(options.all("prompt-file"));
  if (!lines)
    return lines.error();
  texts.insert(texts.end(), lines->begin(), lines->end());
  if (texts.empty() && options.has("prompt-file"))
    return Error{Code::Value, "--prompt-file: there is no prompt, not even an empty line"};
  if (texts.empty())
    texts.push_back({"", "--prompt"});
  return texts;
}

Result<std::vector<Prompt>> weft::runtime::readPrompts(const Options &options,
                                                       const ContinuationSettings &settings) {
  Result<int64_t> samples = options.integer("samples", 1, 1, 1 << 20);
  if (!samples)
    return samples.error();
  if (*samples > 1 && settings.sampling.temperature == 0)
    return Error{Code::Usage, "--samples: the most likely continuation is always the same; draw "
                              "them at random, with --temperature 1"};
  Result<std::vector<TextLine>> texts = readTexts(options);
  if (!texts)
    return texts.error();
  std::vector<Prompt> prompts;
  for (const TextLine &given : *texts) {
    Result<std::vector<int32_t>> ids =
        readPrompt(given.text, given.origin, settings.tokenizer.get(), *settings.decoding);
    if (!ids)
      return ids.error();
    std::string origin = texts->size() == 1 ? "the prompt" : given.origin;
    for (int64_t i = 0; i < *samples; ++i)
      prompts.push_back({*ids, settings.sampling.seed + static_cast<uint64_t>(i), origin});
  }
  return prompts;
}

// Padding sources to batches, and searching.
#include "runtime/program/translation/Translator.h"

#include "runtime/data/OpenData.h"
#include "runtime/program/translation/Translation.h"

#include <algorithm>

using namespace weft::runtime;

namespace {
/// Of what a decoding takes, the sentences, how long they are, and what else there is.
struct Taken {
  std::optional<Argument> source;
  std::string valid;
  std::vector<std::string> others;
};
} // namespace

static Taken taken(const Facts &facts, const Decoding &decoding) {
  Taken taken;
  std::string source = nameInPairs(facts, "source"), valid = nameInPairs(facts, "valid");
  for (const Argument &input : givenInputsOf(facts, decoding)) {
    bool isSource = input.name == source && input.dims.size() == 2 && input.index >= 0 &&
                    facts.dims[input.index].size;
    bool isValid = input.name == valid && input.dims.size() == 1 && input.element == Element::Int;
    if (isSource)
      taken.source = input;
    else if (isValid)
      taken.valid = input.name;
    else
      taken.others.push_back(input.name);
  }
  return taken;
}

bool weft::runtime::needsSourceAlone(const Facts &facts, const Decoding &decoding) {
  Taken inputs = taken(facts, decoding);
  return inputs.source && inputs.others.empty();
}

Result<Translator> Translator::create(Model &model, const Decoding &decoding,
                                      std::vector<int32_t> prompt, SearchSettings settings) {
  const Facts &facts = model.facts;
  Translator translator(model, decoding);
  Taken inputs = taken(facts, decoding);
  if (!inputs.source || !inputs.others.empty())
    return Error{Code::Value,
                 inputs.others.empty()
                     ? text("%s takes no source: it goes on from a --prompt", decoding.name.c_str())
                     : text("%s takes %s, which a --source does not say; give --inputs FILE",
                            decoding.name.c_str(), listed(inputs.others).c_str())};
  translator.source = *inputs.source;
  translator.valid = inputs.valid;
  std::optional<ContextLimit> limit = contextLimit(facts, decoding);
  auto known = static_cast<int64_t>(prompt.size()) - 1; // the last token is not taken in
  if (limit && known + 1 > limit->positions)
    return Error{Code::Size,
                 text("the prompt has %lld tokens, this build has room for %lld%s", wide(known + 1),
                      wide(limit->positions), facts.place(facts.dims[limit->dimension]).c_str())};
  if (limit)
    settings.maxTokens = std::min(settings.maxTokens, limit->positions - known);
  translator.prompt = std::move(prompt);
  translator.settings = settings;
  return translator;
}

const Dimension &Translator::sourceVocabulary() const {
  return model->facts.dims[source.index];
}

Status Translator::checkLength(const SourceSentence &sentence) const {
  const Dimension &dimension = model->facts.dims[source.dims[1]];
  std::optional<int64_t> most = dimension.size ? dimension.size : dimension.bound;
  auto length = static_cast<int64_t>(sentence.ids.size());
  if (length == 0)
    return Error{Code::Value, sentence.origin + ": has no words"};
  if (valid.empty() && dimension.size && length < *most && !padding)
    return Error{Code::Size,
                 text("%s: has %lld tokens, this build has %s = %lld%s, and there is no "
                      "vocabulary that says what to fill it up with",
                      sentence.origin.c_str(), wide(length), dimension.name.c_str(), wide(*most),
                      model->facts.place(dimension).c_str())};
  if (!most || length <= *most)
    return success();
  return Error{Code::Size, text("%s: has %lld tokens, this build has room for %s <= %lld%s",
                                sentence.origin.c_str(), wide(length), dimension.name.c_str(),
                                wide(*most), model->facts.place(dimension).c_str())};
}

Result<std::vector<Hypothesis>>
Translator::translateBatch(std::span<const SourceSentence> sentences) {
  const Dimension &dimension = model->facts.dims[source.dims[1]];
  size_t length = static_cast<size_t>(dimension.size.value_or(0));
  for (const SourceSentence &sentence : sentences)
    length = std::max(length, sentence.ids.size());
  std::vector<int32_t> ids, lengths;
  for (const SourceSentence &sentence : sentences)
    for (int64_t beam = 0; beam < settings.beams; ++beam) {
      ids.insert(ids.end(), sentence.ids.begin(), sentence.ids.end());
      ids.resize(ids.size() + length - sentence.ids.size(), padding.value_or(0));
      lengths.push_back(static_cast<int32_t>(sentence.ids.size()));
    }
  auto rows = static_cast<int64_t>(lengths.size());
  int64_t capacity = static_cast<int64_t>(prompt.size()) + settings.maxTokens - 1;
  if (!generator) {
    Result<Generator> made = Generator::create(*model, *decoding, capacity);
    if (!made)
      return made.error();
    generator = std::move(*made);
  }
  if (Status status = generator->setRows(rows); !status)
    return status.error();
  if (Status status =
          generator->give(source.name, wholeNumbers({rows, static_cast<int64_t>(length)}, ids));
      !status)
    return status.error();
  if (!valid.empty())
    if (Status status = generator->give(valid, wholeNumbers({rows}, lengths)); !status)
      return status.error();
  return search(*generator, std::vector(sentences.size(), prompt), settings);
}

Result<std::vector<Hypothesis>> Translator::translate(const std::vector<SourceSentence> &sentences,
                                                      int64_t batch,
                                                      std::optional<int32_t> padding) {
  this->padding = padding;
  std::vector<size_t> order; // sentences of about one length go together
  for (size_t i = 0; i < sentences.size(); ++i) {
    if (Status status = checkLength(sentences[i]); !status)
      return status.error();
    order.push_back(i);
  }
  auto key = [&](size_t i) { return std::pair(sentences[i].ids.size(), i); };
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return key(a) < key(b); });
  std::vector<Hypothesis> all(sentences.size());
  for (size_t first = 0; first < order.size();) {
    std::vector<SourceSentence> together;
    while (first + together.size() < order.size() && together.size() < static_cast<size_t>(batch)) {
      const SourceSentence &next = sentences[order[first + together.size()]];
      if (valid.empty() && !together.empty() && next.ids.size() != together[0].ids.size())
        break;
      together.push_back(next);
    }
    Result<std::vector<Hypothesis>> found = translateBatch(together);
    if (!found)
      return found.error();
    for (Hypothesis &one : *found)
      all[order[first++]] = std::move(one);
  }
  return all;
}

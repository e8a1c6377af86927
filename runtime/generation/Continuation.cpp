// From logits to the tokens of a text.
#include "runtime/generation/Continuation.h"

#include "runtime/generation/Phrases.h"

#include <algorithm>

using namespace weft::runtime;

Result<int64_t> weft::runtime::roomFor(const Facts &facts, const ContinuationSettings &settings,
                                       const Prompt &prompt) {
  std::optional<ContextLimit> limit = contextLimit(facts, *settings.decoding);
  int64_t length = std::ssize(prompt.ids);
  if (!limit)
    return settings.maxTokens;
  if (length > limit->positions)
    return Error{Code::Size, text("%s has %lld tokens, this build has room for %lld%s; shorten it",
                                  prompt.origin.c_str(), wide(length), wide(limit->positions),
                                  facts.place(facts.dims[limit->dimension]).c_str())};
  // the last one is not taken in again, so it needs no room
  return std::min(settings.maxTokens, limit->positions - length + 1);
}

Continuing::Continuing(const ContinuationSettings &settings, const Prompt &prompt, int64_t room,
                       std::function<void(int32_t)> made)
    : settings(settings), sampling(settings.sampling), room(room), text(prompt.ids),
      made(std::move(made)) {
  if (settings.draft)
    draft.emplace(settings.draft);
  sampling.seed = prompt.seed;
  result.isFull = room < settings.maxTokens;
  if (settings.tokenizer)
    end = settings.tokenizer->endOfText(), another = settings.tokenizer->startOfText();
}

Result<std::optional<int32_t>> Continuing::add(std::span<const float> logits, int64_t position) {
  // ids that the tokenizer does not have are never chosen
  size_t known =
      settings.tokenizer ? static_cast<size_t>(settings.tokenizer->size()) : logits.size();
  Result<int32_t> next =
      chooseToken(logits.first(std::min(known, logits.size())), sampling, position);
  if (!next)
    return next.error();
  if (*next == end || *next == another) {
    result.ended = true;
    result.isFull = false;
    return std::optional<int32_t>();
  }
  made(*next);
  text.push_back(*next);
  result.ids.push_back(*next);
  return std::optional(*next);
}

Status Continuing::start(std::span<const float> logits, int64_t known) {
  Result<std::optional<int32_t>> next = add(logits, known);
  return next ? success() : next.error();
}

Result<std::span<const int32_t>> Continuing::next() {
  int64_t left = room - std::ssize(result.ids) - 1; // the last is not taken in
  auto most = static_cast<size_t>(std::min(settings.speculate, left));
  Result<std::vector<int32_t>> proposed =
      draft ? draft->propose(text, most) : repeatedPhrase(text, most);
  if (!proposed)
    return proposed.error();
  fresh.assign(1, text.back());
  fresh.insert(fresh.end(), proposed->begin(), proposed->end());
  ++result.steps;
  result.proposed += std::ssize(*proposed);
  return std::span<const int32_t>(fresh);
}

Status Continuing::take(Generator &generator, std::span<const std::span<const float>> logits) {
  int64_t known = generator.known() - std::ssize(fresh);
  for (size_t i = 0;; ++i) {
    Result<std::optional<int32_t>> next = add(logits[i], ++known);
    if (!next)
      return next.error();
    if (i + 1 == fresh.size())
      return success();
    if (*next != fresh[i + 1])
      return generator.rewind(known);
    ++result.kept;
  }
}

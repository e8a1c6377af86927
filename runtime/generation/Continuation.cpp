// From logits to printed text.
#include "runtime/generation/Continuation.h"

#include "runtime/base/Utf8Stream.h"
#include "runtime/generation/Phrases.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

using namespace weft::runtime;

namespace {
/// Prints tokens as they come: as text, or as ids.
class Printer {
public:
  explicit Printer(const Tokenizer *tokenizer) {
    if (tokenizer)
      decoder.emplace(*tokenizer);
  }
  void print(int32_t id) {
    if (decoder)
      fputs(stream.push(decoder->push(id)).c_str(), stdout);
    else
      printf("%s%d", first ? "" : " ", id);
    first = false;
    fflush(stdout);
  }
  bool hasBegun() const { return !first; }
  void finish() {
    fputs(stream.finish().c_str(), stdout);
    putchar('\n');
    fflush(stdout); // before what follows on the other stream
  }

private:
  std::optional<TextDecoder> decoder; // none: ids
  Utf8Stream stream;
  bool first = true;
};
} // namespace

Result<int64_t> weft::runtime::roomFor(const Facts &facts, const ContinuationRequest &request) {
  std::optional<ContextLimit> limit = contextLimit(facts, *request.decoding);
  auto length = static_cast<int64_t>(request.prompt.size());
  if (!limit)
    return request.maxTokens;
  if (length > limit->positions)
    return Error{Code::Size,
                 text("the prompt has %lld tokens, this build has room for %lld%s; shorten it",
                      wide(length), wide(limit->positions),
                      facts.place(facts.dims[limit->dimension]).c_str())};
  // the last one is not taken in again, so it needs no room
  return std::min(request.maxTokens, limit->positions - length + 1);
}

namespace {
/// A continuation that is being made.
class Continuing {
public:
  Continuing(Generator &generator, const ContinuationRequest &request, int64_t room)
      : generator(generator), request(request), room(room), text(request.prompt),
        printer(request.tokenizer.get()) {
    if (request.tokenizer)
      end = request.tokenizer->endOfText(), another = request.tokenizer->startOfText();
  }
  Result<Continuation> run();

private:
  using Clock = std::chrono::steady_clock;
  /// Takes in the prompt.
  Status begin();
  /// Takes in the last token and what is proposed to follow, and keeps of it what is chosen.
  Status step();
  /// Adds the token that these logits choose; none where the text ends.
  Result<std::optional<int32_t>> add(std::span<const float> logits, int64_t position);
  Generator &generator;
  const ContinuationRequest &request;
  int64_t room;
  std::vector<int32_t> text; // with the prompt
  // Where another text begins, this one has ended: some models were trained without an end mark.
  std::optional<int32_t> end, another;
  Printer printer;
  Continuation made;
};
} // namespace

Result<std::optional<int32_t>> Continuing::add(std::span<const float> logits, int64_t position) {
  // ids that the tokenizer does not have are never chosen
  size_t known = request.tokenizer ? static_cast<size_t>(request.tokenizer->size()) : logits.size();
  Result<int32_t> next =
      chooseToken(logits.first(std::min(known, logits.size())), request.sampling, position);
  if (!next)
    return next.error();
  if (*next == end || *next == another) {
    made.ended = true;
    return std::optional<int32_t>();
  }
  printer.print(*next);
  text.push_back(*next);
  ++made.tokens;
  return std::optional(*next);
}

Status Continuing::begin() {
  Result<std::span<const float>> logits = generator.advance(text);
  if (!logits)
    return logits.error();
  for (int32_t id : request.prompt) // one that the model refuses is not printed
    printer.print(id);
  Result<std::optional<int32_t>> next = add(*logits, generator.known());
  return next ? success() : next.error();
}

Status Continuing::step() {
  int64_t known = generator.known(), left = room - made.tokens - 1; // the last is not taken in
  auto most = static_cast<size_t>(std::min(request.speculate, left));
  std::vector<int32_t> fresh{text.back()}, phrase = repeatedPhrase(text, most);
  fresh.insert(fresh.end(), phrase.begin(), phrase.end());
  ++made.steps;
  if (phrase.empty()) {
    Result<std::span<const float>> logits = generator.advance(fresh);
    if (!logits)
      return logits.error();
    Result<std::optional<int32_t>> next = add(*logits, generator.known());
    return next ? success() : next.error();
  }
  made.proposed += static_cast<int64_t>(phrase.size());
  Result<std::vector<std::span<const float>>> logits = generator.advanceEach(fresh);
  if (!logits)
    return logits.error();
  for (size_t i = 0;; ++i) {
    Result<std::optional<int32_t>> next = add((*logits)[i], ++known);
    if (!next)
      return next.error();
    if (i == phrase.size() || *next != phrase[i])
      break;
    ++made.kept;
  }
  return generator.rewind(known);
}

Result<Continuation> Continuing::run() {
  Clock::time_point start = Clock::now();
  Status status = begin();
  Clock::time_point prefilled = Clock::now();
  while (status && made.tokens < room && !made.ended)
    status = step();
  if (printer.hasBegun())
    printer.finish();
  if (!status)
    return status.error();
  made.promptSeconds = std::chrono::duration<double>(prefilled - start).count();
  made.stepSeconds = std::chrono::duration<double>(Clock::now() - prefilled).count();
  return made;
}

Result<Continuation> weft::runtime::continuePrompt(Generator &generator,
                                                   const ContinuationRequest &request,
                                                   int64_t room) {
  return Continuing(generator, request, room).run();
}

// From logits to printed text.
#include "runtime/generation/Continuation.h"

#include "runtime/base/Utf8Stream.h"

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

Result<Continuation> weft::runtime::continuePrompt(Generator &generator,
                                                   const ContinuationRequest &request,
                                                   int64_t room) {
  using Clock = std::chrono::steady_clock;
  Printer printer(request.tokenizer.get());
  std::optional<int32_t> end = request.tokenizer ? request.tokenizer->endOfText() : std::nullopt;
  // where another text begins, this one has ended: some models were trained without an end mark
  std::optional<int32_t> another =
      request.tokenizer ? request.tokenizer->startOfText() : std::nullopt;
  std::vector<int32_t> fresh = request.prompt;
  Continuation made;
  Clock::time_point start = Clock::now(), prefilled = start;
  for (; made.tokens < room; ++made.tokens) {
    Result<std::span<const float>> logits = generator.advance(fresh);
    if (!logits) {
      if (made.tokens > 0)
        printer.finish();
      return logits.error();
    }
    if (made.tokens == 0) { // a prompt that the model refuses is not printed
      prefilled = Clock::now();
      for (int32_t id : request.prompt)
        printer.print(id);
    }
    // ids that the tokenizer does not have are never chosen
    size_t known =
        request.tokenizer ? static_cast<size_t>(request.tokenizer->size()) : logits->size();
    Result<int32_t> next = chooseToken(logits->first(std::min(known, logits->size())),
                                       request.sampling, generator.known());
    if (!next) {
      printer.finish();
      return next.error();
    }
    if (*next == end || *next == another) {
      made.ended = true;
      break;
    }
    printer.print(*next);
    fresh = {*next};
  }
  printer.finish();
  made.promptSeconds = std::chrono::duration<double>(prefilled - start).count();
  made.stepSeconds = std::chrono::duration<double>(Clock::now() - prefilled).count();
  return made;
}

// Texts that take turns in the places of a batch.
#include "runtime/generation/Continuations.h"

#include <algorithm>
#include <chrono>

using namespace weft::runtime;

namespace {
using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

class Batch {
public:
  Batch(Model &model, const ContinuationSettings &settings, std::span<const Prompt> prompts,
        TextListener &listener)
      : model(model), settings(settings), prompts(prompts), listener(listener) {}
  Result<ContinuationTotals> run(size_t batch);

private:
  /// A text in work.
  struct Place {
    size_t text;
    Generator generator;
    Continuing continuing;
  };
  /// A prompt that was taken in, for the texts that go on from it.
  struct TakenIn {
    Generator generator;
    std::vector<float> logits;
  };
  Status checkPrompts();
  Status open(size_t text);
  Result<Generator> takeIn(size_t text, std::vector<float> &logits);
  Status step();
  /// Whether somebody still listens.
  bool closeDone();
  /// An error of one text, which says of which where there are several.
  Error of(size_t text, const Error &error) const {
    return prompts.size() == 1 ? error
                               : Error{error.code, prompts[text].origin + ": " + error.message};
  }
  bool isAgain(size_t text) const {
    return text < prompts.size() && prompts[text].ids == prompts[text - 1].ids;
  }

  Model &model;
  const ContinuationSettings &settings;
  std::span<const Prompt> prompts;
  TextListener &listener;
  std::vector<int64_t> rooms;
  std::vector<std::unique_ptr<Place>> places;
  std::optional<TakenIn> last;
  ContinuationTotals totals;
};
} // namespace

Status Batch::checkPrompts() {
  for (const Prompt &prompt : prompts) {
    Result<int64_t> room = roomFor(model.facts, settings, prompt);
    if (!room)
      return room.error();
    rooms.push_back(*room);
    for (int32_t id : prompt.ids)
      if (Status status = checkId(model.facts, *settings.decoding, id); !status)
        return Error{status.error().code, prompt.origin + ": " + status.error().message};
  }
  return success();
}

/// A generator that knows the prompt of a text, and the logits behind it.
Result<Generator> Batch::takeIn(size_t text, std::vector<float> &logits) {
  if (!last || !isAgain(text)) {
    last.reset();
    const std::vector<int32_t> &ids = prompts[text].ids;
    Result<Generator> generator =
        Generator::create(model, *settings.decoding, std::ssize(ids) + rooms[text] - 1);
    if (!generator)
      return generator.error();
    Result<std::span<const float>> found = generator->advance(ids);
    if (!found)
      return found.error();
    totals.prompts += std::ssize(ids);
    last.emplace(TakenIn{std::move(*generator), {found->begin(), found->end()}});
  }
  logits = last->logits;
  if (isAgain(text + 1)) {
    const int64_t row[] = {0};
    return last->generator.branch(row);
  }
  Result<Generator> generator = std::move(last->generator);
  last.reset();
  return generator;
}

Status Batch::open(size_t text) {
  std::vector<float> logits;
  Result<Generator> generator = takeIn(text, logits);
  if (!generator)
    return of(text, generator.error());
  listener.begun(text);
  auto tell = [this, text](int32_t id) { listener.token(text, id); };
  places.push_back(std::unique_ptr<Place>(new Place{
      text, std::move(*generator), Continuing(settings, prompts[text], rooms[text], tell)}));
  Place &place = *places.back();
  if (Status status = place.continuing.start(logits, place.generator.known()); !status)
    return of(text, status.error());
  return success();
}

bool Batch::closeDone() {
  bool listens = true;
  std::erase_if(places, [&](const std::unique_ptr<Place> &place) {
    if (!place->continuing.isDone())
      return false;
    const Continuation &made = place->continuing.continuation();
    int64_t tokens = std::ssize(made.ids);
    totals.tokens += tokens, totals.stepped += std::max<int64_t>(tokens - 1, 0);
    totals.steps += made.steps, totals.proposed += made.proposed, totals.kept += made.kept;
    totals.full += made.isFull;
    listens &= listener.ended(place->text, made);
    return true;
  });
  return listens;
}

/// Each text takes in its last token, and what is proposed to follow.
Status Batch::step() {
  std::vector<Generator::Turn> turns;
  for (const auto &place : places) {
    Result<std::span<const int32_t>> next = place->continuing.next();
    if (!next)
      return of(place->text, next.error());
    turns.push_back({&place->generator, *next});
  }
  if (turns.size() == 1 && turns.front().ids.size() == 1) { // nothing to share: no launch is kept
    Result<std::span<const float>> alone = turns.front().generator->advance(turns.front().ids);
    if (!alone)
      return of(places.front()->text, alone.error());
    return places.front()->continuing.take(places.front()->generator, {&*alone, 1});
  }
  Result<std::vector<Generator::EachLogits>> logits = Generator::advanceTogether(turns);
  if (!logits)
    return logits.error();
  for (size_t i = 0; i < places.size(); ++i)
    if (Status status = places[i]->continuing.take(places[i]->generator, (*logits)[i]); !status)
      return of(places[i]->text, status.error());
  return success();
}

Result<ContinuationTotals> Batch::run(size_t batch) {
  if (Status status = checkPrompts(); !status)
    return status.error();
  size_t next = 0;
  do {
    Clock::time_point start = Clock::now();
    if (next < prompts.size() && places.size() < batch) {
      if (Status status = open(next++); !status)
        return status.error();
      totals.promptSeconds += secondsSince(start);
    } else {
      if (Status status = step(); !status)
        return status.error();
      totals.stepSeconds += secondsSince(start);
    }
  } while (closeDone() && (next < prompts.size() || !places.empty()));
  return totals;
}

Result<ContinuationTotals> weft::runtime::continueAll(Model &model,
                                                      const ContinuationSettings &settings,
                                                      std::span<const Prompt> prompts, size_t batch,
                                                      TextListener &listener) {
  return Batch(model, settings, prompts, listener).run(batch);
}

// Beam search over the rows of a generator.
#include "runtime/generation/Search.h"

#include "runtime/generation/Sampler.h"

#include <algorithm>
#include <cmath>
#include <tuple>

using namespace weft::runtime;

namespace {
/// One more id behind a beam.
struct Step {
  double score;
  int64_t beam;
  int32_t id;
};

/// The beams of one prompt.
class Beams {
public:
  explicit Beams(const SearchSettings &settings) : settings(settings), live(1) {}
  bool done() const { return live.empty(); }
  /// Goes on by the id at `position`, given the logits of the row of each beam.
  Status extend(std::span<const float> logits, int64_t vocabulary, int64_t position);
  /// Where the row of each beam came from, counted among the beams, and its newest id.
  std::vector<int64_t> from;
  std::vector<int32_t> newest;
  /// The best, finished or not.
  Hypothesis best() const;

private:
  /// What scores are compared by, where so many ids were added.
  double rank(double score, size_t length) const {
    return settings.lengthPenalty == 0
               ? score
               : score / std::pow(static_cast<double>(std::max<size_t>(length, 1)),
                                  settings.lengthPenalty);
  }
  double rank(const Hypothesis &found) const {
    return rank(found.score, found.ids.size() + (found.ended ? 1 : 0));
  }
  Status collect(std::span<const float> logits, int64_t position, int64_t beam,
                 std::vector<Step> &steps) const;
  bool isSuppressed(const std::vector<int32_t> &ids, int32_t next) const;
  /// Whether an unfinished one may still become the best.
  bool isOpen() const;
  const SearchSettings &settings;
  std::vector<Hypothesis> live; // best first
  std::optional<Hypothesis> finished;
};
} // namespace

static bool better(const Step &a, const Step &b) {
  return std::tie(b.score, a.beam, a.id) < std::tie(a.score, b.beam, b.id);
}

/// Whether `next` behind `ids` would end a run that must not occur.
bool Beams::isSuppressed(const std::vector<int32_t> &ids, int32_t next) const {
  return std::any_of(settings.suppressed.begin(), settings.suppressed.end(), [&](const auto &run) {
    return run.back() == next && run.size() <= ids.size() + 1 &&
           std::equal(run.begin(), run.end() - 1, ids.end() - static_cast<int64_t>(run.size() - 1));
  });
}

/// Adds the best continuations of a beam to `steps`, which holds twice as many as there are beams:
/// half of them may be ends.
Status Beams::collect(std::span<const float> logits, int64_t position, int64_t beam,
                      std::vector<Step> &steps) const {
  size_t most = static_cast<size_t>(2 * settings.beams);
  Result<size_t> likely = mostLikely(logits, position);
  if (!likely)
    return likely.error();
  float top = logits[*likely];
  // Beside an infinite logit, all that is not is impossible.
  auto belowTop = [top](float logit) {
    return logit == top ? 0 : static_cast<double>(logit) - top;
  };
  double sum = 0;
  for (float logit : logits)
    sum += std::exp(belowTop(logit));
  double score = live[static_cast<size_t>(beam)].score - std::log(sum);
  auto ids = std::min(static_cast<int64_t>(logits.size()), settings.ids);
  for (int64_t id = 0; id < ids; ++id) {
    Step step{score + belowTop(logits[static_cast<size_t>(id)]), beam, static_cast<int32_t>(id)};
    if (steps.size() == most && !better(step, steps.back()))
      continue;
    if (isSuppressed(live[static_cast<size_t>(beam)].ids, step.id))
      continue;
    if (steps.size() == most)
      steps.pop_back();
    steps.insert(std::upper_bound(steps.begin(), steps.end(), step, better), step);
  }
  return success();
}

Status Beams::extend(std::span<const float> logits, int64_t vocabulary, int64_t position) {
  std::vector<Step> steps;
  auto width = static_cast<size_t>(vocabulary);
  for (size_t beam = 0; beam < live.size(); ++beam)
    if (Status status = collect(logits.subspan(beam * width, width), position,
                                static_cast<int64_t>(beam), steps);
        !status)
      return status;
  std::vector<Hypothesis> next;
  from.clear();
  newest.clear();
  for (size_t i = 0; i < steps.size() && next.size() < static_cast<size_t>(settings.beams); ++i) {
    Hypothesis found = live[static_cast<size_t>(steps[i].beam)];
    found.score = steps[i].score;
    found.ended = steps[i].id == settings.end;
    if (found.ended && i < static_cast<size_t>(settings.beams) &&
        (!finished || rank(found) > rank(*finished)))
      finished = found;
    if (found.ended)
      continue;
    found.ids.push_back(steps[i].id);
    next.push_back(std::move(found));
    from.push_back(steps[i].beam);
    newest.push_back(steps[i].id);
  }
  live = std::move(next);
  if (!isOpen())
    live.clear();
  return success();
}

bool Beams::isOpen() const {
  if (!finished || live.empty())
    return !live.empty();
  // scores only fall; a penalty favours the longest
  size_t longest = static_cast<size_t>(settings.maxTokens);
  size_t length = settings.lengthPenalty > 0 ? longest : live[0].ids.size() + 1;
  return rank(live[0].score, length) > rank(*finished);
}

Hypothesis Beams::best() const {
  if (live.empty())
    return finished.value_or(Hypothesis());
  const Hypothesis &open =
      *std::max_element(live.begin(), live.end(), [&](const Hypothesis &a, const Hypothesis &b) {
        return rank(a) < rank(b);
      });
  return finished && rank(*finished) >= rank(open) ? *finished : open;
}

/// An end that never comes and a run that never occurs are mistakes.
static Status checkIds(const SearchSettings &settings, int64_t vocabulary) {
  std::vector<int32_t> all(settings.end ? 1 : 0, settings.end.value_or(0));
  for (const std::vector<int32_t> &run : settings.suppressed)
    all.insert(all.end(), run.begin(), run.end());
  for (int32_t id : all)
    if (id >= vocabulary)
      return Error{Code::Value,
                   text("%d can neither end a sequence nor be suppressed: the model has "
                        "%lld ids",
                        id, wide(vocabulary))};
  return success();
}

Result<std::vector<Hypothesis>>
weft::runtime::search(Generator &generator, const std::vector<std::vector<int32_t>> &prompts,
                      const SearchSettings &settings) {
  auto width = static_cast<size_t>(settings.beams);
  int64_t vocabulary = generator.vocabulary();
  if (Status status = checkIds(settings, vocabulary); !status)
    return status.error();
  std::vector<Beams> searches(prompts.size(), Beams(settings));
  std::vector<int32_t> ids;
  for (const std::vector<int32_t> &prompt : prompts)
    for (size_t beam = 0; beam < width; ++beam)
      ids.insert(ids.end(), prompt.begin(), prompt.end());
  for (int64_t made = 0; made < settings.maxTokens; ++made) {
    Result<std::span<const float>> logits = generator.advance(ids);
    if (!logits)
      return logits.error();
    std::vector<int64_t> from(searches.size() * width);
    ids.assign(from.size(), 0);
    bool open = false;
    for (size_t i = 0; i < searches.size(); ++i) {
      Beams &beams = searches[i];
      size_t first = i * width, row = static_cast<size_t>(vocabulary);
      if (!beams.done())
        if (Status status = beams.extend(logits->subspan(first * row, width * row), vocabulary,
                                         static_cast<int64_t>(prompts[i].size()) + made);
            !status)
          return status.error();
      open |= !beams.done();
      for (size_t beam = 0; beam < width; ++beam) { // a row without a beam is any row
        bool used = !beams.done() && beam < beams.from.size();
        from[first + beam] = static_cast<int64_t>(first) + (used ? beams.from[beam] : 0);
        ids[first + beam] = used ? beams.newest[beam] : 0;
      }
    }
    if (!open)
      break;
    if (Status status = generator.reorder(from); !status)
      return status.error();
  }
  std::vector<Hypothesis> found;
  for (const Beams &beams : searches)
    found.push_back(beams.best());
  return found;
}

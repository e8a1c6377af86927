// Batches of sentences, shuffled by counters.
#include "runtime/data/pairs/PairSource.h"

#include "runtime/text/KeptTokenizer.h"

#include "runtime/base/Permutation.h"

#include <algorithm>
#include <tuple>

using namespace weft::runtime;

PairSource::PairSource(Contents contents_) : contents(std::move(contents_)) {
  for (const std::vector<Row> *split : {&contents.train, &contents.validation, &contents.test})
    for (const Row &row : *split) {
      auto longer = static_cast<int64_t>(std::max(row.source.size(), row.label.size()));
      if (longer > std::max(longestSource, longestTarget))
        longestLine = row.line;
      longestSource = std::max(longestSource, static_cast<int64_t>(row.source.size()));
      longestTarget = std::max(longestTarget, static_cast<int64_t>(row.label.size()));
    }
}

const std::vector<PairSource::Row> &PairSource::of(Split split) const {
  return split == Split::Train        ? contents.train
         : split == Split::Validation ? contents.validation
                                      : contents.test;
}

Status PairSource::resize(EntryRun &run, int64_t rows, int64_t sourceLength,
                          int64_t targetLength) const {
  const Binding &binding = contents.binding;
  if (binding.sourceDim == binding.targetDim)
    sourceLength = targetLength = std::max(sourceLength, targetLength);
  for (auto [dimension, size, origin] : {std::tuple(binding.batchDim, rows, "--batch"),
                                         {binding.sourceDim, sourceLength, "the source sentences"},
                                         {binding.targetDim, targetLength, "the target sentences"}})
    if (Status status = run.setSize(dimension, size, origin); !status)
      return status;
  return success();
}

Status PairSource::setSizes(EntryRun &run, int64_t rows) const {
  auto orLongest = [](int64_t fixed, int64_t longest) { return fixed > 0 ? fixed : longest; };
  return resize(run, rows, orLongest(contents.sourceLength, longestSource),
                orLongest(contents.targetLength, longestTarget));
}

Error PairSource::explained(Error error) const {
  bool fixed = contents.sourceLength > 0 && contents.targetLength > 0;
  if (error.code != Code::Memory || fixed || longestLine == 0)
    return error;
  return {error.code,
          text("%s; the longest sentence, at %s:%lld, has %lld tokens: leave it out, or cut "
               "sentences with --seq",
               error.message.c_str(), contents.path.c_str(), wide(longestLine),
               wide(std::max(longestSource, longestTarget)))};
}

/// Writes ids into a row of an input, and padding behind them.
static void write(EntryRun &run, int input, int64_t row, std::span<const int32_t> ids,
                  std::optional<int32_t> first, int32_t padding) {
  if (input < 0)
    return;
  int64_t length = run.inputShape(input)[1];
  int32_t *into = run.input<int32_t>(input) + row * length, *end = into + length;
  if (first)
    *into++ = *first;
  into = std::copy_n(ids.begin(), std::min(static_cast<int64_t>(ids.size()), end - into), into);
  std::fill(into, end, padding);
}

Status PairSource::fillRows(EntryRun &run, const Rows &rows) const {
  int64_t sourceLength = contents.sourceLength, targetLength = contents.targetLength;
  for (const Row *row : rows) { // fixed lengths have cut the rows
    sourceLength = std::max(sourceLength, static_cast<int64_t>(row->source.size()));
    targetLength = std::max(targetLength, static_cast<int64_t>(row->label.size()));
  }
  const Binding &binding = contents.binding;
  const Sizes &sizes = run.sizes();
  bool fits = sizes[binding.batchDim] == static_cast<int64_t>(rows.size()) &&
              sizes[binding.sourceDim] == sourceLength && sizes[binding.targetDim] == targetLength;
  if (!fits) {
    run.forgetSizes();
    if (Status status = resize(run, static_cast<int64_t>(rows.size()), sourceLength, targetLength);
        !status)
      return status;
    if (Status status = run.allocate(); !status)
      return status;
  }
  auto input = [&](const std::string &name) {
    return name.empty() ? -1 : argumentNamed(run.entry().inputs, name);
  };
  int from = input(binding.source), valid = input(binding.valid), to = input(binding.target),
      label = input(binding.label), length = input(binding.length);
  int32_t sourcePad = *source().padding(), targetPad = *target().padding();
  for (size_t i = 0; i < rows.size(); ++i) {
    const Row &row = *rows[i];
    auto at = static_cast<int64_t>(i);
    write(run, from, at, row.source, std::nullopt, sourcePad);
    write(run, to, at, row.label, target().startOfText(), targetPad);
    write(run, label, at, row.label, std::nullopt, targetPad);
    if (valid >= 0)
      run.input<int32_t>(valid)[i] = static_cast<int32_t>(row.source.size());
    if (length >= 0)
      run.input<int32_t>(length)[i] = static_cast<int32_t>(row.label.size());
  }
  return success();
}

int64_t PairSource::shuffled(int64_t position) const {
  auto count = contents.train.size(), at = static_cast<size_t>(position);
  Permutation order(count, RandomStream(contents.seed, streamNamed("data.order") + at / count));
  return static_cast<int64_t>(order(at % count));
}

int64_t PairSource::sentenceAt(int64_t step, int64_t batch, int64_t row) const {
  if (contents.sourceLength > 0 && contents.targetLength > 0)
    return shuffled((step - 1) * batch + row);
  // No more than an epoch has: of a longer one, a short training would see the same few sentences.
  auto count = static_cast<int64_t>(contents.train.size());
  int64_t poolSteps = std::min<int64_t>(64, (count + batch - 1) / batch);
  int64_t number = (step - 1) / poolSteps, slot = (step - 1) % poolSteps;
  if (pool.number != number || pool.batch != batch) {
    pool = {number, batch, {}};
    for (int64_t i = 0; i < poolSteps * batch; ++i)
      pool.sentences.push_back(shuffled(number * poolSteps * batch + i));
    auto key = [&](int64_t sentence) {
      const Row &pair = contents.train[static_cast<size_t>(sentence)];
      return std::tuple(pair.source.size(), pair.label.size(), sentence);
    };
    std::sort(pool.sentences.begin(), pool.sentences.end(),
              [&](int64_t a, int64_t b) { return key(a) < key(b); });
  }
  Permutation order(
      static_cast<uint64_t>(poolSteps),
      RandomStream(contents.seed, streamNamed("data.batches") + static_cast<uint64_t>(number)));
  int64_t group = static_cast<int64_t>(order(static_cast<uint64_t>(slot)));
  return pool.sentences[static_cast<size_t>(group * batch + row)];
}

Status PairSource::fillTraining(EntryRun &run, BatchPlace place) const {
  Rows rows;
  for (int64_t row = 0; row < place.rows; ++row)
    rows.push_back(
        &contents
             .train[static_cast<size_t>(sentenceAt(place.step, place.batch, place.first + row))]);
  return fillRows(run, rows);
}

Status PairSource::fill(EntryRun &run, Split split, int64_t first, int64_t count) const {
  Rows rows;
  for (int64_t row = first; row < first + count; ++row)
    rows.push_back(&of(split)[static_cast<size_t>(row)]);
  return fillRows(run, rows);
}

double PairSource::weight(Split split, int64_t first, int64_t count) const {
  if (contents.binding.length.empty())
    return static_cast<double>(count);
  double labels = 0;
  for (int64_t row = first; row < first + count; ++row)
    labels += static_cast<double>(of(split)[static_cast<size_t>(row)].label.size());
  return labels;
}

int64_t PairSource::sequence() const {
  return contents.sourceLength == contents.targetLength ? contents.targetLength : 0;
}

std::vector<SavedTokenizer> PairSource::tokenizers() const {
  return {{tokenizerFile, contents.target.get()}, {sourceTokenizerFile, contents.source.get()}};
}

std::string PairSource::description() const {
  std::string held;
  for (auto [split, purpose] :
       {std::pair{Split::Validation, "to validate on"}, {Split::Test, "to test on"}})
    if (rows(split) > 0)
      held += text(", %lld %s", wide(rows(split)), purpose);
  return text("%lld pairs to train on%s; %lld and %lld words%s", wide(rows(Split::Train)),
              held.c_str(), wide(source().size()), wide(target().size()), contents.remark.c_str());
}

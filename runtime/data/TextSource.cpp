// Windows of a text, shuffled by counters.
#include "runtime/data/TextSource.h"

#include "runtime/base/Permutation.h"

#include <algorithm>
#include <cstring>

using namespace weft::runtime;

TextSource::TextSource(Contents contents_)
    : contents(std::move(contents_)), length(contents.sequence),
      trained(contents.allForValidation
                  ? 0
                  : static_cast<int64_t>(contents.tokens.size() - contents.tokens.size() / 10)) {}

Result<std::unique_ptr<DataSource>> TextSource::create(Contents contents) {
  std::unique_ptr<TextSource> source(new TextSource(std::move(contents)));
  bool all = source->contents.allForValidation;
  int64_t usable = all ? static_cast<int64_t>(source->contents.tokens.size()) : source->trained;
  if (usable >= source->length + 1)
    return std::unique_ptr<DataSource>(std::move(source));
  return Error{
      Code::Value,
      text(
          "the text is too short: %s has %lld tokens, a window of --seq %lld needs %lld; give more "
          "text or a smaller --seq",
          all ? "it" : "its training part", wide(usable), wide(source->length),
          wide(source->length + 1))};
}

Status TextSource::setSizes(EntryRun &run, int64_t rows) const {
  if (Status status = run.setSize(contents.binding.batchDim, rows, "--batch"); !status)
    return status;
  return run.setSize(contents.binding.sequenceDim, length, "--seq");
}

int64_t TextSource::windowStart(uint64_t window) const {
  int64_t windows = std::max<int64_t>(1, rowsOfEpoch());
  int64_t offsets = std::min(length, trained - windows * length);
  uint64_t epoch = window / static_cast<uint64_t>(windows);
  int64_t offset = static_cast<int64_t>(RandomStream(contents.seed, streamNamed("data.offset"))
                                            .below(static_cast<uint64_t>(offsets), epoch));
  Permutation order(static_cast<uint64_t>(windows),
                    RandomStream(contents.seed, streamNamed("data.order") + epoch));
  return offset + static_cast<int64_t>(order(window % static_cast<uint64_t>(windows))) * length;
}

void TextSource::fillRow(EntryRun &run, int64_t row, int64_t start) const {
  auto bytes = static_cast<size_t>(length) * sizeof(int32_t);
  int into = argumentNamed(run.entry().inputs, contents.binding.tokens),
      next = argumentNamed(run.entry().inputs, contents.binding.next);
  memcpy(run.input<int32_t>(into) + row * length, contents.tokens.data() + start, bytes);
  if (next >= 0)
    memcpy(run.input<int32_t>(next) + row * length, contents.tokens.data() + start + 1, bytes);
}

Status TextSource::fillTraining(EntryRun &run, BatchPlace place) const {
  for (int64_t row = 0; row < place.rows; ++row)
    fillRow(run, row,
            windowStart(static_cast<uint64_t>((place.step - 1) * place.batch + place.first + row)));
  return success();
}

int64_t TextSource::rows(Split split) const {
  if (split == Split::Test)
    return 0;
  int64_t tokens =
      split == Split::Train ? trained : static_cast<int64_t>(contents.tokens.size()) - trained;
  return std::max<int64_t>(0, (tokens - 1) / length);
}

int64_t TextSource::rowsOfEpoch() const {
  // As many as fit at every offset, so that every epoch has equally many.
  return trained > length ? std::max<int64_t>(1, (trained - length) / length) : 0;
}

Status TextSource::fill(EntryRun &run, Split split, int64_t first, int64_t count) const {
  int64_t start = split == Split::Train ? 0 : trained;
  for (int64_t row = 0; row < count; ++row)
    fillRow(run, row, start + (first + row) * length);
  return success();
}

std::string TextSource::description() const {
  return text("%zu tokens (%s, %lld ids), %lld to train on", contents.tokens.size(),
              contents.tokenizer->kind(), wide(contents.tokenizer->size()), wide(trained));
}

// Rows and positions of a generator: putting rows in another order, going back, branching off.
#include "runtime/generation/Generator.h"

#include <algorithm>
#include <cstring>

using namespace weft::runtime;

namespace {
/// A copy of some rows, and of what is known along the dimension that grows.
struct RowCopy {
  Device *device;             // where both lie; nullptr: on this machine
  std::vector<int64_t> shape; // of the source
  int64_t bytes;              // of an element
  size_t rows, grows;         // the dimensions; the rank where there is none
  std::span<const int64_t> from;
  int64_t known;

  /// Bytes from one place along a dimension to the next, where there are `count` rows.
  int64_t stride(size_t dimension, int64_t count) const {
    int64_t all = bytes;
    for (size_t i = dimension + 1; i < shape.size(); ++i)
      all *= i == rows ? count : shape[i];
    return all;
  }
  /// Copies what lies below a dimension.
  void copy(const char *source, char *target, size_t dimension = 0) const {
    auto count = static_cast<int64_t>(from.size());
    auto isBehind = [&](size_t other) { return other == shape.size() || dimension > other; };
    if (dimension == shape.size() || (isBehind(rows) && isBehind(grows))) {
      int64_t all = dimension == shape.size() ? bytes : stride(dimension, count) * shape[dimension];
      if (device)
        device->copyWithin(target, source, all);
      else
        memcpy(target, source, static_cast<size_t>(all));
      return;
    }
    int64_t places = dimension == rows ? count : dimension == grows ? known : shape[dimension];
    int64_t step = stride(dimension, rows < shape.size() ? shape[rows] : 1),
            apart = stride(dimension, count);
    for (int64_t i = 0; i < places; ++i)
      copy(source + step * (dimension == rows ? from[static_cast<size_t>(i)] : i),
           target + apart * i, dimension + 1);
  }
};
} // namespace

/// The sizes of a tensor whose elements are what has an address: groups, where elements share
/// scales along the last dimension, which is neither of rows nor one that grows.
static std::vector<int64_t> addressed(std::vector<int64_t> shape, Element element) {
  if (int64_t together = footprintOf(element).together; together > 1)
    shape.back() /= together;
  return shape;
}

/// Puts row from[r] into row r along dimension `at` of a tensor. `room` has place for the rows of
/// one place before it, on a device for all.
static void gather(Device *device, char *data, const std::vector<int64_t> &shape, size_t at,
                   int64_t bytes, std::span<const int64_t> from, char *room) {
  int64_t outer = 1, inner = bytes;
  for (size_t i = 0; i < shape.size(); ++i)
    (i < at ? outer : inner) *= i == at ? 1 : shape[i];
  int64_t all = inner * shape[at];
  if (device) {
    device->copyWithin(room, data, outer * all);
    for (size_t row = 0; row < from.size(); ++row)
      device->copyRows(data + static_cast<int64_t>(row) * inner, room + from[row] * inner,
                       {all, all, inner, outer});
    return;
  }
  for (int64_t i = 0; i < outer; ++i, data += all) {
    memcpy(room, data, static_cast<size_t>(all));
    for (size_t row = 0; row < from.size(); ++row)
      memcpy(data + static_cast<int64_t>(row) * inner, room + from[row] * inner,
             static_cast<size_t>(inner));
  }
}

/// Bytes of the rows at one place before them.
static int64_t bytesOfRows(const std::vector<int64_t> &shape, size_t at, int64_t bytes) {
  for (size_t i = at; i < shape.size(); ++i)
    bytes *= shape[i];
  return bytes;
}

size_t Generator::rowsAt(const std::vector<int> &dims) const {
  auto end = batch < 0 ? dims.end() : std::find(dims.begin(), dims.end(), batch);
  return static_cast<size_t>(end - dims.begin());
}

Status Generator::checkGivenRows() const {
  for (const Argument &input : givenInputsOf(model->facts, *decoding)) {
    auto found = given.find(input.name);
    size_t at = rowsAt(input.dims);
    if (found != given.end() && at < input.dims.size() && found->second.shape[at] != rowCount)
      return Error{Code::Size,
                   text("input %s: was given for %lld rows, there are %lld", input.name.c_str(),
                        wide(found->second.shape[at]), wide(rowCount))};
  }
  return success();
}

Status Generator::reorder(std::span<const int64_t> from) {
  bool moves = false;
  for (size_t row = 0; row < from.size(); ++row)
    moves |= from[row] != static_cast<int64_t>(row);
  if (!moves || batch < 0)
    return success();
  if (Status status = checkGivenRows(); !status)
    return status;
  Device *device = model->device.get();
  struct Tensor {
    Mirror *memory;
    std::vector<int64_t> shape;
    size_t rows;
    int64_t bytes;
  };
  std::vector<Tensor> tensors;
  if (position > 0) // before that, caches hold nothing
    for (Cache &cache : caches) {
      const Argument &input = run.entry().inputs[cache.input];
      if (size_t at = rowsAt(input.dims); at < input.dims.size())
        tensors.push_back({cache.memory.get(), addressed(cache.shape, input.element), at,
                           footprintOf(input.element).bytes});
    }
  for (const Argument &input : givenInputsOf(model->facts, *decoding))
    if (size_t at = rowsAt(input.dims); at < input.dims.size() && given.count(input.name)) {
      Mirror &memory = givenMemory[input.name];
      if (Status status = memory.place(); !status)
        return status;
      tensors.push_back({&memory, given[input.name].shape, at, bytesOf(input.element)});
    }
  int64_t most = 0;
  for (const Tensor &tensor : tensors)
    most = std::max(most, bytesOfRows(tensor.shape, device ? 0 : tensor.rows, tensor.bytes));
  if (room.size() < most) {
    room = CodeMemory();
    Result<CodeMemory> larger = CodeMemory::create(model->memory(), most, "room for rows");
    if (!larger)
      return larger.error();
    room = std::move(*larger);
  }
  for (const Tensor &tensor : tensors) {
    gather(device, static_cast<char *>(tensor.memory->forCode()), tensor.shape, tensor.rows,
           tensor.bytes, from, room.data());
    tensor.memory->written();
  }
  begun &= position > 0; // what `begin` makes of other inputs
  return success();
}

Status Generator::rewind(int64_t known) {
  if (known < 0 || known > position)
    return Error{Code::Usage, text("cannot go back to %lld known positions: there are %lld",
                                   wide(known), wide(position))};
  for (const Cache &cache : caches)
    if (cache.total && known > 0 && known < position)
      return Error{Code::Value,
                   text("%s keeps `%s`, a running total, which cannot go back to %lld of %lld "
                        "positions: go back to 0, or branch off before going on",
                        decoding->name.c_str(), run.entry().inputs[cache.input].name.c_str(),
                        wide(known), wide(position))};
  position = known;
  begun &= known > 0; // another sequence may follow other parameters
  return success();
}

Result<Generator> Generator::branch(std::span<const int64_t> from) {
  if (Status status = checkGivenRows(); !status)
    return status.error();
  auto count = static_cast<int64_t>(from.size());
  Generator other(*model, *decoding);
  other.capacity = capacity;
  other.tokens = tokens, other.logits = logits, other.batch = batch;
  if (Status status = other.setRows(count); !status)
    return status.error();
  for (const Argument &input : givenInputsOf(model->facts, *decoding)) {
    auto found = given.find(input.name);
    if (found == given.end())
      continue;
    const GivenInput &value = found->second;
    RowCopy copy{
        nullptr, value.shape, bytesOf(input.element), rowsAt(input.dims), value.shape.size(), from,
        0};
    GivenInput into{value.shape, {}};
    if (copy.rows < into.shape.size())
      into.shape[copy.rows] = count;
    into.data.resize(static_cast<size_t>(bytesOfRows(into.shape, 0, copy.bytes)));
    copy.copy(givenMemory.at(input.name).read(), into.data.data());
    other.take(input.name, std::move(into));
  }
  if (position == 0)
    return other;
  if (Status status = other.allocateCaches(); !status)
    return status.error();
  for (size_t i = 0; i < caches.size(); ++i) {
    const Argument &input = run.entry().inputs[caches[i].input];
    auto grows = std::find(input.dims.begin(), input.dims.end(), decoding->capacity);
    Mirror &memory = *other.caches[i].memory;
    RowCopy copy{model->device.get(),
                 addressed(caches[i].shape, input.element),
                 footprintOf(input.element).bytes,
                 rowsAt(input.dims),
                 static_cast<size_t>(grows - input.dims.begin()),
                 from,
                 position};
    copy.copy(static_cast<char *>(caches[i].memory->forCode()),
              static_cast<char *>(memory.forCode()));
    memory.written();
  }
  other.position = position;
  other.begun = begun;
  if (model->device)
    if (Status status = model->device->wait(); !status)
      return status.error();
  return other;
}

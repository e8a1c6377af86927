// Driving the advance entry.
#include "runtime/generation/Generator.h"

#include "runtime/generation/Undoing.h"

#include <algorithm>
#include <cstring>

using namespace weft::runtime;

Result<const Decoding *> weft::runtime::findDecoding(const Facts &facts, const char *name) {
  std::vector<std::string> names;
  for (const Decoding &decoding : facts.decodings) {
    if (!name || decoding.name == name)
      return &decoding;
    names.push_back(decoding.name);
  }
  if (names.empty())
    return Error{Code::Name,
                 "this program does not generate: its model has no entry made by `decode`"};
  return Error{Code::Name, text("no entry `%s` made by `decode`; this program has %s", name,
                                listed(names).c_str())};
}

std::optional<ContextLimit> weft::runtime::contextLimit(const Facts &facts,
                                                        const Decoding &decoding) {
  std::optional<ContextLimit> limit;
  for (int dimension : {decoding.dim, decoding.capacity}) {
    if (dimension < 0)
      continue;
    const Dimension &facts_ = facts.dims[dimension];
    std::optional<int64_t> most = facts_.size ? facts_.size : facts_.bound;
    if (most && (!limit || *most < limit->positions))
      limit = ContextLimit{*most, dimension};
  }
  return limit;
}

Status weft::runtime::checkId(const Facts &facts, const Decoding &decoding, int32_t id) {
  const std::vector<Argument> &inputs = facts.entries[decoding.advance].inputs;
  const Dimension &ids = facts.dims[inputs[argumentNamed(inputs, decoding.argument)].index];
  if (id >= 0 && id < ids.size.value_or(0))
    return success();
  return Error{Code::Value,
               text("the id %d, but %s has size %lld, so ids are 0 to %lld", id, ids.name.c_str(),
                    wide(ids.size.value_or(0)), wide(ids.size.value_or(0)) - 1)};
}

Result<Generator> Generator::create(Model &model, const Decoding &decoding, int64_t capacity,
                                    int64_t rows) {
  // So far sums of a few positions fit 32 bits: what `decode` proves of masks counts on it.
  constexpr int64_t mostPositions = int64_t(1) << 28;
  if (capacity > mostPositions)
    return Error{Code::Size, text("a capacity of %lld positions: at most %lld", wide(capacity),
                                  wide(mostPositions))};
  Generator generator(model, decoding);
  generator.capacity = capacity;
  if (Status status = generator.findArguments(); !status)
    return status.error();
  if (Status status = generator.setRows(rows); !status)
    return status.error();
  if (givenInputsOf(model.facts, decoding).empty()) // else sizes are not known yet
    if (Status status = generator.allocateCaches(); !status)
      return status.error();
  return generator;
}

Status Generator::findArguments() {
  const Entry &entry = run.entry();
  tokens = argumentNamed(entry.inputs, decoding->argument);
  if (tokens < 0 || entry.inputs[tokens].index < 0 ||
      !model->facts.dims[entry.inputs[tokens].index].size)
    return Error{Code::Internal, text("%s has no input `%s` of ids", entry.name.c_str(),
                                      decoding->argument.c_str())};
  const std::vector<int> &dims = entry.inputs[tokens].dims;
  if (dims.size() == 2 && dims[1] == decoding->fresh)
    batch = dims[0];
  for (size_t i = 0; i < entry.outputs.size(); ++i) {
    const Argument &output = entry.outputs[i];
    if (output.element == Element::Float && !output.dims.empty() &&
        output.dims.back() == entry.inputs[tokens].index)
      logits = static_cast<int>(i);
  }
  if (logits < 0)
    return Error{Code::Internal, text("%s gives no logits", entry.name.c_str())};
  return success();
}

void Generator::restart() {
  position = 0;
  begun = allocated = false;
  steps.clear();
}

Status Generator::setRows(int64_t count) {
  const Facts &facts = model->facts;
  if (count > 1 && batch < 0)
    return Error{Code::Value,
                 text("`%s` %s of %s holds one sequence, not %lld", decoding->argument.c_str(),
                      facts.dimNames(run.entry().inputs[tokens].dims).c_str(),
                      decoding->name.c_str(), wide(count))};
  rowCount = count;
  restart();
  return success();
}

Status Generator::give(const std::string &name, GivenInput value) {
  std::vector<Argument> inputs = givenInputsOf(model->facts, *decoding);
  int number = argumentNamed(inputs, name);
  if (number < 0)
    return Error{Code::Name,
                 text("%s takes no `%s` besides the ids", decoding->name.c_str(), name.c_str())};
  if (value.shape.size() != inputs[number].dims.size())
    return Error{Code::Size, text("input %s: has shape %s, expected %s", name.c_str(),
                                  shapeText(value.shape).c_str(),
                                  model->facts.dimNames(inputs[number].dims).c_str())};
  take(name, std::move(value));
  restart();
  return success();
}

void Generator::take(const std::string &name, GivenInput value) {
  std::vector<char> &data = (given[name] = std::move(value)).data;
  givenMemory[name] = Mirror::over(model->device.get(), data.data(),
                                   static_cast<int64_t>(data.size()), text("`%s`", name.c_str()));
}

Status Generator::give(GivenInputs values) {
  for (auto &[name, value] : values)
    if (Status status = give(name, std::move(value)); !status)
      return status;
  return success();
}

Status Generator::checkGiven() const {
  for (const Argument &input : givenInputsOf(model->facts, *decoding))
    if (!given.count(input.name))
      return Error{Code::Value,
                   text("%s needs `%s` %s besides the ids", decoding->name.c_str(),
                        input.name.c_str(), model->facts.dimNames(input.dims).c_str())};
  return success();
}

Status Generator::setSizes(EntryRun &each, int64_t fresh, int64_t known) const {
  each.forgetSizes();
  const Facts &facts = model->facts;
  auto set = [&](int dimension, int64_t size) {
    // a capacity that is fixed by the build stays what it is
    return dimension < 0 || facts.dims[dimension].size || facts.dims[dimension].formula
               ? success()
               : each.setSize(dimension, size, "generate");
  };
  for (auto [dimension, size] : {std::pair{decoding->fresh, fresh}, {decoding->capacity, capacity}})
    if (Status status = set(dimension, size); !status)
      return status;
  if (known > 0) // unsaid, it is 0
    if (Status status = set(decoding->known, known); !status)
      return status;
  for (int dimension : each.entry().inputs[tokens].dims)
    if (dimension != decoding->fresh)
      if (Status status = set(dimension, rowCount); !status)
        return status;
  for (const Argument &input : givenInputsOf(facts, *decoding)) {
    auto found = given.find(input.name);
    for (size_t i = 0; found != given.end() && i < input.dims.size(); ++i)
      if (Status status =
              each.setSize(input.dims[i], found->second.shape[i], "input " + input.name);
          !status)
        return status;
  }
  return success();
}

/// Whether it is a cache that each `advance` writes all of, a running sum.
bool Generator::isTotal(const Argument &input) const {
  bool grows =
      std::find(input.dims.begin(), input.dims.end(), decoding->capacity) != input.dims.end();
  return input.cache && !grows && !input.once;
}

Status Generator::allocateCaches() {
  if (Status status = setSizes(run, 1, position); !status)
    return status;
  Result<Sizes> sizes = run.settle();
  if (!sizes)
    return sizes.error();
  caches.clear();
  for (auto &[name, mirror] : givenMemory)
    if (Status status = mirror.place(); !status)
      return status;
  const std::vector<Argument> &inputs = run.entry().inputs;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Argument &input = inputs[i];
    int number = static_cast<int>(i);
    if (!input.cache)
      continue;
    int64_t bytes = std::max<int64_t>(bytesOf(input.element, sizes->count(input.dims)), 1);
    Result<Mirror> created =
        Mirror::create(model->memory(), bytes, text("the cache `%s`", input.name.c_str()));
    if (!created)
      return created.error();
    auto memory = std::make_unique<Mirror>(std::move(*created));
    if (Status status = memory->place(); !status)
      return status;
    caches.push_back({number, isTotal(input), sizes->shape(input.dims), std::move(memory), {}});
  }
  bind(run);
  allocated = true;
  return success();
}

void Generator::bind(EntryRun &each) {
  const std::vector<Argument> &inputs = each.entry().inputs;
  for (size_t i = 0; i < inputs.size(); ++i)
    if (auto found = givenMemory.find(inputs[i].name); found != givenMemory.end())
      each.useInput(static_cast<int>(i), &found->second);
  for (Cache &cache : caches)
    each.useInput(cache.input, cache.memory.get());
}

Status Generator::begin() {
  if (begun || decoding->begin < 0)
    return success();
  if (!first)
    first.emplace(*model, decoding->begin);
  first->forgetSizes();
  const std::vector<Argument> &wanted = first->entry().inputs;
  for (Cache &cache : caches)
    if (int at = argumentNamed(wanted, run.entry().inputs[cache.input].name); at >= 0) {
      first->useInput(at, cache.memory.get());
      if (Status status = first->bindShape(at, cache.shape, "generate"); !status)
        return status;
    }
  for (auto &[name, value] : given)
    if (int at = argumentNamed(wanted, name); at >= 0) {
      first->useInput(at, &givenMemory[name]);
      if (Status status = first->bindShape(at, value.shape, "input " + name); !status)
        return status;
    }
  if (Status status = first->allocate(); !status)
    return status;
  if (Status status = first->run(); !status)
    return status;
  begun = true;
  return success();
}

int64_t Generator::vocabulary() const {
  return model->facts.dims[run.entry().inputs[tokens].index].size.value_or(0);
}

/// Keeps what running totals are before a step.
Status Generator::keepTotals() {
  for (Cache &cache : caches)
    if (cache.total && position > 0)
      if (Status status = cache.memory->keep(cache.before); !status)
        return status;
  return success();
}

/// Puts them back, if they were kept: the rows that the step wrote lie behind those that are known.
/// What `begin` made may be of other parameters when the next sequence begins.
void Generator::undoStep(bool totalsKept) {
  for (Cache &cache : caches)
    if (totalsKept && cache.total && position > 0)
      cache.memory->restore(cache.before);
  begun &= position > 0;
}

/// Runs `advance`, behind `begin` where a sequence begins.
Status Generator::compute() {
  const Turn turn{this, {}};
  Undoing undoing({&turn, 1});
  if (Status status = begin(); !status)
    return status;
  if (Status status = keepTotals(); !status)
    return status;
  undoing.prepared = 1;
  if (Status status = run.run(); !status)
    return status;
  undoing.finished = true;
  return success();
}

Status Generator::checkRoom(int64_t fresh) const {
  if (fresh <= capacity - position) // where no cache grows, no size says so
    return success();
  return Error{Code::Size,
               text("a capacity of %lld positions: %lld are known, and %lld more are given",
                    wide(capacity), wide(position), wide(fresh))};
}

std::span<const float> Generator::lastLogits(const EntryRun &each) const {
  int64_t count = rowCount * vocabulary();
  return {each.output<float>(logits) + each.outputCount(logits) - count,
          static_cast<size_t>(count)};
}

Result<std::span<const float>> Generator::advance(std::span<const int32_t> ids) {
  if (Status status = checkGiven(); !status)
    return status.error();
  if (!allocated)
    if (Status status = allocateCaches(); !status)
      return status.error();
  int64_t fresh = static_cast<int64_t>(ids.size()) / rowCount;
  if (Status status = checkRoom(fresh); !status)
    return status.error();
  if (Status status = setSizes(run, fresh, position); !status)
    return status.error();
  if (Status status = run.allocate(); !status)
    return status.error();
  memcpy(run.input(tokens), ids.data(), ids.size_bytes());
  if (Status status = compute(); !status)
    return status.error();
  position += fresh;
  return lastLogits(run);
}

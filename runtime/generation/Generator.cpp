// Driving the advance entry.
#include "runtime/generation/Generator.h"

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

Result<Generator> Generator::create(Model &model, const Decoding &decoding, int64_t capacity) {
  Generator generator(model, decoding);
  generator.capacity = capacity;
  if (Status status = generator.findArguments(); !status)
    return status.error();
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
  if (Status status = checkInputs(entry); !status)
    return status;
  if (decoding->begin >= 0)
    if (Status status = checkInputs(model->facts.entries[decoding->begin]); !status)
      return status;
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

Status Generator::checkInputs(const Entry &entry) const {
  for (const Argument &input : entry.inputs)
    if (!input.cache && input.name != decoding->argument)
      return Error{Code::Value,
                   text("%s needs `%s` besides the ids; generate has only a prompt to give",
                        entry.name.c_str(), input.name.c_str())};
  return success();
}

Status Generator::setSizes(int64_t fresh) {
  run.forgetSizes();
  const Facts &facts = model->facts;
  auto set = [&](int dimension, int64_t size) {
    // a capacity that is fixed by the build stays what it is
    return dimension < 0 || facts.dims[dimension].size || facts.dims[dimension].derived
               ? success()
               : run.setSize(dimension, size, "generate");
  };
  for (auto [dimension, size] : {std::pair{decoding->fresh, fresh}, {decoding->capacity, capacity}})
    if (Status status = set(dimension, size); !status)
      return status;
  if (position > 0) // unsaid, it is 0
    if (Status status = set(decoding->known, position); !status)
      return status;
  for (int dimension : run.entry().inputs[tokens].dims)
    if (dimension != decoding->fresh)
      if (Status status = set(dimension, 1); !status) // one sequence
        return status;
  return success();
}

Status Generator::allocateCaches() {
  if (Status status = setSizes(1); !status)
    return status;
  Result<Sizes> sizes = run.settle();
  if (!sizes)
    return sizes.error();
  const std::vector<Argument> &inputs = run.entry().inputs;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].cache)
      continue;
    int64_t bytes = std::max<int64_t>(sizes->count(inputs[i].dims) * bytesOf(inputs[i].element), 1);
    Result<Block> cache = Block::create(bytes, text("the cache `%s`", inputs[i].name.c_str()));
    if (!cache)
      return cache.error();
    run.useInput(static_cast<int>(i), cache->data());
    caches.push_back(std::move(*cache));
  }
  return success();
}

Status Generator::begin() {
  if (begun || decoding->begin < 0)
    return success();
  EntryRun first(*model, decoding->begin);
  const std::vector<Argument> &all = run.entry().inputs, &wanted = first.entry().inputs;
  size_t next = 0; // of the caches, which are in the order of the inputs
  for (const Argument &input : all) {
    if (!input.cache)
      continue;
    void *memory = caches[next++].data();
    if (int at = argumentNamed(wanted, input.name); at >= 0) {
      first.useInput(at, memory);
      if (Status status = first.bindShape(at, run.sizes().shape(input.dims), "generate"); !status)
        return status;
    }
  }
  if (Status status = first.allocate(); !status)
    return status;
  if (Status status = first.run(); !status)
    return status;
  begun = true;
  return success();
}

int64_t Generator::vocabulary() const {
  return model->facts.dims[run.entry().inputs[tokens].index].size.value_or(0);
}

Result<std::span<const float>> Generator::advance(std::span<const int32_t> ids) {
  if (Status status = setSizes(static_cast<int64_t>(ids.size())); !status)
    return status.error();
  if (Status status = run.allocate(); !status)
    return status.error();
  if (Status status = begin(); !status)
    return status.error();
  memcpy(run.input(tokens), ids.data(), ids.size_bytes());
  if (Status status = run.run(); !status)
    return status.error();
  position += static_cast<int64_t>(ids.size());
  return std::span<const float>(run.output<float>(logits) + run.outputCount(logits) - vocabulary(),
                                static_cast<size_t>(vocabulary()));
}

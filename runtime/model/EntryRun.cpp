// Running an entry.
#include "runtime/model/EntryRun.h"

#include "runtime/machine/Denormals.h"
#include "runtime/model/KeptStates.h"

#include <algorithm>

using namespace weft::runtime;

EntryRun::EntryRun(Model &model, int entry)
    : model(&model), number(entry), asked(model.facts), settled(model.facts),
      inputMemory(model.facts.entries[entry].inputs.size()),
      outputMemory(model.facts.entries[entry].outputs.size()) {}

Status EntryRun::setSize(std::string_view name, int64_t size, const std::string &origin) {
  int dimension = model->facts.dimension(name);
  if (dimension < 0) {
    std::vector<std::string> names;
    for (const Dimension &known : model->facts.dims)
      if (!known.size && !known.formula)
        names.push_back(known.name);
    return Error{Code::Name, text("%s: no dimension `%s`; those to set are %s", origin.c_str(),
                                  std::string(name).c_str(),
                                  names.empty() ? "none" : listed(names, 20).c_str())};
  }
  return asked.set(dimension, size, origin);
}

Status EntryRun::bindShape(int input, const std::vector<int64_t> &shape,
                           const std::string &origin) {
  return asked.bind(entry().inputs[input], shape, origin);
}

/// Makes `block` hold at least this many bytes. One that has to grow gets half as much again:
/// sequences grow by steps.
static Status ensure(Block &block, int64_t bytes, const std::string &what) {
  if (block.size() < bytes) {
    int64_t wanted = block.size() > 0 ? bytes + bytes / 2 : bytes;
    block = Block(); // the old one is given back first
    Result<Block> larger = Block::create(wanted, what);
    if (!larger)
      return larger.error();
    block = std::move(*larger);
  }
  return success();
}

Status EntryRun::reserve(const std::vector<Argument> &arguments, std::vector<Memory> &memory,
                         std::vector<void *> &starts) {
  starts.clear();
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Argument &argument = arguments[i];
    // a tensor of no elements still needs an address
    int64_t bytes = std::max<int64_t>(settled.count(argument.dims) * bytesOf(argument.element), 1);
    std::string what = text("`%s` of %s", argument.name.c_str(), entry().name.c_str());
    if (!memory[i].borrowed)
      if (Status status = ensure(memory[i].own, bytes, what); !status)
        return status;
    starts.push_back(memory[i].borrowed ? memory[i].borrowed : memory[i].own.data());
  }
  return success();
}

Result<Sizes> EntryRun::settle() const {
  Sizes sizes = asked;
  if (Status status = sizes.resolve(number); !status)
    return status.error();
  return sizes;
}

Status EntryRun::allocate() {
  Result<Sizes> sizes = settle();
  if (!sizes)
    return sizes.error();
  settled = std::move(*sizes);
  if (Status status = reserve(entry().inputs, inputMemory, inputs); !status)
    return status;
  if (Status status = reserve(entry().outputs, outputMemory, outputs); !status)
    return status;
  return allocateWork();
}

/// The buffers that begin in `block` at `starts`, of which the last is its end.
static std::vector<char *> buffersIn(const Block &block, const std::vector<int64_t> &starts) {
  std::vector<char *> buffers;
  for (size_t i = 0; i + 1 < starts.size(); ++i)
    buffers.push_back(block.data() + starts[i]);
  return buffers;
}

Status EntryRun::allocateWork() {
  const WeftEntryCode &code = model->code(number);
  const std::string of = " of " + entry().name;
  constexpr int64_t line = 64;
  scratchStride = (code.scratch(settled.data()) + line - 1) / line * line;
  std::vector<int64_t> workStarts = startsOf(entry().work, settled.data()),
                       packedStarts = startsOf(entry().packed, settled.data());
  if (Status status = ensure(arena, workStarts.back(), "the work space" + of); !status)
    return status;
  if (Status status =
          ensure(scratch, scratchStride * model->pool->threads(), "the threads' work space" + of);
      !status)
    return status;
  int64_t sharedBytes = code.shared ? code.shared(settled.data()) : 0;
  if (Status status = ensure(shared, sharedBytes, "the work space that kernels share" + of);
      !status)
    return status;
  if (packed.size() != packedStarts.back()) {
    packed = Block();
    packedVersion = 0;
    if (Status status = ensure(packed, packedStarts.back(), "the packed weights" + of); !status)
      return status;
  }
  workBuffers = buffersIn(arena, workStarts);
  packedBuffers = buffersIn(packed, packedStarts);
  if (poisons()) {
    for (Memory &memory : outputMemory)
      memory.own.poison();
    arena.poison();
    scratch.poison();
    shared.poison();
  }
  return success();
}

Status EntryRun::checkInput(int i) const {
  const Argument &argument = entry().inputs[i];
  if (argument.element == Element::Float || argument.element == Element::BFloat16 ||
      (argument.element == Element::Int && argument.index < 0))
    return success();
  bool index = argument.element == Element::Int;
  int64_t limit = index ? settled[argument.index] : 2, count = inputCount(i), bad = 0;
  auto at = [&](int64_t j) {
    return index ? int64_t(input<int32_t>(i)[j]) : int64_t(input<unsigned char>(i)[j]);
  };
  while (bad < count && at(bad) >= 0 && at(bad) < limit)
    ++bad;
  if (bad == count)
    return success();
  std::string expected =
      index ? text("%s has size %lld, so values are 0 to %lld",
                   model->facts.dims[argument.index].name.c_str(), wide(limit), wide(limit - 1))
            : "a bool is 0 or 1";
  return Error{Code::Value,
               text("input %s: the value at %s is %lld, but %s", argument.name.c_str(),
                    positionText(inputShape(i), bad).c_str(), wide(at(bad)), expected.c_str())};
}

int64_t EntryRun::tokens() const {
  const std::vector<Argument> &given = entry().inputs;
  int first = -1;
  size_t rank = 0;
  for (int i = 0; i < static_cast<int>(given.size()); ++i) {
    rank = std::max(rank, given[i].dims.size());
    first = first < 0 && given[i].index >= 0 ? i : first;
  }
  bool isLabel = first >= 0 && given[first].dims.size() < 2 && rank > 1;
  return first < 0 || isLabel ? 0 : inputCount(first);
}

static Error cancelled() {
  return {Code::Cancelled, "cancelled by weft_cancel()"};
}

Status EntryRun::run(uint64_t seed, uint64_t step) {
  for (size_t i = 0; i < inputs.size(); ++i)
    if (Status status = checkInput(static_cast<int>(i)); !status)
      return status;
  Pool &pool = *model->pool;
  if (pool.isCancelled())
    return cancelled();
  bool changesParameters = entry().kind == EntryKind::Update;
  pool.begin(/*mayStop=*/!changesParameters);
  KeptStates states(changesParameters ? nullptr : model);
  DenormalsIgnored denormals;
  WeftCall call{settled.data(),
                inputs.data(),
                outputs.data(),
                model->parameters.pointers(),
                packedBuffers.data(),
                workBuffers.data(),
                scratch.data(),
                scratchStride,
                shared.data(),
                &pool,
                seed,
                step,
                nullptr};
  const WeftEntryCode &code = model->code(number);
  if (code.prepare && packedVersion != model->parameters.version()) {
    code.prepare(&call);
    if (pool.hasSkipped())
      return cancelled();
    packedVersion = model->parameters.version();
  }
  code.run(&call);
  if (!pool.hasSkipped())
    return success();
  states.restore();
  return cancelled();
}

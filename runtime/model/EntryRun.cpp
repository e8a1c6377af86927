// Running an entry.
#include "runtime/model/EntryRun.h"

#include "runtime/machine/Denormals.h"

#include <algorithm>

using namespace weft::runtime;

EntryRun::EntryRun(Model &model, int entry)
    : model(&model), number(entry), asked(model.facts), settled(model.facts),
      inputMemory(model.facts.entries[entry].inputs.size()),
      outputMemory(model.facts.entries[entry].outputs.size()),
      states(model, mayStop() ? this->entry().writes : std::vector<int>()) {}

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

/// Makes `memory` hold at least this many bytes by `create`. One that has to grow gets half as much
/// again, if there is so much: sequences grow by steps.
template <class Memory, class Create>
static Status ensure(Memory &memory, int64_t bytes, Create create) {
  if (memory.size() >= bytes)
    return success();
  int64_t wanted = memory.size() > 0 ? bytes + bytes / 2 : bytes;
  memory = Memory(); // the old one is given back first
  Result<Memory> larger = create(wanted);
  if (!larger && wanted > bytes)
    larger = create(bytes);
  if (!larger)
    return larger.error();
  memory = std::move(*larger);
  return success();
}

/// A tensor of no elements still needs an address.
static int64_t bytesFor(const Argument &argument, const Sizes &sizes) {
  return std::max<int64_t>(bytesOf(argument.element, sizes.count(argument.dims)), 1);
}

Status EntryRun::reserve(const std::vector<Argument> &arguments, std::vector<Memory> &memory,
                         std::vector<Mirror *> &mirrors) {
  constexpr int64_t mostStaged = int64_t(256) << 20; // it is taken from all other programs
  mirrors.clear();
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Argument &argument = arguments[i];
    int64_t bytes = bytesFor(argument, settled);
    std::string what = text("`%s` of %s", argument.name.c_str(), entry().name.c_str());
    Memory &place = memory[i];
    bool isStaged = argument.gradientOf.empty() && !argument.cache && bytes <= mostStaged;
    if (place.foreign) {
      place.own = Mirror::over(device(), place.foreign, bytes, what);
      place.own.expose();
    } else if (!place.borrowed) {
      Status status = ensure(place.own, bytes, [&](int64_t wanted) {
        return Mirror::create(model->memory(), wanted, what, smallerBatch, isStaged);
      });
      if (!status)
        return status;
    }
    Mirror *mirror = place.borrowed ? place.borrowed : &place.own;
    if (Status status = mirror->place(); !status)
      return status;
    mirrors.push_back(mirror);
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
  size_t count = model->facts.dims.size();
  if (!std::equal(sizes->data(), sizes->data() + count, settled.data()) && keys.forget())
    body.forget();
  if (Status status = checkMemory(*sizes); !status)
    return status;
  settled = std::move(*sizes);
  if (Status status = reserve(entry().inputs, inputMemory, inputs); !status)
    return status;
  if (Status status = reserve(entry().outputs, outputMemory, outputs); !status)
    return status;
  return allocateWork();
}

/// The buffers that begin at `starts` from `block` on; the last is their end.
static std::vector<char *> buffersIn(char *block, const std::vector<int64_t> &starts) {
  std::vector<char *> buffers;
  for (size_t i = 0; i + 1 < starts.size(); ++i)
    buffers.push_back(block + starts[i]);
  return buffers;
}

static constexpr int64_t line = 64;

static int64_t wholeLines(int64_t bytes) {
  return (bytes + line - 1) / line * line;
}

int64_t EntryRun::bytesAt(const Sizes &sizes) const {
  const WeftEntryCode &code = model->code(number);
  int64_t bytes = startsOf(entry().work, sizes.data(), entry().behind).back() +
                  packedStartsAt(sizes).back() + code.scratch(sizes.data()) +
                  (code.shared ? code.shared(sizes.data()) : 0);
  for (size_t i = 0; i < inputMemory.size(); ++i)
    bytes += entry().inputs[i].gradientOf.empty() ? bytesFor(entry().inputs[i], sizes) : 0;
  for (const Argument &output : entry().outputs)
    bytes += bytesFor(output, sizes);
  return bytes;
}

Status EntryRun::allocateWork() {
  const WeftEntryCode &code = model->code(number);
  const std::string of = " of " + entry().name;
  workStarts = startsOf(entry().work, settled.data(), entry().behind);
  packedStarts = packedStartsAt(settled);
  auto take = [&](CodeMemory &memory, int64_t bytes, const char *what) {
    return ensure(memory, bytes, [&](int64_t wanted) {
      return CodeMemory::create(model->memory(), wanted, what + of);
    });
  };
  WorkSpace &space = work();
  int64_t behind = packsInWork ? packedStarts.back() : 0;
  if (space.arena.size() < workStarts.back() + behind)
    space.holder = nullptr;
  if (Status status = take(space.arena, workStarts.back() + behind, "the work space"); !status)
    return status;
  scratchStride = wholeLines(code.scratch(settled.data()));
  int64_t users = device() ? 1 : model->pool->threads();
  if (Status status = take(scratch(), scratchStride * users,
                           device() ? "the kernels' work space" : "the threads' work space");
      !status)
    return status;
  int64_t sharedBytes = code.shared ? code.shared(settled.data()) : 0;
  if (Status status = take(space.shared, sharedBytes, "the work space that kernels share"); !status)
    return status;
  if (Status status = allocatePacked(); !status)
    return status;
  if (poisons()) {
    space.holder = nullptr; // packed weights may lie there
    for (Memory &memory : outputMemory)
      memory.own.poison();
    for (CodeMemory *memory : {&space.arena, &scratch(), &space.shared})
      memory->poison();
  }
  return model->parameters.place(entry().kind == EntryKind::Update ? isAny : isWeight);
}

/// Whether the work space still holds what this run takes of it: a run that asked for more, and for
/// which there was no more, has given it back.
bool EntryRun::hasWork() {
  const WeftEntryCode &code = model->code(number);
  const WorkSpace &space = work();
  int64_t users = device() ? 1 : model->pool->threads(),
          behind = packsInWork ? packedStarts.back() : 0;
  bool hasPacked = packsInWork || packsAgain() ||
                   (packed.size() == entry().packed.size() &&
                    std::find(packed.begin(), packed.end(), nullptr) == packed.end());
  return hasPacked && space.arena.size() >= workStarts.back() + behind &&
         scratch().size() >= scratchStride * users &&
         space.shared.size() >= (code.shared ? code.shared(settled.data()) : 0);
}

Status EntryRun::checkInput(int i) const {
  const Argument &argument = entry().inputs[i];
  bool isLimited = argument.element == Element::Bool ||
                   (argument.element == Element::Int && argument.index >= 0);
  if (!isLimited)
    return success();
  bool index = argument.element == Element::Int;
  int64_t limit = index ? settled[argument.index] : 2, count = inputCount(i), bad = 0;
  const char *values = inputs[static_cast<size_t>(i)]->read();
  auto at = [&](int64_t j) {
    return index ? int64_t(reinterpret_cast<const int32_t *>(values)[j])
                 : int64_t(reinterpret_cast<const unsigned char *>(values)[j]);
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

Status EntryRun::checkInputs() const {
  for (size_t i = 0; i < inputs.size(); ++i)
    if (Status status = checkInput(static_cast<int>(i)); !status)
      return status;
  return success();
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

Error EntryRun::cancelled() {
  return {Code::Cancelled, "cancelled by weft_cancel()"};
}

WeftCall EntryRun::callOf(uint64_t seed, uint64_t step) {
  inputAddresses.clear();
  outputAddresses.clear();
  for (Mirror *input : inputs)
    inputAddresses.push_back(input->forCode());
  for (Mirror *output : outputs)
    outputAddresses.push_back(output->forResult());
  WorkSpace &space = work();
  workBuffers = buffersIn(space.arena.data(), workStarts);
  packedBuffers.clear();
  for (size_t i = 0; i < entry().packed.size(); ++i)
    packedBuffers.push_back(packsInWork ? space.arena.data() + workStarts.back() + packedStarts[i]
                            : packed[i] ? packed[i]->memory.data()
                                        : nullptr); // nobody keeps it
  return {settled.data(),
          inputAddresses.data(),
          outputAddresses.data(),
          model->parameters.forCode(),
          packedBuffers.data(),
          workBuffers.data(),
          scratch().data(),
          scratchStride,
          space.shared.data(),
          model->pool.get(),
          seed,
          step,
          device()};
}

std::vector<int64_t> EntryRun::fingerprint(const WeftCall &call) {
  std::vector<int64_t> all(call.sizes, call.sizes + model->facts.dims.size());
  auto add = [&](const void *address) { all.push_back(reinterpret_cast<intptr_t>(address)); };
  for (size_t i = 0; i < inputs.size(); ++i)
    add(call.inputs[i]);
  for (size_t i = 0; i < outputs.size(); ++i)
    add(call.outputs[i]);
  for (size_t i = 0; i < model->facts.parameters.size(); ++i)
    add(call.parameters[i]);
  for (size_t i = 0; i < entry().packed.size(); ++i)
    add(call.packed[i]);
  for (const CodeMemory *memory : {&work().arena, &scratch(), &work().shared})
    add(memory->data());
  return all;
}

/// Makes the launches of a call; whether nothing was left out.
bool EntryRun::ask(void (*function)(const WeftCall *), Replay &replay, const WeftCall &call) {
  Pool &pool = *model->pool;
  auto make = [&] {
    function(&call);
    return !pool.hasSkipped();
  };
  if (!device())
    return make();
  replay.run(*device(), fingerprint(call), make);
  return !pool.hasSkipped();
}

/// Notes what code has newer values of.
void EntryRun::markWritten() {
  for (size_t i = 0; i < inputs.size(); ++i)
    if (entry().inputs[i].cache)
      inputs[i]->written();
  model->parameters.written(entry());
  if (packsAgain())
    givePackedOfOthers();
}

/// Puts back what a run that has ended before its end has changed.
Status EntryRun::cancel() {
  states.restore();
  keys.forget();
  body.forget();
  if (!device())
    return cancelled();
  Status status = device()->wait();
  return status ? Status(cancelled()) : status;
}

Status EntryRun::begin(uint64_t seed, uint64_t step) {
  if (Status status = checkInputs(); !status)
    return status;
  Pool &pool = *model->pool;
  if (pool.isCancelled())
    return cancelled();
  pool.begin(mayStop());
  if (Status status = states.keep(); !status)
    return status;
  if (!hasWork())
    if (Status status = allocateWork(); !status)
      return status;
  DenormalsIgnored denormals;
  if (packsAgain())
    takePackedOfOthers();
  WeftCall call = callOf(seed, step);
  if (device()) {
    if (Status status = keys.begin(*device(), seed, step); !status)
      return status;
    device()->keys = &keys;
  }
  bool whole = pack(call) && ask(model->code(number).run, body, call);
  markWritten();
  if (device())
    device()->keys = nullptr;
  if (!whole)
    return cancel();
  keys.end();
  return device() ? device()->waitForCopies() : success();
}

Status EntryRun::finish() {
  if (!device())
    return success();
  for (size_t i = 0; i < outputs.size(); ++i)
    if (!outputMemory[i].lent)
      outputs[i]->fetch();
  for (Mirror *input : inputs)
    input->publish();
  model->parameters.publish();
  if (Status status = device()->wait(); !status)
    return status;
  return mayStop() && model->pool->isCancelled() ? cancel() : success();
}

Status EntryRun::run(uint64_t seed, uint64_t step) {
  Status status = begin(seed, step);
  return status ? finish() : status;
}

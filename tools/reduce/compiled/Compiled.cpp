// Compiled entries on the runtime of this process.
#include "tools/reduce/compiled/Compiled.h"

#include "runtime/model/Slices.h"
#include "tools/arrays/ArrayMemory.h"

#include <algorithm>
#include <sys/mman.h>
#include <unistd.h>

namespace weft::reduce {

using reference::Array;
using runtime::Element;

namespace {
/// Memory whose end is the end of what may be touched; it begins poisoned.
class Guarded {
public:
  explicit Guarded(int64_t bytes) {
    size_t page = sysconf(_SC_PAGESIZE), room = (size_t(bytes) + page - 1) / page * page + page;
    length = room + page;
    base = static_cast<char *>(
        mmap(nullptr, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (base == MAP_FAILED)
      abort();
    mprotect(base + room, page, PROT_NONE);
    memset(base, 0xff, room);
    start = base + room - bytes;
  }
  ~Guarded() { munmap(base, length); }
  Guarded(const Guarded &) = delete;
  void *data() { return start; }

private:
  char *base, *start;
  size_t length;
};

Given refused(const runtime::Error &error) {
  return {error.message.empty() ? "without a word" : error.message, {}, {}};
}
} // namespace

Compiled::Compiled(const NativeCode &code, const std::string &set, int threads,
                   std::string &problem) {
  setenv("WEFT_POISON", "1", 1);
  const std::string name = code.nameOf(set);
  auto model = runtime::Model::open(code.program(), {.threads = threads, .isa = name.c_str()});
  if (!model) {
    problem = model.error().message;
    return;
  }
  opened = std::move(*model);
}

void Compiled::setParameters(const reference::NamedArrays &parameters) {
  for (auto &[name, value] : parameters) {
    int number = opened->facts.parameter(name.str());
    if (number >= 0) // else of an entry that was not built
      storeArray(value, opened->facts.parameters[number].element, opened->parameters.data(number));
  }
  opened->parameters.changed();
}

/// Parameters of the same shapes with other values: floats in reverse order.
static reference::NamedArrays reversed(const reference::NamedArrays &parameters) {
  reference::NamedArrays result = parameters;
  for (auto &[name, value] : result)
    if (auto *floats = std::get_if<reference::Floats>(&value.data))
      std::reverse(floats->begin(), floats->end());
  return result;
}

Given Compiled::run(const std::string &entry, const Run &what, bool again) {
  int number = opened->facts.entry(entry);
  if (number < 0)
    return {"there is no entry " + entry, {}, {}};
  setParameters(again ? reversed(what.parameters) : what.parameters);
  runtime::EntryRun run(*opened, number);
  const auto &inputs = run.entry().inputs, &outputs = run.entry().outputs;
  if (inputs.size() != what.inputs.size())
    return {"takes another number of inputs", {}, {}};
  for (size_t i = 0; i < inputs.size(); ++i) {
    llvm::ArrayRef<int64_t> shape = what.inputs[i].shape;
    if (auto status = run.bindShape(int(i), {shape.begin(), shape.end()}, inputs[i].name); !status)
      return refused(status.error());
  }
  for (const auto &[name, size] : what.sizes)
    if (int dim = opened->facts.dimension(name.str()); dim >= 0)
      if (auto status = run.setSize(dim, size, "a size"); !status)
        return refused(status.error());
  auto sizes = run.settle();
  if (!sizes)
    return refused(sizes.error());
  std::vector<std::unique_ptr<Guarded>> memory;
  auto guard = [&](const runtime::Argument &argument) {
    int64_t bytes = runtime::bytesOf(argument.element, sizes->count(argument.dims));
    memory.push_back(std::make_unique<Guarded>(bytes));
    return memory.back()->data();
  };
  for (size_t i = 0; i < inputs.size(); ++i)
    run.useInput(int(i), guard(inputs[i]));
  for (size_t i = 0; i < outputs.size(); ++i)
    run.useOutput(int(i), guard(outputs[i]));
  if (auto status = run.allocate(); !status)
    return refused(status.error());
  for (size_t i = 0; i < inputs.size(); ++i)
    storeArray(what.inputs[i], inputs[i].element, run.input(int(i)));
  if (again) {
    if (auto status = run.run(what.random.seed + 1, what.random.step + 1); !status)
      return refused(status.error());
    setParameters(what.parameters);
  }
  if (auto status = run.run(what.random.seed, what.random.step); !status)
    return refused(status.error());
  Given given;
  for (size_t i = 0; i < outputs.size(); ++i) {
    given.outputs.push_back(
        loadArray(run.outputShape(int(i)), outputs[i].element, run.output(int(i))));
  }
  const auto &parameters = opened->facts.parameters;
  for (size_t i = 0; i < parameters.size(); ++i)
    given.parameters[parameters[i].name] =
        loadArray(runtime::stackedShape(opened->facts, parameters[i]), parameters[i].element,
                  opened->parameters.data(int(i)));
  return given;
}

} // namespace weft::reduce

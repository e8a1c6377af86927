// One kernel on trial.
#include "tools/kernel/Trial.h"

#include "ir/cpu/Machine.h"
#include "runtime/machine/Denormals.h"
#include "tools/kernel/GuardedMemory.h"
#include "tools/kernel/Inputs.h"
#include "tools/kernel/Interpreted.h"
#include "tools/kernel/PlainMemory.h"
#include "tools/kernel/amx/Tiles.h"

#include <chrono>
#include <limits>

namespace weft::trial {

/// More than what a core's caches hold, and its share of the last one.
constexpr int64_t coldBytes = 256 << 20;
constexpr int64_t page = 4096;

static mlir::OwningOpRef<mlir::ModuleOp> copyOf(kernel::FusedOp op, cpu::Isa isa,
                                                kernel::ScheduleAttr schedule) {
  mlir::OwningOpRef<mlir::ModuleOp> module = alone(op);
  if (schedule)
    module->walk([&](kernel::FusedOp copy) {
      mlir::NamedAttrList all(copy.getScheduleAttr());
      all.set(cpu::isaName(isa), schedule);
      copy.setScheduleAttr(all.getDictionary(copy.getContext()));
    });
  return module;
}

KernelTrial::KernelTrial(kernel::FusedOp op, cpu::Isa isa, kernel::ScheduleAttr schedule)
    : module(copyOf(op, isa, schedule)), compiled(*module, isa) {}

int64_t KernelTrial::bytes(const Sizes &sizes) {
  return PlainMemory(compiled.op(), sizes, 0).bytes();
}

static char *pageIn(std::vector<char> &memory) {
  auto begin = (reinterpret_cast<uintptr_t>(memory.data()) + page - 1) / page * page;
  return reinterpret_cast<char *>(begin);
}

void KernelTrial::run(const std::vector<int64_t> &sizes, void *const *given, WeftPool &pool,
                      Work &work) {
  struct Launch {
    CompiledKernel::Run *run;
    const int64_t *sizes;
    void *const *buffers;
    char *scratch;
    int64_t stride; // bytes from one worker's scratch to the next
    std::atomic<bool> *leftTiles;
  };
  kernel::FusedOp op = compiled.op();
  size_t values = op.getNumOperands() + op.getNumResults(), shared = cpu::sharedBufferOf(op);
  std::vector<void *> buffers(given, given + values + 1); // with the key of random numbers
  buffers.resize(shared + 1);
  if (!work.shared.empty())
    buffers[shared] = pageIn(work.shared);
  for (auto [code, tasks] : compiled.launches(sizes)) {
    Launch launch{code,
                  sizes.data(),
                  buffers.data(),
                  pageIn(work.scratch),
                  (int64_t(work.scratch.size()) - page) / pool.threads(),
                  &work.leftTiles};
    pool.run(
        tasks,
        [](void *context, int64_t task, int worker) {
          auto &launch = *static_cast<Launch *>(context);
          launch.run(launch.sizes, launch.buffers, task, task + 1,
                     launch.scratch + worker * launch.stride);
          if (tiles::held()) {
            tiles::release(); // the thread's next kernel has not left them
            *launch.leftTiles = true;
          }
        },
        &launch);
  }
}

/// Room for the scratch of every thread, in whole pages.
KernelTrial::Work::Work(const CompiledKernel &kernel, const Sizes &sizes, WeftPool &pool)
    : scratch((kernel.scratchBytes(sizes) + page - 1) / page * page * pool.threads() + page),
      shared(kernel.sharedBytes(sizes) > 0 ? kernel.sharedBytes(sizes) + page : 0) {}

double KernelTrial::Runs::run(void *const *buffers) {
  runtime::DenormalsIgnored ignored;
  auto start = std::chrono::steady_clock::now();
  trial.run(numbers, buffers, pool, work);
  std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  return took.count();
}

Times KernelTrial::time(const Sizes &sizes, WeftPool &pool, TimeOptions options) {
  PlainMemory memory(compiled.op(), sizes, options.warm ? 0 : coldBytes);
  Runs runs(*this, sizes, pool);
  std::vector<double> seconds;
  int64_t before = int64_t(memory.sets()); // the first touch of every page is no measure
  for (int64_t round = 0; round < before + options.rounds; ++round) {
    double took = runs.run(memory.set(round));
    if (round >= before)
      seconds.push_back(took);
  }
  std::ranges::sort(seconds);
  auto at = [&](int64_t quarter) { return seconds[(seconds.size() - 1) * quarter / 4]; };
  return {at(2), at(1), at(3), options.rounds};
}

std::optional<Expected> expect(kernel::FusedOp op, const Sizes &sizes) {
  runtime::DenormalsIgnored ignored;
  Expected expected{sizes, {}};
  for (bool positive : {true, false}) {
    std::vector<Tensor> inputs = inputsOf(op, sizes, positive);
    auto results = interpret(op, sizes, inputs);
    if (!results)
      return std::nullopt;
    auto bounds = boundsOfNarrowWeights(op, sizes, inputs);
    expected.cases.push_back({std::move(inputs), std::move(*results), std::move(bounds)});
  }
  return expected;
}

std::optional<double> KernelTrial::check(const Sizes &sizes, WeftPool &pool) {
  std::optional<Expected> expected = expect(compiled.op(), sizes);
  return expected ? std::optional(check(*expected, pool)) : std::nullopt;
}

double KernelTrial::check(const Expected &expected, WeftPool &pool) {
  runtime::DenormalsIgnored ignored;
  kernel::FusedOp op = compiled.op();
  const Sizes &sizes = expected.sizes;
  std::vector<int64_t> numbers = compiled.numbered(sizes);
  Work work(compiled, sizes, pool);
  double largest = 0;
  for (const auto &[inputs, want, bounds] : expected.cases) {
    std::vector<GuardedTensor> memory;
    std::vector<void *> buffers;
    memory.reserve(inputs.size() + want.size());
    auto add = [&](mlir::Value value, const Tensor &shape) -> GuardedTensor & {
      mlir::Attribute layout = op.getLayoutsAttr()[memory.size()];
      memory.emplace_back(layout, model::typeOf(value).getElement(), shape, sizes);
      return memory.back();
    };
    for (auto [operand, input] : llvm::zip_equal(op.getOperands(), inputs))
      add(operand, input).put(input);
    for (auto [result, expected] : llvm::zip_equal(op.getResults(), want))
      add(result, expected);
    for (GuardedTensor &each : memory)
      buffers.push_back(each.address());
    RandomKey random;
    buffers.push_back(&random);
    for (std::vector<char> *each : {&work.scratch, &work.shared})
      std::ranges::fill(*each, char(0xff)); // a NaN is seen where a zero is not
    run(numbers, buffers.data(), pool, work);
    if (work.leftTiles)
      return std::numeric_limits<double>::infinity();
    for (GuardedTensor &each : memory)
      if (!each.guarded() || !each.padded())
        return std::numeric_limits<double>::infinity();
    for (size_t r = 0; r < want.size(); ++r) {
      Tensor got = memory[inputs.size() + r].get();
      mlir::Attribute layout = op.getLayoutsAttr()[inputs.size() + r];
      if (kernel::weightFormatOf(layout) || isGroupedRows(layout)) {
        if (!isRoundedTo(layout, got, want[r]))
          return std::numeric_limits<double>::infinity();
        continue;
      }
      if (kernel::storageIn(layout))
        got = beforeRounding(got, want[r]);
      if (bounds)
        got = within(got, want[r], (*bounds)[r]);
      largest = std::max(largest, difference(got, want[r], largestOf(want)));
    }
  }
  return largest;
}

} // namespace weft::trial

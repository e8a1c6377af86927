// Compiles one `kernel.fused` from its text and runs it on tensors.
#include "KernelHarness.h"

#include "ir/cpu/Cpu.h"
#include "ir/kernel/InPlace.h"
#include "tools/kernel/amx/Tiles.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

#include <atomic>
#include <set>
#include <thread>

using namespace llvm;

namespace weft::test {

testing::AssertionResult close(const Tensor &got, const Tensor &want, double relative) {
  double off = difference(got, want);
  if (off <= relative)
    return testing::AssertionSuccess();
  testing::AssertionResult result = testing::AssertionFailure() << "off by " << off;
  for (size_t i = 0; i < std::min(got.data.size(), want.data.size()); ++i)
    if (got.data[i] != want.data[i])
      return result << "; the first element that differs is " << i << " of " << want.data.size()
                    << ": got " << got.data[i] << ", want " << want.data[i];
  return result;
}

struct Kernel::Text {
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

Kernel::~Kernel() = default;

Kernel::Kernel(cpu::Isa isa, const std::string &source) : text(std::make_unique<Text>()) {
  text->context.loadDialect<model::ModelDialect, kernel::KernelDialect, cpu::CpuDialect,
                            mlir::func::FuncDialect>();
  text->module = mlir::parseSourceString<mlir::ModuleOp>(source, &text->context);
  if (!text->module) {
    ADD_FAILURE() << "the kernel's text does not parse";
    return;
  }
  compiled.emplace(*text->module, isa);
  if (compiled->problem())
    ADD_FAILURE() << *compiled->problem();
}

std::string Kernel::alone(kernel::FusedOp op) {
  std::string text;
  raw_string_ostream stream(text);
  trial::alone(op)->print(stream);
  return text;
}

std::vector<Tensor> Kernel::interpret(const Sizes &sizes, const std::vector<Tensor> &inputs) {
  auto results = trial::interpret(op(), sizes, inputs, random);
  if (results)
    return *results;
  ADD_FAILURE() << "the interpreter refused the kernel";
  return {};
}

void Kernel::runRaw(const Sizes &sizes, const std::vector<void *> &buffers) {
  std::vector<int64_t> numbers = numbered(sizes);
  GuardedScratch scratch(scratchBytes(sizes));
  for (Launch launch : launches(sizes))
    launch.run(numbers.data(), buffers.data(), 0, launch.tasks, scratch.address());
}

/// For each result written in place, the operand whose buffer it gets; other results have their
/// own.
using Taken = std::map<unsigned, unsigned>;

/// What `mayWriteInPlace` allows: each pair alone, then as many results as there are at once.
static std::vector<Taken> allowedOf(kernel::FusedOp op) {
  std::vector<Taken> allowed;
  Taken all;
  std::set<unsigned> overwritten;
  for (unsigned result = 0; result < op.getNumResults(); ++result)
    for (unsigned operand = 0; operand < op.getNumOperands(); ++operand) {
      if (!kernel::mayWriteInPlace(op, result, operand))
        continue;
      allowed.push_back({{result, operand}});
      if (!all.contains(result) && overwritten.insert(operand).second)
        all[result] = operand;
    }
  if (all.size() > 1)
    allowed.push_back(all);
  return allowed;
}

int Kernel::inPlaceRuns() const {
  return runsInPlace;
}

std::vector<Tensor> Kernel::run(const Sizes &given, const std::vector<Tensor> &inputs,
                                const std::map<unsigned, unsigned> &inPlace) {
  Sizes sizes = given;
  for (const auto &dim : compiled->dims().dims)
    if (dim.getValue().size)
      sizes[dim.getKey().str()] = *dim.getValue().size;
  std::vector<GuardedTensor> apart = runInEveryOrder(sizes, inputs, inPlace);
  for (const Taken &taken : allowedOf(op())) {
    std::vector<GuardedTensor> over = runInEveryOrder(sizes, inputs, taken);
    ++runsInPlace;
    for (size_t r = 0; r < apart.size(); ++r)
      EXPECT_TRUE(apart[r].raw() == over[r].raw())
          << "result " << r << " is another where result " << taken.begin()->first
          << " takes the place of operand " << taken.begin()->second;
  }
  std::vector<Tensor> results;
  for (GuardedTensor &result : apart)
    results.push_back(result.get());
  return results;
}

std::vector<GuardedTensor>
Kernel::runInEveryOrder(const Sizes &sizes, const std::vector<Tensor> &inputs, const Taken &taken) {
  std::vector<GuardedTensor> forwards = runOnce(sizes, inputs, taken, Order::forwards);
  std::map<Order, const char *> others{{Order::backwards, "how tasks are cut"},
                                       {Order::threads, "how tasks are cut among threads"}};
  if (mayBeRuns(sizes)) {
    others[Order::runs] = "the rows that are beside others";
    ++runsOfRows;
  }
  for (auto [order, what] : others) {
    std::vector<GuardedTensor> again = runOnce(sizes, inputs, taken, order);
    for (size_t r = 0; r < forwards.size(); ++r)
      EXPECT_TRUE(forwards[r].raw() == again[r].raw()) << "result " << r << " depends on " << what;
  }
  return forwards;
}

/// Whether rows of several runs may be a launch at these sizes (WeftRows).
bool Kernel::mayBeRuns(const Sizes &sizes) const {
  const WeftRows *rows = compiled->rows();
  if (!rows)
    return false;
  std::vector<int64_t> numbers = numbered(sizes), about(2 + 2 * (compiled->op().getNumOperands() +
                                                                 compiled->op().getNumResults()));
  rows->describe(numbers.data(), about.data());
  EXPECT_EQ(about[1], tasks(sizes));
  return numbers[rows->dim] > 1 && about[0] <= rows->most;
}

/// A launch for each place along the dimension of which runs have their own.
void Kernel::runPlaces(Launch launch, std::vector<int64_t> numbers,
                       const std::vector<void *> &buffers, GuardedScratch &scratch) {
  const WeftRows &rows = *compiled->rows();
  std::vector<int64_t> about(2 + 2 * buffers.size());
  const int64_t places = std::exchange(numbers[rows.dim], 1);
  rows.describe(numbers.data(), about.data());
  for (int64_t place = 0; place < places; ++place) {
    std::vector<void *> own;
    for (size_t i = 0; i < buffers.size(); ++i)
      own.push_back(static_cast<char *>(buffers[i]) + place * about[2 + 2 * i]);
    launch.run(numbers.data(), own.data(), 0, about[1], scratch.address());
  }
}

std::vector<GuardedTensor> Kernel::runOnce(const Sizes &sizes, const std::vector<Tensor> &inputs,
                                           const Taken &taken, Order order) {
  std::vector<GuardedTensor> memory;
  std::vector<void *> buffers;
  memory.reserve(inputs.size() + op().getNumResults());
  auto add = [&](mlir::Value value, const Tensor &shape) {
    memory.emplace_back(op().getLayoutsAttr()[memory.size()], model::typeOf(value).getElement(),
                        shape, sizes);
  };
  for (auto [operand, input] : zip_equal(op().getOperands(), inputs)) {
    add(operand, input);
    memory.back().put(input);
  }
  for (mlir::Value result : op().getResults()) {
    std::vector<std::string> dims;
    for (model::DimAttr dim : model::typeOf(result).getDims())
      dims.push_back(dim.str());
    add(result, Tensor(dims, sizes));
  }
  std::vector<size_t> home;
  for (size_t i = 0; i < memory.size(); ++i) {
    auto place = i < inputs.size() ? taken.end() : taken.find(unsigned(i - inputs.size()));
    home.push_back(place == taken.end() ? i : place->second);
    buffers.push_back(memory[home.back()].address());
  }
  buffers.push_back(&random);
  runTasks(sizes, buffers, order);
  for (size_t i = 0; i < memory.size(); ++i)
    EXPECT_TRUE(memory[i].guarded() && memory[i].padded()) << "wrote outside buffer " << i;
  std::vector<GuardedTensor> results;
  for (size_t r = inputs.size(); r < memory.size(); ++r)
    results.push_back(memory[home[r]]);
  return results;
}

/// The launches in their order, the second with what the first has left in the memory they share.
void Kernel::runTasks(const Sizes &sizes, const std::vector<void *> &given, Order order) {
  std::vector<void *> buffers = given;
  GuardedScratch shared(sharedBytes(sizes));
  if (sharedBytes(sizes) > 0) {
    unsigned number = cpu::sharedBufferOf(op());
    buffers.resize(number + 1); // the key of random numbers is there, whether or not it is read
    buffers[number] = shared.address();
  }
  for (Launch launch : launches(sizes))
    runLaunch(launch, sizes, buffers, order);
  EXPECT_TRUE(shared.guarded()) << "wrote beyond what its launches share";
}

/// Forwards all tasks are one range; backwards, and on threads, each is one of its own.
void Kernel::runLaunch(Launch launch, const Sizes &sizes, const std::vector<void *> &buffers,
                       Order order) {
  std::vector<int64_t> numbers = numbered(sizes);
  int64_t bytes = scratchBytes(sizes), count = launch.tasks;
  auto run = [&](int64_t begin, int64_t end, GuardedScratch &scratch) {
    launch.run(numbers.data(), buffers.data(), begin, end, scratch.address());
    EXPECT_FALSE(trial::tiles::held()) << "left the tiles of AMX configured";
  };
  if (order != Order::threads) {
    GuardedScratch scratch(bytes);
    if (order == Order::forwards)
      run(0, count, scratch);
    if (order == Order::runs)
      runPlaces(launch, numbers, buffers, scratch);
    for (int64_t task = order == Order::backwards ? count : 0; task-- > 0;)
      run(task, task + 1, scratch);
    EXPECT_TRUE(scratch.guarded()) << "wrote beyond the scratch it asked for";
    return;
  }
  if (count < 2)
    return runLaunch(launch, sizes, buffers, Order::forwards);
  std::atomic<int64_t> next = 0;
  std::atomic<bool> guarded = true;
  auto work = [&] {
    GuardedScratch scratch(bytes);
    for (int64_t task = next++; task < count; task = next++)
      run(task, task + 1, scratch);
    if (!scratch.guarded())
      guarded = false;
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back(work);
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_TRUE(guarded) << "a thread wrote beyond the scratch it asked for";
}

} // namespace weft::test

// Compiles one `kernel.fused` from its text and runs it on tensors.
#include "KernelHarness.h"

#include "ir/kernel/InPlace.h"
#include "ir/reference/Interpreter.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Parser/Parser.h"

#include <atomic>
#include <set>
#include <thread>

using namespace llvm;
using mlir::OpBuilder;

namespace weft::test {

struct Kernel::Text {
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  kernel::FusedOp op;
};

Kernel::~Kernel() = default;

kernel::FusedOp Kernel::op() {
  return text->op;
}

Kernel::Kernel(cpu::Isa isa, const std::string &source) : text(std::make_unique<Text>()), jit(isa) {
  text->context.loadDialect<model::ModelDialect, kernel::KernelDialect, mlir::func::FuncDialect>();
  text->module = mlir::parseSourceString<mlir::ModuleOp>(source, &text->context);
  if (!text->module) {
    ADD_FAILURE() << "the kernel's text does not parse";
    return;
  }
  table = kernel::DimTable::of(*text->module);
  text->module->walk([&](kernel::FusedOp op) { text->op = op; });
  cpu::Emission emission{jit.module(), isa, table};
  mlir::FailureOr<cpu::KernelFunctions> functions = cpu::emitKernel(text->op, "kernel", emission);
  if (failed(functions)) {
    ADD_FAILURE() << "the kernel was refused";
    return;
  }
  std::string names[] = {functions->run->getName().str(), functions->tasks->getName().str(),
                         functions->scratch->getName().str()};
  if (!jit.compile())
    return;
  run_ = jit.function<Run>(names[0]);
  tasks_ = jit.function<Count>(names[1]);
  scratch_ = jit.function<Count>(names[2]);
}

std::string Kernel::alone(kernel::FusedOp op) {
  OpBuilder builder(op.getContext());
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(builder, op.getLoc());
  builder.setInsertionPointToEnd(module->getBody());
  for (auto dim : op->getParentOfType<mlir::ModuleOp>().getOps<model::DimOp>())
    builder.clone(*dim);
  auto type = builder.getFunctionType(op.getOperandTypes(), {});
  auto function = mlir::func::FuncOp::create(builder, op.getLoc(), "kernel", type);
  mlir::Block *body = function.addEntryBlock();
  builder.setInsertionPointToEnd(body);
  builder.clone(*op)->setOperands(body->getArguments());
  mlir::func::ReturnOp::create(builder, op.getLoc());
  std::string text;
  raw_string_ostream stream(text);
  module->print(stream);
  return text;
}

static reference::Array arrayOf(const Tensor &tensor, mlir::Type element) {
  reference::Array array;
  array.shape.assign(tensor.shape.begin(), tensor.shape.end());
  if (element.isF32())
    array.data = reference::Floats(tensor.data.begin(), tensor.data.end());
  else if (element.isInteger(1))
    array.data = reference::Switches(tensor.data.begin(), tensor.data.end());
  else
    array.data = reference::Wholes(tensor.data.begin(), tensor.data.end());
  return array;
}

// The kernel's ops as the body of a function beside the dimensions.
std::vector<Tensor> Kernel::interpret(const Sizes &sizes, const std::vector<Tensor> &inputs) {
  mlir::OwningOpRef<mlir::ModuleOp> module = text->module->clone();
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  mlir::Block &ops = text->op.getBody().front();
  auto type = builder.getFunctionType(ops.getArgumentTypes(), text->op.getResultTypes());
  auto function = mlir::func::FuncOp::create(builder, text->op.getLoc(), "interpreted", type);
  mlir::Block *body = function.addEntryBlock();
  builder.setInsertionPointToEnd(body);
  mlir::IRMapping copies;
  copies.map(ops.getArguments(), body->getArguments());
  for (mlir::Operation &op : ops.without_terminator())
    builder.clone(op, copies);
  std::vector<mlir::Value> results;
  for (mlir::Value value : ops.getTerminator()->getOperands())
    results.push_back(copies.lookup(value));
  mlir::func::ReturnOp::create(builder, text->op.getLoc(), results);

  llvm::StringMap<int64_t> given;
  for (auto dim : module->getOps<model::DimOp>())
    if (auto at = sizes.find(dim.getSymName().str()); at != sizes.end() && !dim.getSize())
      given[dim.getSymName()] = at->second;
  std::vector<reference::Array> arrays;
  for (auto [input, argument] : zip_equal(inputs, ops.getArguments()))
    arrays.push_back(arrayOf(input, model::typeOf(argument).getElement()));
  reference::Interpreter interpreter(*module, given);
  interpreter.setRandom({random.seed, random.step});
  auto outputs = interpreter.run("interpreted", arrays);
  if (failed(outputs)) {
    ADD_FAILURE() << "the interpreter refused the kernel";
    return {};
  }
  std::vector<Tensor> tensors;
  for (auto [value, output] : zip_equal(text->op.getResults(), *outputs)) {
    std::vector<std::string> dims;
    for (mlir::StringAttr dim : model::typeOf(value).getDims())
      dims.push_back(dim.str());
    Tensor tensor(dims, sizes);
    std::visit([&](const auto &data) { tensor.data.assign(data.begin(), data.end()); },
               output.data);
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

std::vector<int64_t> Kernel::numbered(const Sizes &sizes) const {
  std::vector<int64_t> result(table.dims.size());
  for (const auto &dim : table.dims) {
    auto at = sizes.find(dim.getKey().str());
    result[dim.getValue().number] =
        at != sizes.end() ? at->second : dim.getValue().size.value_or(0);
  }
  return result;
}

int64_t Kernel::scratchBytes(const Sizes &sizes) {
  return scratch_(numbered(sizes).data());
}

int64_t Kernel::tasks(const Sizes &sizes) {
  return tasks_(numbered(sizes).data());
}

void Kernel::runRaw(const Sizes &sizes, const std::vector<void *> &buffers) {
  std::vector<int64_t> numbers = numbered(sizes);
  GuardedScratch scratch(scratch_(numbers.data()));
  run_(numbers.data(), buffers.data(), 0, tasks_(numbers.data()), scratch.address());
}

/// Which operand each result takes the buffer of; those that are not there have their own.
using Taken = std::map<unsigned, unsigned>;

/// What `mayLieOver` allows: each pair alone, then as many results as there are at once.
static std::vector<Taken> allowedOf(kernel::FusedOp op) {
  std::vector<Taken> allowed;
  Taken all;
  std::set<unsigned> gone;
  for (unsigned result = 0; result < op.getNumResults(); ++result)
    for (unsigned operand = 0; operand < op.getNumOperands(); ++operand) {
      if (!kernel::mayLieOver(op, result, operand))
        continue;
      allowed.push_back({{result, operand}});
      if (!all.contains(result) && gone.insert(operand).second)
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
  for (const auto &dim : table.dims)
    if (dim.getValue().size)
      sizes[dim.getKey().str()] = *dim.getValue().size;
  std::vector<GuardedTensor> apart = runInEveryOrder(sizes, inputs, inPlace);
  for (const Taken &taken : allowedOf(text->op)) {
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
  for (Order order : {Order::backwards, Order::threads}) {
    std::vector<GuardedTensor> again = runOnce(sizes, inputs, taken, order);
    for (size_t r = 0; r < forwards.size(); ++r)
      EXPECT_TRUE(forwards[r].raw() == again[r].raw())
          << "result " << r << " depends on how tasks are cut"
          << (order == Order::threads ? " among threads" : "");
  }
  return forwards;
}

std::vector<GuardedTensor> Kernel::runOnce(const Sizes &sizes, const std::vector<Tensor> &inputs,
                                           const Taken &taken, Order order) {
  std::vector<GuardedTensor> memory;
  std::vector<void *> buffers;
  memory.reserve(inputs.size() + text->op.getNumResults());
  auto add = [&](mlir::Value value, const Tensor &shape) {
    memory.emplace_back(text->op.getLayoutsAttr()[memory.size()], model::typeOf(value).getElement(),
                        shape, sizes);
  };
  for (auto [operand, input] : zip_equal(text->op.getOperands(), inputs)) {
    add(operand, input);
    memory.back().put(input);
  }
  for (mlir::Value result : text->op.getResults()) {
    std::vector<std::string> dims;
    for (mlir::StringAttr dim : model::typeOf(result).getDims())
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

/// Forwards all tasks are one range; backwards, and on threads, each is one of its own.
void Kernel::runTasks(const Sizes &sizes, const std::vector<void *> &buffers, Order order) {
  std::vector<int64_t> numbers = numbered(sizes);
  int64_t scratchBytes = scratch_(numbers.data()), count = tasks_(numbers.data());
  auto run = [&](int64_t begin, int64_t end, GuardedScratch &scratch) {
    run_(numbers.data(), buffers.data(), begin, end, scratch.address());
  };
  if (order != Order::threads) {
    GuardedScratch scratch(scratchBytes);
    if (order == Order::forwards)
      run(0, count, scratch);
    for (int64_t task = order == Order::backwards ? count : 0; task-- > 0;)
      run(task, task + 1, scratch);
    EXPECT_TRUE(scratch.guarded()) << "wrote beyond the scratch it asked for";
    return;
  }
  if (count < 2)
    return runTasks(sizes, buffers, Order::forwards);
  std::atomic<int64_t> next = 0;
  std::atomic<bool> guarded = true;
  auto work = [&] {
    GuardedScratch scratch(scratchBytes);
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

// Compiles one `kernel.fused` from its text and runs it on tensors.
#include "KernelHarness.h"

#include "GuardedMemory.h"

#include "ir/reference/Interpreter.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Parser/Parser.h"

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
  for (auto dim : text->module->getOps<model::DimOp>()) {
    auto &entry = table.dims[dim.getSymName()];
    entry.number = table.dims.size() - 1;
    if (auto size = dim.getSize())
      entry.size = size->getValue().constant();
  }
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

std::vector<Tensor> Kernel::run(const Sizes &given, const std::vector<Tensor> &inputs,
                                const std::map<unsigned, unsigned> &inPlace) {
  Sizes sizes = given;
  for (const auto &dim : table.dims)
    if (dim.getValue().size)
      sizes[dim.getKey().str()] = *dim.getValue().size;
  std::vector<int64_t> numbers = numbered(sizes);
  int64_t scratchBytes = scratch_(numbers.data()), count = tasks_(numbers.data());
  auto layout = [&](size_t i) { return text->op.getLayoutsAttr()[i]; };
  auto element = [](mlir::Value value) {
    return cast<model::NamedTensorType>(value.getType()).getElement();
  };

  auto once = [&](bool backwards) {
    std::vector<GuardedTensor> memory;
    std::vector<void *> buffers;
    memory.reserve(inputs.size() + text->op.getNumResults());
    for (size_t i = 0; i < inputs.size(); ++i) {
      memory.emplace_back(layout(i), element(text->op.getOperand(i)), inputs[i], sizes);
      memory.back().put(inputs[i]);
    }
    for (size_t r = 0; r < text->op.getNumResults(); ++r) {
      std::vector<std::string> dims;
      for (mlir::StringAttr dim :
           cast<model::NamedTensorType>(text->op.getResult(r).getType()).getDims())
        dims.push_back(dim.str());
      memory.emplace_back(layout(inputs.size() + r), element(text->op.getResult(r)),
                          Tensor(dims, sizes), sizes);
    }
    std::vector<size_t> home;
    for (size_t i = 0; i < memory.size(); ++i) {
      auto taken = i < inputs.size() ? inPlace.end() : inPlace.find(unsigned(i - inputs.size()));
      home.push_back(taken == inPlace.end() ? i : taken->second);
      buffers.push_back(memory[home.back()].address());
    }
    buffers.push_back(&random);
    GuardedScratch scratch(scratchBytes);
    if (backwards)
      for (int64_t task = count; task-- > 0;)
        run_(numbers.data(), buffers.data(), task, task + 1, scratch.address());
    else
      run_(numbers.data(), buffers.data(), 0, count, scratch.address());
    EXPECT_TRUE(scratch.guarded()) << "wrote beyond the scratch it asked for";
    for (size_t i = 0; i < memory.size(); ++i)
      EXPECT_TRUE(memory[i].guarded() && memory[i].padded()) << "wrote outside buffer " << i;
    std::vector<GuardedTensor> results;
    for (size_t r = inputs.size(); r < memory.size(); ++r)
      results.push_back(memory[home[r]]);
    return results;
  };
  std::vector<GuardedTensor> forwards = once(false), backwards = once(true);
  std::vector<Tensor> results;
  for (size_t r = 0; r < forwards.size(); ++r) {
    EXPECT_TRUE(forwards[r].raw() == backwards[r].raw())
        << "result " << r << " depends on how tasks are cut";
    results.push_back(forwards[r].get());
  }
  return results;
}

} // namespace weft::test

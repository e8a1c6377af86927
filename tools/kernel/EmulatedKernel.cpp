// One `kernel.fused`, compiled for a GPU and run on the emulator in this process.
#include "tools/kernel/EmulatedKernel.h"

#include "codegen/gpu/Ptx.h"
#include "codegen/host/HostEmission.h"
#include "runtime/emulator/Symbols.h"
#include "tools/kernel/GuardedMemory.h"

#include "mlir/IR/Diagnostics.h"

#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace weft::trial {

EmulatedKernel::EmulatedKernel(mlir::ModuleOp module, const cuda::Device &device, bool accesses)
    : table(kernel::DimTable::of(module)) {
  module.walk([&](kernel::FusedOp each) { kernel = each; });
  why = kernel ? compile(device, accesses) : "there is no kernel in the module";
}

EmulatedKernel::~EmulatedKernel() = default;

std::optional<std::string> EmulatedKernel::compile(const cuda::Device &device, bool accesses) {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  auto found = gpu::machineOf(device.name);
  if (!found)
    return toString(found.takeError());
  std::unique_ptr<TargetMachine> machine = std::move(*found);
  auto native =
      cantFail(cantFail(orc::JITTargetMachineBuilder::detectHost()).createTargetMachine());
  auto context = std::make_unique<LLVMContext>();
  auto onDevice = std::make_unique<Module>("device", *context),
       onHost = std::make_unique<Module>("host", *context);
  for (auto [unit, of] : {std::pair(onDevice.get(), machine.get()), {onHost.get(), native.get()}}) {
    unit->setTargetTriple(of->getTargetTriple());
    unit->setDataLayout(of->createDataLayout());
  }
  gpu::DeviceEmission forDevice(*onDevice, table, device);
  HostEmission forHost(*onHost, table);
  std::string said;
  mlir::ScopedDiagnosticHandler listening(kernel.getContext(), [&](mlir::Diagnostic &each) {
    said += (said.empty() ? "" : "; ") + each.str();
  });
  auto made = gpu::emitKernel(kernel, "kernel", {forDevice, forHost});
  if (failed(made))
    return "the kernel was refused: " + said;
  raw_string_ostream stream(said);
  if (verifyModule(*onDevice, &stream))
    return "the builder of the kernel wrote invalid LLVM IR: " + said;
  gpu::optimize(*onDevice, *machine);
  text = gpu::ptxOf(*CloneModule(*onDevice), *machine);
  auto emulated = gpu::emulate(*onDevice, *native, {.accesses = accesses});
  if (!emulated)
    return toString(emulated.takeError());
  sites = std::move(*emulated);
  threads = made->threads;
  std::string blocks = made->blocks->getName().str(), scratch = made->scratch->getName().str();
  for (Function *counting : {made->blocks, made->scratch})
    counting->setLinkage(GlobalValue::ExternalLinkage);
  jit = cantFail(orc::LLJITBuilder().create());
  orc::SymbolMap symbols;
  for (const emulator::Symbol &each : emulator::symbols())
    symbols[jit->mangleAndIntern(each.name)] = {orc::ExecutorAddr::fromPtr(each.address),
                                                JITSymbolFlags::Exported};
  cantFail(jit->getMainJITDylib().define(orc::absoluteSymbols(std::move(symbols))));
  orc::ThreadSafeContext shared(std::move(context));
  for (auto *unit : {&onDevice, &onHost})
    cantFail(jit->addIRModule(orc::ThreadSafeModule(std::move(*unit), shared)));
  code = cantFail(jit->lookup("kernel")).toPtr<emulator::Kernel>();
  countBlocks = cantFail(jit->lookup(blocks)).toPtr<Count *>();
  countScratch = cantFail(jit->lookup(scratch)).toPtr<Count *>();
  return std::nullopt;
}

std::vector<int64_t> EmulatedKernel::numbered(const Sizes &sizes) const {
  std::vector<int64_t> result(std::max<size_t>(table.dims.size(), 1));
  for (const auto &dim : table.dims) {
    auto at = sizes.find(dim.getKey().str());
    result[dim.getValue().number] =
        at != sizes.end() ? at->second : dim.getValue().size.value_or(0);
  }
  return result;
}

std::string EmulatedKernel::explained(const std::string &said) const {
  std::string result = said;
  for (size_t number = sites.size(); number-- > 0;) {
    std::string name = " at " + std::to_string(number), full = " at `" + sites[number] + "`";
    for (size_t at = 0; (at = result.find(name, at)) != std::string::npos; at += full.size())
      if (at + name.size() == result.size() || !isdigit(result[at + name.size()]))
        result.replace(at, name.size(), full);
  }
  return result;
}

EmulatedKernel::Outcome EmulatedKernel::run(const Sizes &sizes, const std::vector<Tensor> &inputs,
                                            const emulator::Mode &mode, RandomKey random,
                                            int64_t alignment) {
  std::vector<int64_t> numbers = numbered(sizes);
  std::vector<GuardedTensor> tensors;
  mlir::ArrayAttr layouts = kernel.getLayoutsAttr();
  for (auto [i, value] : enumerate(kernel->getOperands())) {
    tensors.emplace_back(layouts[i], model::typeOf(value).getElement(), inputs[i], sizes,
                         alignment);
    tensors.back().put(inputs[i]);
  }
  size_t operands = tensors.size();
  for (auto [i, value] : enumerate(kernel->getResults())) {
    std::vector<std::string> dims;
    for (model::DimAttr dim : model::typeOf(value).getDims())
      dims.push_back(dim.getValue().str());
    tensors.emplace_back(layouts[operands + i], model::typeOf(value).getElement(),
                         Tensor(dims, sizes), sizes, alignment);
  }
  std::vector<void *> buffers;
  for (GuardedTensor &tensor : tensors)
    buffers.push_back(tensor.address());
  uint64_t key[] = {random.seed, random.step, random.first};
  buffers.push_back(key);
  GuardedScratch scratch(countScratch(numbers.data()));
  const void *start = scratch.address();
  void *parameters[] = {numbers.data(), buffers.data(), &start};
  emulator::Grid grid;
  grid.blocks[0] = unsigned(countBlocks(numbers.data()));
  grid.threads = threads;
  Outcome outcome;
  if (grid.blocks[0] > 0)
    outcome.problem = emulator::launch(code, parameters, grid, mode, outcome.counts);
  if (outcome.problem)
    outcome.problem = explained(*outcome.problem);
  for (auto [i, tensor] : enumerate(tensors))
    if (!outcome.problem && !tensor.guarded())
      outcome.problem = "memory around " +
                        (i < operands ? "operand " + std::to_string(i)
                                      : "result " + std::to_string(i - operands)) +
                        " was written";
  if (!outcome.problem && !scratch.guarded())
    outcome.problem = "memory around the scratch was written";
  for (size_t i = operands; i < tensors.size(); ++i)
    outcome.results.push_back(tensors[i].get());
  return outcome;
}

} // namespace weft::trial

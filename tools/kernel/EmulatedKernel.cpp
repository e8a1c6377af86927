// One `kernel.fused`, compiled for a GPU and run on the emulator in this process.
#include "tools/kernel/EmulatedKernel.h"

#include "codegen/gpu/Ptx.h"
#include "codegen/host/HostEmission.h"
#include "runtime/emulator/Symbols.h"
#include "runtime/emulator/numbers/TensorMap.h"
#include "tools/kernel/GuardedMemory.h"

#include "mlir/IR/Diagnostics.h"

#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace weft::trial {

namespace {
/// The buffers of a kernel: it may touch nothing else.
class Buffers : public emulator::Memory {
public:
  void add(const void *start, size_t bytes, std::string what) {
    all.push_back({reinterpret_cast<uintptr_t>(start), bytes, std::move(what)});
  }
  bool holds(uintptr_t address, size_t bytes) const override {
    return any_of(all, [&](const Buffer &each) {
      return address >= each.start && address + bytes <= each.start + each.bytes;
    });
  }
  std::string describe(uintptr_t address) const override {
    const Buffer *nearest = nullptr;
    for (const Buffer &each : all)
      if (each.start <= address && (!nearest || each.start > nearest->start))
        nearest = &each;
    if (!nearest)
      return "before all buffers";
    return std::to_string(address - nearest->start) + " bytes into " + nearest->what +
           ", which has " + std::to_string(nearest->bytes);
  }

private:
  struct Buffer {
    uintptr_t start;
    size_t bytes;
    std::string what;
  };
  std::vector<Buffer> all;
};
} // namespace

/// Whether code of `function` names it.
static bool isUsedIn(const Value &value, const Function &function) {
  return any_of(value.users(), [&](const User *user) {
    if (auto *inst = dyn_cast<Instruction>(user))
      return inst->getFunction() == &function;
    return isUsedIn(*user, function);
  });
}

/// Of a kernel's variables, one behind the other.
static size_t sharedBytesOf(const Module &module, const Function &function) {
  constexpr unsigned sharedSpace = 3;
  uint64_t bytes = 0;
  for (const GlobalVariable &each : module.globals())
    if (each.getAddressSpace() == sharedSpace && isUsedIn(each, function))
      bytes = alignTo(bytes, each.getAlign().value_or(Align(16))) +
              module.getDataLayout().getTypeAllocSize(each.getValueType());
  return bytes;
}

EmulatedKernel::EmulatedKernel(mlir::ModuleOp module, const cuda::Device &device, bool accesses,
                               int64_t alignment, const Change &change)
    : table(kernel::DimTable::of(module)), alignment(alignment) {
  module.walk([&](kernel::FusedOp each) { kernel = each; });
  why = kernel ? compile(device, accesses, change) : "there is no kernel in the module";
}

EmulatedKernel::~EmulatedKernel() = default;

std::optional<std::string> EmulatedKernel::compile(const cuda::Device &device, bool accesses,
                                                   const Change &change) {
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
  SmallVector<unsigned> alignments(alignment ? kernel.getLayoutsAttr().size() : 0,
                                   unsigned(alignment));
  auto made = gpu::emitKernel(kernel, "kernel", {forDevice, forHost}, alignments);
  if (failed(made))
    return "the kernel was refused: " + said;
  if (change)
    change(*onDevice);
  raw_string_ostream stream(said);
  if (verifyModule(*onDevice, &stream))
    return "the builder of the kernel wrote invalid LLVM IR: " + said;
  gpu::optimize(*onDevice, *machine);
  text = gpu::ptxOf(*CloneModule(*onDevice), *machine);
  SmallVector<std::array<std::string, 3>> names; // of each launch: code, blocks, describe
  for (const gpu::DeviceKernel *each = &*made; each; each = each->then.get()) {
    const Function &function = *onDevice->getFunction(each->name);
    phases.push_back(
        {.shape = each->shape, .shared = sharedBytesOf(*onDevice, function) + each->shape.shared});
    names.push_back({each->name.str(), each->blocks->getName().str(),
                     each->describe ? each->describe->getName().str() : ""});
    for (Function *called : {each->blocks, each->scratch, each->describe})
      if (called)
        called->setLinkage(GlobalValue::ExternalLinkage);
  }
  std::string scratch = made->scratch->getName().str();
  auto emulated = gpu::emulate(*onDevice, *native, {.accesses = accesses});
  if (!emulated)
    return toString(emulated.takeError());
  sites = std::move(*emulated);
  jit = cantFail(orc::LLJITBuilder().create());
  orc::SymbolMap symbols;
  for (const emulator::Symbol &each : emulator::symbols())
    symbols[jit->mangleAndIntern(each.name)] = {orc::ExecutorAddr::fromPtr(each.address),
                                                JITSymbolFlags::Exported};
  cantFail(jit->getMainJITDylib().define(orc::absoluteSymbols(std::move(symbols))));
  orc::ThreadSafeContext shared(std::move(context));
  for (auto *unit : {&onDevice, &onHost})
    cantFail(jit->addIRModule(orc::ThreadSafeModule(std::move(*unit), shared)));
  for (auto [phase, named] : zip_equal(phases, names)) {
    phase.code = cantFail(jit->lookup(named[0])).toPtr<emulator::Kernel>();
    phase.blocks = cantFail(jit->lookup(named[1])).toPtr<Count *>();
    if (!named[2].empty())
      phase.describe = cantFail(jit->lookup(named[2])).toPtr<decltype(phase.describe)>();
  }
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

size_t EmulatedKernel::firstLaunch(const Sizes &sizes) const {
  size_t launch = 0;
  while (launch + 1 < phases.size() && blocks(sizes, launch) <= 0)
    ++launch;
  return launch;
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

void EmulatedKernel::launch(const Phase &phase, const std::vector<int64_t> &numbers,
                            const std::vector<void *> &buffers, const void *scratch,
                            const emulator::Mode &mode, Outcome &outcome) const {
  outcome.counts.emplace_back();
  int64_t blocks = phase.blocks(numbers.data());
  if (blocks <= 0)
    return;
  // What is handed over by value is not written.
  std::vector<void *> parameters = {const_cast<int64_t *>(numbers.data()),
                                    const_cast<void **>(buffers.data()), &scratch};
  std::vector<WeftTensorMap> tensors(phase.shape.maps);
  std::vector<emulator::TensorMap> maps(phase.shape.maps);
  if (phase.describe)
    phase.describe(numbers.data(), buffers.data(), tensors.data());
  for (auto [map, tensor] : zip(maps, tensors)) {
    if (std::string refusal = emulator::encode(map, tensor); !refusal.empty())
      outcome.problem = "a tensor that tiles are copied of: " + refusal;
    parameters.push_back(&map);
  }
  emulator::Grid grid;
  grid.blocks[0] = unsigned(blocks);
  grid.threads = phase.shape.threads;
  grid.cluster = phase.shape.cluster;
  if (phase.shape.shared > 0) // and nothing that the kernel declares
    grid.shared = phase.shape.shared;
  if (!outcome.problem)
    outcome.problem =
        emulator::launch(phase.code, parameters.data(), grid, mode, outcome.counts.back());
}

EmulatedKernel::Outcome EmulatedKernel::run(const Sizes &sizes, const std::vector<Tensor> &inputs,
                                            const emulator::Mode &mode, RandomKey random,
                                            const std::map<unsigned, unsigned> &inPlace) {
  std::vector<int64_t> numbers = numbered(sizes);
  std::vector<GuardedTensor> tensors;
  mlir::ArrayAttr layouts = kernel.getLayoutsAttr();
  auto lying = [&](mlir::Attribute layout) {
    return std::max<int64_t>(alignment, kernel::storageIn(layout) ? 2 : 4);
  };
  for (auto [i, value] : enumerate(kernel->getOperands())) {
    tensors.emplace_back(layouts[i], model::typeOf(value).getElement(), inputs[i], sizes,
                         lying(layouts[i]));
    tensors.back().put(inputs[i]);
  }
  size_t operands = tensors.size();
  for (auto [i, value] : enumerate(kernel->getResults())) {
    std::vector<std::string> dims;
    for (model::DimAttr dim : model::typeOf(value).getDims())
      dims.push_back(dim.getValue().str());
    tensors.emplace_back(layouts[operands + i], model::typeOf(value).getElement(),
                         Tensor(dims, sizes), sizes, lying(layouts[operands + i]));
  }
  auto nameOf = [&](size_t i) {
    return i < operands ? "operand " + std::to_string(i) : "result " + std::to_string(i - operands);
  };
  Buffers memory;
  std::vector<void *> buffers;
  for (auto [i, tensor] : enumerate(tensors)) {
    buffers.push_back(tensor.address());
    memory.add(tensor.address(), tensor.size(), nameOf(i));
  }
  for (auto [result, operand] : inPlace)
    buffers[operands + result] = buffers[operand];
  uint64_t key[] = {random.seed, random.step, random.first};
  buffers.push_back(key);
  memory.add(key, sizeof key, "the key of random numbers");
  int64_t scratchBytes = countScratch(numbers.data());
  GuardedScratch scratch(scratchBytes);
  const void *start = scratch.address();
  memory.add(start, size_t(scratchBytes), "scratch");
  emulator::Mode watched = mode;
  watched.memory = &memory;
  Outcome outcome;
  for (const Phase &phase : phases)
    if (!outcome.problem)
      launch(phase, numbers, buffers, start, watched, outcome);
  if (outcome.problem)
    outcome.problem = explained(*outcome.problem);
  for (auto [i, tensor] : enumerate(tensors))
    if (!outcome.problem && !tensor.guarded())
      outcome.problem = "memory around " + nameOf(i) + " was written";
  if (!outcome.problem && !scratch.guarded())
    outcome.problem = "memory around the scratch was written";
  for (size_t i = operands; i < tensors.size(); ++i) {
    auto at = inPlace.find(unsigned(i - operands));
    outcome.results.push_back(tensors[at == inPlace.end() ? i : at->second].get());
  }
  return outcome;
}

} // namespace weft::trial

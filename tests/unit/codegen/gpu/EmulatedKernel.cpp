// Kernels through LLVM's just-in-time compiler, and through ptxas.
#include "tests/unit/codegen/gpu/EmulatedKernel.h"

#include "codegen/gpu/Ptx.h"
#include "runtime/emulator/Symbols.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"

#include <gtest/gtest.h>
#include <random>

using namespace llvm;

namespace weft::test {

KernelModule KernelModule::parsed(const std::string &text) {
  KernelModule kernel;
  SMDiagnostic problem;
  kernel.module = parseAssemblyString("target triple = \"nvptx64-nvidia-cuda\"\n" + text, problem,
                                      *kernel.context);
  if (!kernel.module)
    ADD_FAILURE() << problem.getMessage().str() << " in line " << problem.getLineNo();
  return kernel;
}

KernelModule built(const Builds &builds) {
  KernelModule kernel;
  kernel.module = std::make_unique<Module>("k", *kernel.context);
  kernel.module->setTargetTriple(Triple("nvptx64-nvidia-cuda"));
  builds(*kernel.module);
  EXPECT_FALSE(verifyModule(*kernel.module, &errs()));
  return kernel;
}

EmulatedKernel::EmulatedKernel(KernelModule given, const gpu::EmulateOptions &options) {
  compile(std::move(given), options);
}

EmulatedKernel::EmulatedKernel(KernelModule given, const char *architecture,
                               const gpu::EmulateOptions &options) {
  std::unique_ptr<TargetMachine> machine = cantFail(gpu::machineOf(architecture));
  gpu::optimize(*given.module, *machine);
  compile(std::move(given), options);
}

EmulatedKernel::~EmulatedKernel() = default;

void EmulatedKernel::compile(KernelModule given, const gpu::EmulateOptions &options) {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  if (!given.module)
    return;
  auto host = cantFail(orc::JITTargetMachineBuilder::detectHost());
  auto machine = cantFail(host.createTargetMachine());
  Expected<gpu::Sites> found = gpu::emulate(*given.module, *machine, options);
  if (!found) {
    refusal = toString(found.takeError());
    return;
  }
  sites = *found;
  EXPECT_FALSE(verifyModule(*given.module, &errs()));
  jit = cantFail(orc::LLJITBuilder().setJITTargetMachineBuilder(host).create());
  orc::SymbolMap symbols;
  for (const emulator::Symbol &each : emulator::symbols())
    symbols[jit->mangleAndIntern(each.name)] = {orc::ExecutorAddr::fromPtr(each.address),
                                                JITSymbolFlags::Exported};
  cantFail(jit->getMainJITDylib().define(orc::absoluteSymbols(std::move(symbols))));
  cantFail(
      jit->addIRModule(orc::ThreadSafeModule(std::move(given.module), std::move(given.context))));
  kernel = cantFail(jit->lookup("k")).toPtr<emulator::Kernel>();
}

std::string EmulatedKernel::run(std::vector<void *> arguments, const emulator::Grid &grid,
                                const emulator::Mode &mode) {
  if (!kernel)
    return "there is no kernel: " + refusal;
  counts = emulator::Counts();
  return launch(kernel, arguments.data(), grid, mode, counts).value_or("");
}

std::vector<uint64_t> seeds(int fresh) {
  std::vector<uint64_t> all = {0, 1};
  std::random_device drawn;
  for (int i = 0; i < fresh; ++i)
    all.push_back(2 + drawn());
  return all;
}

std::string ptxFor(KernelModule given, const char *architecture) {
  std::unique_ptr<TargetMachine> machine = cantFail(gpu::machineOf(architecture));
  gpu::optimize(*given.module, *machine);
  return gpu::ptxOf(*given.module, *machine);
}

} // namespace weft::test

// Runs what the kernel builders emit, in this process.
#include "tools/kernel/Jit.h"

#include "codegen/host/Optimize.h"

#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

using namespace llvm;

namespace weft::trial {

static bool hostHas(cpu::Isa isa) {
  static const StringMap<bool> features = sys::getHostCPUFeatures();
  return isa != cpu::Isa::avx512 ||
         (features.lookup("avx512f") && features.lookup("avx512vl") && features.lookup("avx512bw"));
}

Jit::Jit(cpu::Isa isa) : set(isa), context(std::make_unique<LLVMContext>()) {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  unit = std::make_unique<Module>("kernels", *context);
}

Jit::~Jit() = default;

bool Jit::compile() {
  raw_string_ostream stream(why);
  if (verifyModule(*unit, &stream)) {
    unit->print(stream, nullptr);
    return false;
  }
  for (Function &function : *unit) {
    if (function.isDeclaration())
      continue;
    function.setLinkage(GlobalValue::ExternalLinkage);
    if (!hostHas(set)) {
      function.addFnAttr("target-cpu", cpu::processor(cpu::Isa::x86_64_v3));
      function.addFnAttr("target-features", cpu::features(cpu::Isa::x86_64_v3));
    }
  }
  auto host = cantFail(orc::JITTargetMachineBuilder::detectHost());
  auto machine = cantFail(host.createTargetMachine());
  unit->setDataLayout(machine->createDataLayout());
  unit->setTargetTriple(machine->getTargetTriple());

  optimize(*unit, *machine);
  raw_string_ostream text(optimized);
  unit->print(text, nullptr);

  jit = cantFail(orc::LLJITBuilder().setJITTargetMachineBuilder(host).create());
  cantFail(jit->addIRModule(orc::ThreadSafeModule(std::move(unit), std::move(context))));
  return true;
}

void *Jit::address(StringRef name) {
  auto symbol = jit->lookup(name);
  if (!symbol) {
    why = toString(symbol.takeError());
    return nullptr;
  }
  return symbol->toPtr<void *>();
}

} // namespace weft::trial

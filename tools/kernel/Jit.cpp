// Runs what the kernel builders emit, in this process.
#include "tools/kernel/Jit.h"

#include "codegen/host/Optimize.h"
#include "tools/kernel/StandIn.h"

#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace weft::trial {

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
  standIn(*unit, set);
  for (Function &function : *unit)
    if (!function.isDeclaration())
      function.setLinkage(GlobalValue::ExternalLinkage);
  auto host = machineFor(set);
  auto machine = cantFail(host.createTargetMachine());
  unit->setDataLayout(machine->createDataLayout());
  unit->setTargetTriple(machine->getTargetTriple());

  optimize(*unit, *machine);
  raw_string_ostream text(optimized);
  unit->print(text, nullptr);

  jit = jitFor(host);
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

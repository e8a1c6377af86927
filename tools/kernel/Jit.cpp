// Runs what the kernel builders emit, in this process.
#include "tools/kernel/Jit.h"

#include "codegen/emit/Stored.h"
#include "codegen/host/Optimize.h"
#include "runtime/machine/Isa.h"
#include "tools/kernel/amx/ReplacedTiles.h"
#include "tools/kernel/amx/TrappedTiles.h"

#include "llvm/ExecutionEngine/Orc/CompileUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

using namespace llvm;

namespace weft::trial {

static bool hostHas(cpu::Isa isa) {
  return runtime::machineRuns(int(isa));
}

/// Puts `code` in the place of the calls of an instruction that the machine lacks.
static void replace(Module &module, Intrinsic::ID instruction,
                    function_ref<Value *(IRBuilderBase &, CallInst &)> code) {
  for (Function &each : make_early_inc_range(module)) {
    if (each.getIntrinsicID() != instruction)
      continue;
    for (User *user : make_early_inc_range(each.users())) {
      auto *call = cast<CallInst>(user);
      IRBuilder<> b(call);
      call->replaceAllUsesWith(code(b, *call));
      call->eraseFromParent();
    }
    each.eraseFromParent();
  }
}

/// What a machine without AVX512_BF16 does instead: its second term, then its first one.
static Value *dots(IRBuilderBase &b, CallInst &call) {
  Type *floats = call.getType(), *words = floats->getWithNewType(b.getInt32Ty());
  Value *sum = call.getArgOperand(0);
  auto half = [&](unsigned side, bool upper) {
    Value *all = b.CreateBitCast(call.getArgOperand(side), words);
    all = upper ? b.CreateAnd(all, ConstantInt::get(words, 0xffff0000)) : b.CreateShl(all, 16);
    return b.CreateBitCast(all, floats);
  };
  for (bool upper : {true, false})
    sum = b.CreateIntrinsic(Intrinsic::fma, {floats}, {half(1, upper), half(2, upper), sum});
  return sum;
}

/// Rounded as code without that instruction rounds.
static Value *halves(IRBuilderBase &b, CallInst &call) {
  Value *bits = emit::roundedToUpperHalf(b, call.getArgOperand(0));
  Value *upper =
      b.CreateTrunc(b.CreateLShr(bits, 16), bits->getType()->getWithNewType(b.getInt16Ty()));
  return b.CreateBitCast(upper, call.getType());
}

/// A register as a table, without AVX-512: lane by lane.
static Value *lookedUp(IRBuilderBase &b, CallInst &call) {
  Value *table = call.getArgOperand(0), *numbers = call.getArgOperand(1);
  const unsigned lanes = cast<FixedVectorType>(call.getType())->getNumElements();
  Value *result = PoisonValue::get(call.getType());
  for (unsigned lane = 0; lane < lanes; ++lane) {
    Value *number = b.CreateAnd(b.CreateExtractElement(numbers, lane), lanes - 1);
    result = b.CreateInsertElement(result, b.CreateExtractElement(table, number), lane);
  }
  return result;
}

/// Without FastISel: that of LLVM 22 reads 16 bytes where a select takes a float from memory.
static Expected<std::unique_ptr<orc::IRCompileLayer::IRCompiler>>
compiler(orc::JITTargetMachineBuilder host) {
  Expected<std::unique_ptr<TargetMachine>> machine = host.createTargetMachine();
  if (!machine)
    return machine.takeError();
  (*machine)->setO0WantsFastISel(false);
  return std::make_unique<orc::TMOwningSimpleCompiler>(std::move(*machine));
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
  const bool traps = set == cpu::Isa::amx && hostHas(cpu::Isa::avx512) && !hostHas(set);
  const bool replaces = !hostHas(set) && !traps;
  if (traps)
    trapTiles();
  if (traps && !hostHas(cpu::Isa::avx512_bf16))
    replace(*unit, Intrinsic::x86_avx512bf16_cvtneps2bf16_512, halves);
  if (replaces) {
    replace(*unit, Intrinsic::x86_avx512bf16_dpbf16ps_512, dots);
    replace(*unit, Intrinsic::x86_avx512bf16_cvtneps2bf16_512, halves);
    replace(*unit, Intrinsic::x86_avx512_permvar_sf_512, lookedUp);
    replaceTiles(*unit);
  }
  for (Function &function : *unit) {
    if (function.isDeclaration())
      continue;
    function.setLinkage(GlobalValue::ExternalLinkage);
    if (replaces) {
      function.addFnAttr("target-cpu", cpu::processor(cpu::Isa::x86_64_v3));
      function.addFnAttr("target-features", cpu::features(cpu::Isa::x86_64_v3));
    }
  }
  auto host = cantFail(orc::JITTargetMachineBuilder::detectHost());
  if (replaces) // nobody times it, and vectors that are split take LLVM three times as long
    host.setCodeGenOptLevel(CodeGenOptLevel::None);
  auto machine = cantFail(host.createTargetMachine());
  unit->setDataLayout(machine->createDataLayout());
  unit->setTargetTriple(machine->getTargetTriple());

  optimize(*unit, *machine);
  raw_string_ostream text(optimized);
  unit->print(text, nullptr);

  jit = cantFail(orc::LLJITBuilder()
                     .setJITTargetMachineBuilder(host)
                     .setCompileFunctionCreator(compiler)
                     .create());
  defineTiles(*jit);
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

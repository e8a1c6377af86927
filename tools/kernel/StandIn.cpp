// Kernels for instruction sets that this machine lacks, on this machine.
#include "tools/kernel/StandIn.h"

#include "codegen/cpu/base/IsaEmission.h"
#include "codegen/emit/Stored.h"
#include "runtime/machine/Isa.h"
#include "tools/kernel/amx/ReplacedTiles.h"
#include "tools/kernel/amx/TrappedTiles.h"

#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace weft::trial {

static bool has(cpu::Isa isa) {
  return runtime::machineRuns(int(isa));
}

/// Whether instructions of AMX are trapped: all others are there.
static bool traps(cpu::Isa isa) {
  return isa == cpu::Isa::amx && has(cpu::Isa::avx512) && !has(isa);
}

/// Whether code for it is compiled for what this machine has.
static bool isReplaced(cpu::Isa isa) {
  return !has(isa) && !traps(isa);
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

/// FastISel of LLVM 22 reads 16 bytes where a select takes a float from memory. It is what compiles
/// without optimizations, unless this option, which all of a process have in common, says no: what
/// a machine says of it (setO0WantsFastISel) is overwritten by the option's default.
static void leaveOutFastISel() {
  [[maybe_unused]] static const bool done = [] {
    auto &options = cl::getRegisteredOptions();
    auto fastISel = options.find("fast-isel");
    if (fastISel == options.end() || fastISel->second->addOccurrence(0, "fast-isel", "false"))
      report_fatal_error("LLVM has no option `fast-isel`");
    return true;
  }();
}

void standIn(Module &module, cpu::Isa isa) {
  if (traps(isa)) {
    trapTiles();
    if (!has(cpu::Isa::avx512_bf16))
      replace(module, Intrinsic::x86_avx512bf16_cvtneps2bf16_512, halves);
  } else if (isReplaced(isa)) {
    replace(module, Intrinsic::x86_avx512bf16_dpbf16ps_512, dots);
    replace(module, Intrinsic::x86_avx512bf16_cvtneps2bf16_512, halves);
    replace(module, Intrinsic::x86_avx512_permvar_sf_512, lookedUp);
    replaceTiles(module);
    for (Function &function : module)
      if (!function.isDeclaration()) {
        function.addFnAttr("target-cpu", cpu::processor(cpu::Isa::x86_64_v3));
        function.addFnAttr("target-features", cpu::features(cpu::Isa::x86_64_v3));
      }
  }
}

orc::JITTargetMachineBuilder machineFor(cpu::Isa isa) {
  auto machine = cantFail(orc::JITTargetMachineBuilder::detectHost());
  if (!isReplaced(isa))
    return machine;
  // Nobody times it, and split vectors take LLVM three times as long.
  machine.setCodeGenOptLevel(CodeGenOptLevel::None);
  leaveOutFastISel();
  return machine;
}

std::unique_ptr<orc::LLJIT> jitFor(const orc::JITTargetMachineBuilder &machine) {
  auto jit = cantFail(orc::LLJITBuilder().setJITTargetMachineBuilder(machine).create());
  defineTiles(*jit);
  return jit;
}

} // namespace weft::trial

// Kernels whose AMX instructions are calls.
#include "tools/kernel/amx/ReplacedTiles.h"

#include "tools/kernel/amx/Tiles.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsX86.h"

using namespace llvm;
using namespace weft::trial;

namespace {

struct Replacement {
  Intrinsic::ID instruction;
  const char *name;
  void *function;
};

ArrayRef<Replacement> replacements() {
  static const Replacement all[] = {
      {Intrinsic::x86_ldtilecfg, "weft_tiles_configure",
       reinterpret_cast<void *>(tiles::configure)},
      {Intrinsic::x86_tilerelease, "weft_tiles_release", reinterpret_cast<void *>(tiles::release)},
      {Intrinsic::x86_tileloadd64, "weft_tiles_load", reinterpret_cast<void *>(tiles::load)},
      {Intrinsic::x86_tileloaddt164, "weft_tiles_load", reinterpret_cast<void *>(tiles::load)},
      {Intrinsic::x86_tilestored64, "weft_tiles_store", reinterpret_cast<void *>(tiles::store)},
      {Intrinsic::x86_tilezero, "weft_tiles_clear", reinterpret_cast<void *>(tiles::clear)},
      {Intrinsic::x86_tdpbf16ps, "weft_tiles_multiply", reinterpret_cast<void *>(tiles::multiply)},
  };
  return all;
}

} // namespace

void weft::trial::replaceTiles(Module &module) {
  for (const Replacement &each : replacements()) {
    Function *instruction = Intrinsic::getDeclarationIfExists(&module, each.instruction);
    if (!instruction)
      continue;
    FunctionCallee instead = module.getOrInsertFunction(each.name, instruction->getFunctionType());
    for (User *user : make_early_inc_range(instruction->users())) {
      auto *call = cast<CallInst>(user);
      IRBuilder<> builder(call);
      builder.CreateCall(instead, SmallVector<Value *>(call->args()));
      call->eraseFromParent();
    }
    instruction->eraseFromParent();
  }
}

void weft::trial::defineTiles(orc::LLJIT &jit) {
  orc::SymbolMap symbols;
  for (const Replacement &each : replacements())
    symbols[jit.mangleAndIntern(each.name)] = {orc::ExecutorAddr::fromPtr(each.function),
                                               JITSymbolFlags::Exported};
  cantFail(jit.getMainJITDylib().define(orc::absoluteSymbols(std::move(symbols))));
}

// The functions of a kernel: its tasks, their number, and the scratch that a worker needs; those of
// its second launch, if it has one.
#include "codegen/cpu/base/KernelShell.h"

#include "codegen/emit/Loops.h"

using namespace llvm;

namespace weft::cpu {

static FunctionType *runType(LLVMContext &context) {
  Type *pointer = PointerType::get(context, 0), *whole = Type::getInt64Ty(context);
  return FunctionType::get(Type::getVoidTy(context), {pointer, pointer, whole, whole, pointer},
                           false);
}

KernelShell::KernelShell(StringRef name, Emission &emission)
    : name(name), emission(emission),
      run(emission.function((name + ".run").str(), runType(emission.module.getContext()))),
      builder(&run->getEntryBlock()) {
  const char *words[] = {"sizes", "buffers", "begin", "end", "scratch"};
  for (auto [i, word] : enumerate(words))
    run->getArg(i)->setName(word);
}

Frame KernelShell::frame() {
  return {builder, emission, run->getArg(0), run->getArg(1)};
}

void KernelShell::emitTasks(function_ref<void(Value *)> body) {
  loop(builder, run->getArg(2), run->getArg(3), builder.getInt64(1), body);
}

void KernelShell::emitRanges(function_ref<Value *(Value *)> body) {
  repeatWhile(
      builder, {begin()},
      [&](ArrayRef<Value *> task) { return builder.CreateICmpSLT(task[0], end()); },
      [&](ArrayRef<Value *> task) { return Values{body(task[0])}; });
}

Function *KernelShell::finishRun() {
  builder.CreateRetVoid();
  return run;
}

KernelFunctions KernelShell::finish(function_ref<Value *(Frame)> tasks,
                                    function_ref<Value *(Frame)> scratch) {
  finishRun();
  return {run, count(".tasks", tasks), count(".scratch", scratch)};
}

void KernelShell::finishJoin(KernelFunctions &functions, function_ref<Value *(Frame)> joins,
                             function_ref<Value *(Frame)> shared) {
  functions.join = finishRun();
  functions.joins = count(".tasks", joins);
  functions.shared = count(".shared", shared);
}

Function *KernelShell::count(StringRef suffix, function_ref<Value *(Frame)> value) {
  Type *pointer = builder.getPtrTy();
  Function *function = emission.function(name + suffix.str(),
                                         FunctionType::get(builder.getInt64Ty(), {pointer}, false));
  IRBuilder<> inside(&function->getEntryBlock());
  inside.CreateRet(
      value({inside, emission, function->getArg(0), ConstantPointerNull::get(inside.getPtrTy())}));
  return function;
}

mlir::LogicalResult KernelShell::abandon() {
  run->eraseFromParent();
  return mlir::failure();
}

} // namespace weft::cpu

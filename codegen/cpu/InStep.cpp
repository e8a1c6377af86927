// A kernel whose tasks pack what they have written, while it is in a cache.
#include "codegen/cpu/InStep.h"

#include "codegen/cpu/base/KernelShell.h"
#include "codegen/emit/Loops.h"

using namespace llvm;

namespace weft::cpu {

Function *emitInStep(StringRef name, Function *leader, unsigned buffers, ArrayRef<PackBehind> packs,
                     Emission &emission) {
  KernelShell shell(name, emission);
  Frame frame = shell.frame();
  IRBuilderBase &b = frame.builder;
  Value *one = b.getInt64(1);
  auto run = [&](Function *kernel, Value *list, Value *task) {
    b.CreateCall(kernel, {frame.sizes, list, task, b.CreateNSWAdd(task, one), shell.scratch()});
  };
  shell.emitTasks([&](Value *task) {
    run(leader, frame.buffers, task);
    for (auto [number, pack] : enumerate(packs)) {
      Value *from = frame.buffer(buffers + 2 * number),
            *to = frame.buffer(buffers + 2 * number + 1);
      emit::when(b, b.CreateIsNotNull(to), [&] {
        Value *inPass = task, *list = emit::stackSlot(b, b.getPtrTy(), 2, alignof(void *));
        if (pack.passes > 1) {
          Value *each = b.CreateCall(pack.kernel.tasks, {frame.sizes});
          Value *pass = b.CreateUDiv(task, each);
          inPass = b.CreateURem(task, each);
          auto behind = [&](Value *base, int64_t bytes) {
            return b.CreateInBoundsGEP(b.getInt8Ty(), base,
                                       b.CreateNSWMul(pass, b.getInt64(bytes)));
          };
          from = behind(from, pack.from);
          to = behind(to, pack.to);
        }
        b.CreateStore(from, list);
        b.CreateStore(to, b.CreateConstInBoundsGEP1_64(b.getPtrTy(), list, 1));
        run(pack.kernel.run, list, inPass);
      });
    }
  });
  return shell.finishRun();
}

} // namespace weft::cpu

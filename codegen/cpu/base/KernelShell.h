// The functions of a kernel: its tasks, their number, and the scratch that a worker needs; those of
// its second launch, if it has one.
#ifndef WEFT_CODEGEN_CPU_BASE_KERNELSHELL_H
#define WEFT_CODEGEN_CPU_BASE_KERNELSHELL_H

#include "codegen/cpu/base/IsaEmission.h"
#include "codegen/cpu/base/KernelFunctions.h"
#include "codegen/cpu/base/ScratchAreas.h"
#include "codegen/emit/Frame.h"

namespace weft::cpu {

/// Writes `name.run`, then `name.tasks` and `name.scratch`. Instructions go to the frame's builder:
/// before `emitTasks` they run once a call, inside it once a task.
class KernelShell {
public:
  KernelShell(llvm::StringRef name, Emission &emission);

  Frame frame();
  llvm::Value *scratch() const { return run->getArg(4); }
  /// The tasks of this call.
  llvm::Value *begin() const { return run->getArg(2); }
  llvm::Value *end() const { return run->getArg(3); }
  void emitTasks(llvm::function_ref<void(llvm::Value *task)> body);
  /// The same for tasks that may be done together: `body` does some from `task` on, and gives the
  /// first one that it has not done.
  void emitRanges(llvm::function_ref<llvm::Value *(llvm::Value *task)> body);
  /// Ends `run`, which is all there is.
  llvm::Function *finishRun();
  /// Ends `run` and writes the other two; the callbacks give an i64 from sizes alone.
  KernelFunctions finish(llvm::function_ref<llvm::Value *(Frame)> tasks,
                         llvm::function_ref<llvm::Value *(Frame)> scratch);
  /// Writes the second launch of a kernel, `name.run` of this shell, into its functions.
  void finishJoin(KernelFunctions &functions, llvm::function_ref<llvm::Value *(Frame)> joins,
                  llvm::function_ref<llvm::Value *(Frame)> shared);
  /// Removes what was written, after a diagnostic.
  mlir::LogicalResult abandon();

private:
  llvm::Function *count(llvm::StringRef suffix, llvm::function_ref<llvm::Value *(Frame)> value);

  std::string name;
  Emission &emission;
  llvm::Function *run;
  llvm::IRBuilder<> builder;
};

/// A kernel whose tasks share areas of scratch. A Builder is made of a frame and `given`; it has
/// `check`, `readSizes`, `takeAreas(ScratchAreas &)`, `tasks` and `emitTask`; for a second launch,
/// if `mayJoin` says that its schedule can need one, `joins`, `emitJoin` and `sharedBytes`.
template <typename Builder, typename... Given>
mlir::FailureOr<KernelFunctions> emitWithAreas(llvm::StringRef name, Emission &emission,
                                               const Given &...given) {
  KernelShell shell(name, emission);
  Builder builder(shell.frame(), given...);
  if (failed(builder.check()))
    return shell.abandon();
  auto take = [](Builder &builder, Frame frame, llvm::Value *scratch) {
    builder.readSizes();
    ScratchAreas areas(frame.builder, scratch);
    builder.takeAreas(areas);
    return areas.total();
  };
  take(builder, shell.frame(), shell.scratch());
  shell.emitTasks([&](llvm::Value *task) { builder.emitTask(task); });
  auto tasks = [&](Frame frame) {
    Builder counting(frame, given...);
    counting.readSizes();
    return counting.tasks();
  };
  auto scratch = [&](Frame frame) {
    Builder counting(frame, given...);
    return take(counting, frame, llvm::ConstantPointerNull::get(frame.builder.getPtrTy()));
  };
  KernelFunctions functions = shell.finish(tasks, scratch);
  if (!builder.mayJoin())
    return functions;
  KernelShell joining((name + ".join").str(), emission);
  Builder joiner(joining.frame(), given...);
  take(joiner, joining.frame(), joining.scratch());
  joining.emitTasks([&](llvm::Value *task) { joiner.emitJoin(task); });
  auto count = [&](llvm::Value *(Builder::*member)()) {
    return [&, member](Frame frame) {
      Builder counting(frame, given...);
      counting.readSizes();
      return (counting.*member)();
    };
  };
  joining.finishJoin(functions, count(&Builder::joins), count(&Builder::sharedBytes));
  return functions;
}

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_BASE_KERNELSHELL_H

// An entry of a plan as a function of LLVM IR: addresses, copies, keys and loops. What a launch is,
// a target says.
#ifndef WEFT_CODEGEN_HOST_CALLEMITTER_H
#define WEFT_CODEGEN_HOST_CALLEMITTER_H

#include "codegen/emit/Emission.h"
#include "codegen/host/EntryEmitter.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace weft {

/// Functions of an entry, of which those that run take a WeftCall.
class CallEmitter : public EntryEmitter<llvm::Value *> {
public:
  CallEmitter(emit::Emission &emission, const llvm::StringMap<unsigned> &parameters,
              plan::EntryOp entry)
      : EntryEmitter(entry, parameters), emission(emission), builder(emission.module.getContext()) {
  }

  llvm::Function *emit(llvm::StringRef name, mlir::Region &region);
  /// i64(sizes): the largest of what these functions give, or 0. Some may be null.
  llvm::Function *emitMost(const std::string &name, llvm::ArrayRef<llvm::Function *> bytes);

protected:
  /// A pointer of the call.
  llvm::Value *field(size_t offset, const llvm::Twine &name);
  /// Where this packed weight lies.
  llvm::Value *packed(unsigned number) { return element(packedTable, number, ""); }
  /// The addresses as an array on the stack.
  llvm::Value *listOf(llvm::ArrayRef<llvm::Value *> buffers);
  /// Calls a function of the runtime, which gives nothing; the first argument is the call.
  void callRuntime(llvm::StringRef name, llvm::ArrayRef<llvm::Value *> arguments);

  emit::Emission &emission;
  llvm::IRBuilder<> builder;
  llvm::Value *sizes = nullptr;

private:
  llvm::Value *element(const CallTable &table, unsigned number, llvm::StringRef) override;
  llvm::Value *behind(llvm::Value *const &base, const Size &size,
                      llvm::Value *const *pass) override;
  void copy(llvm::Value *const &to, llvm::Value *const &from, const Size &bytes) override;
  void randomKey(llvm::Value *const &key, llvm::ArrayRef<llvm::Value *> passes,
                 llvm::ArrayRef<int64_t> strides) override;
  void loop(plan::LoopOp op, llvm::function_ref<void(llvm::Value *const &)> body) override;
  /// Loads the first `count` where the function begins, for many ops name them.
  void load(const CallTable &table, unsigned count);

  llvm::Value *call = nullptr;
  llvm::DenseMap<std::pair<size_t, unsigned>, llvm::Value *> loaded; ///< by table and number
};

/// An array of WeftEntryCode, of rows of four functions, under a symbol.
void emitCodeTable(llvm::StringRef symbol, llvm::ArrayRef<std::array<llvm::Constant *, 4>> rows,
                   llvm::Module &module);

/// A function that weft_launch is given, the kernel of the plan that it is of, how many buffers it
/// takes, and how launches of several runs can be one (WeftRows), or null.
struct NamedKernel {
  llvm::Function *function;
  std::string name;
  uint64_t buffers;
  llvm::GlobalVariable *rows;
};
/// An array of WeftNamedKernel under a symbol.
void emitKernelTable(llvm::StringRef symbol, llvm::ArrayRef<NamedKernel> kernels,
                     llvm::Module &module);

} // namespace weft

#endif // WEFT_CODEGEN_HOST_CALLEMITTER_H

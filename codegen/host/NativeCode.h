// LLVM IR for x86-64  ==>  an object file, or a text.
#ifndef WEFT_CODEGEN_HOST_NATIVECODE_H
#define WEFT_CODEGEN_HOST_NATIVECODE_H

#include "codegen/Target.h"

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

#include <functional>
#include <memory>

namespace weft {

/// Null if this build of LLVM has no x86-64 target.
std::unique_ptr<llvm::TargetMachine> nativeMachine();

/// A module with its context, to be filled and compiled by itself.
struct NativeModule {
  explicit NativeModule(llvm::StringRef name);

  llvm::LLVMContext context;
  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<llvm::Module> module;
  mlir::FailureOr<EmittedCode> code = mlir::failure(); ///< what compile() made

  void compile(llvm::StringRef form, CodeEffort effort);
};

/// Modules that become one program's objects.
struct NativeModules {
  NativeModule &add(llvm::StringRef name) {
    return *all.emplace_back(std::make_shared<NativeModule>(name));
  }
  /// Jobs for each, several for large ones (parts/ModuleParts.h), and their code in the order of
  /// adding. Called once: the modules are gone afterwards.
  LoweredCode lowered(llvm::StringRef form, CodeEffort effort);

private:
  std::vector<std::shared_ptr<NativeModule>> all;
};

} // namespace weft

#endif // WEFT_CODEGEN_HOST_NATIVECODE_H

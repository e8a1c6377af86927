// A program as the runtime finds it: WeftProgram of runtime/Abi.h.
#ifndef WEFT_CODEGEN_HOST_PROGRAMSYMBOL_H
#define WEFT_CODEGEN_HOST_PROGRAMSYMBOL_H

#include "codegen/Target.h"
#include "ir/plan/Plan.h"

#include "llvm/IR/Module.h"

namespace weft {

/// The functions of a program's entries for one instruction set: an array of WeftEntryCode.
struct CodeTable {
  unsigned isa; ///< WEFT_ISA_…
  std::string symbol;
  std::string kernels; ///< the symbol of an array of WeftNamedKernel; empty of a device's
};

/// All kernels of a program as PTX, as WeftImage has them.
struct ImageText {
  std::string ptx;
  unsigned capability;
  bool exact;
  std::string code; ///< the symbol of its entries' functions
};

/// What a program for devices has besides.
struct DeviceParts {
  size_t images = 0;                  ///< how many emitImages() puts into another module
  llvm::Constant *services = nullptr; ///< a WeftDeviceServices
};

/// Emits the images of a program: their texts are made while its own code is.
void emitImages(llvm::ArrayRef<ImageText> images, llvm::Module &module);

/// Emits a program with its facts as JSON.
void emitProgram(mlir::ModuleOp plan, llvm::StringRef json, llvm::ArrayRef<CodeTable> tables,
                 const ProgramSymbols &symbols, llvm::Module &module,
                 const DeviceParts &device = {});

} // namespace weft

#endif // WEFT_CODEGEN_HOST_PROGRAMSYMBOL_H

// A program as the runtime finds it: facts, the tables of code, and images.
#include "codegen/host/ProgramSymbol.h"
#include "runtime/Abi.h"

#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace weft {

namespace {
Constant *constant(Module &module, Constant *value, const Twine &name) {
  return new GlobalVariable(module, value->getType(), true, GlobalValue::PrivateLinkage, value,
                            name);
}

Constant *text(Module &module, StringRef of, const Twine &name) {
  return constant(module, ConstantDataArray::getString(module.getContext(), of), name);
}

constexpr StringLiteral imagesSymbol = "weft_images_of_devices";
} // namespace

void emitImages(ArrayRef<ImageText> images, Module &module) {
  IRBuilder<> builder(module.getContext());
  SmallVector<Constant *> rows;
  for (const ImageText &image : images)
    rows.push_back(ConstantStruct::getAnon(
        {text(module, image.ptx, "ptx"), builder.getInt64(image.ptx.size()),
         builder.getInt32(image.capability), builder.getInt32(image.exact),
         cast<Constant>(module.getOrInsertGlobal(image.code, builder.getPtrTy()))}));
  ArrayType *type = ArrayType::get(rows.front()->getType(), rows.size());
  new GlobalVariable(module, type, true, GlobalValue::ExternalLinkage,
                     ConstantArray::get(type, rows), imagesSymbol);
}

void emitProgram(mlir::ModuleOp plan, StringRef json, ArrayRef<CodeTable> tables,
                 const ProgramSymbols &symbols, Module &module, const DeviceParts &device) {
  IRBuilder<> builder(module.getContext());
  PointerType *pointer = builder.getPtrTy();
  SmallVector<Constant *> code(WEFT_ISA_COUNT, ConstantPointerNull::get(pointer)), kernels = code;
  for (const CodeTable &table : tables) {
    code[table.isa] = cast<Constant>(module.getOrInsertGlobal(table.symbol, pointer));
    if (!table.kernels.empty())
      kernels[table.isa] = cast<Constant>(module.getOrInsertGlobal(table.kernels, pointer));
  }
  unsigned entries = llvm::range_size(plan.getOps<plan::EntryOp>());
  Constant *next = ConstantPointerNull::get(pointer);
  if (!symbols.next.empty())
    next = cast<Constant>(module.getOrInsertGlobal(symbols.next, pointer));
  Constant *program = ConstantStruct::getAnon(
      {builder.getInt32(WEFT_ABI_VERSION), builder.getInt32(entries), text(module, json, "facts"),
       builder.getInt64(json.size()),
       ConstantArray::get(ArrayType::get(pointer, code.size()), code),
       device.images == 0 ? ConstantPointerNull::get(pointer)
                          : cast<Constant>(module.getOrInsertGlobal(imagesSymbol, pointer)),
       builder.getInt64(device.images),
       device.services ? device.services : ConstantPointerNull::get(pointer), next,
       ConstantArray::get(ArrayType::get(pointer, kernels.size()), kernels)});
  new GlobalVariable(module, program->getType(), true, GlobalValue::ExternalLinkage, program,
                     symbols.own);
}

} // namespace weft

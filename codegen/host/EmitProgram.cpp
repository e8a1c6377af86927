// The symbol `weft_program` of runtime/Abi.h: facts, and the tables of code.
#include "codegen/host/LowerPlan.h"
#include "runtime/Abi.h"

using namespace llvm;

namespace weft {

static_assert(unsigned(cpu::Isa::x86_64_v3) == WEFT_ISA_X86_64_V3 &&
              unsigned(cpu::Isa::avx512) == WEFT_ISA_AVX512);

void emitProgram(mlir::ModuleOp module, StringRef json, ArrayRef<cpu::Isa> isas,
                 cpu::IsaEmission &emission) {
  LLVMContext &context = emission.module.getContext();
  IRBuilder<> builder(context);
  PointerType *pointer = builder.getPtrTy();
  Constant *text = ConstantDataArray::getString(context, json);
  auto *facts = new GlobalVariable(emission.module, text->getType(), true,
                                   GlobalValue::PrivateLinkage, text, "facts");
  SmallVector<Constant *> tables(WEFT_ISA_COUNT, ConstantPointerNull::get(pointer));
  for (cpu::Isa isa : isas)
    tables[static_cast<unsigned>(isa)] =
        cast<Constant>(emission.module.getOrInsertGlobal(codeTableName(isa), pointer));
  ArrayType *tableType = ArrayType::get(pointer, tables.size());
  unsigned entries = llvm::range_size(module.getOps<plan::EntryOp>());
  Constant *none = ConstantPointerNull::get(pointer);
  Constant *program = ConstantStruct::getAnon(
      {builder.getInt32(WEFT_ABI_VERSION), builder.getInt32(entries), facts,
       builder.getInt64(json.size()), ConstantArray::get(tableType, tables),
       /*images=*/none, /*image_count=*/builder.getInt64(0), /*services=*/none, /*next=*/none});
  new GlobalVariable(emission.module, program->getType(), true, GlobalValue::ExternalLinkage,
                     program, "weft_program");
}

} // namespace weft

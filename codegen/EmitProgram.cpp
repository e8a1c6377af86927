// The symbol `weft_program` of runtime/Abi.h: facts, derived sizes, and the tables of code.
#include "codegen/LowerPlan.h"
#include "codegen/Obligations.h"
#include "codegen/cpu/Loops.h"
#include "runtime/Abi.h"

using namespace llvm;

namespace weft {

static_assert(unsigned(cpu::Isa::x86_64_v3) == WEFT_ISA_X86_64_V3 &&
              unsigned(cpu::Isa::avx512) == WEFT_ISA_AVX512);

namespace {
/// `sum(terms) / denominator` of a size, both without division: exact where the remainder is 0.
std::pair<Value *, Value *> fraction(IRBuilderBase &builder, cpu::Emission &emission,
                                     const Size &size, Value *sizes) {
  Size numerator = size, denominator = Size::number(1);
  for (unsigned round = 0; round < 64; ++round) {
    Size factor = Size::number(1);
    for (const auto &[powers, coefficient] : numerator.terms()) {
      if (coefficient.denominator != 1)
        factor = Size::number(coefficient.denominator);
      for (const auto &[name, power] : powers)
        if (power < 0)
          factor = Size::dim(name);
    }
    if (factor == Size::number(1))
      break;
    numerator = numerator * factor;
    denominator = denominator * factor;
  }
  return {emission.size(builder, numerator, sizes), emission.size(builder, denominator, sizes)};
}

Function *emitDerive(mlir::ModuleOp module, cpu::Emission &emission) {
  IRBuilder<> builder(emission.module.getContext());
  Function *function = emission.function(
      "derive", FunctionType::get(builder.getInt32Ty(), {builder.getPtrTy()}, false));
  builder.SetInsertPoint(&function->getEntryBlock());
  Value *sizes = function->getArg(0);
  auto breaks = [&](Value *wrong, unsigned number) {
    cpu::when(builder, wrong, [&] {
      BasicBlock *rest = BasicBlock::Create(builder.getContext(), "", function);
      builder.CreateRet(builder.getInt32(number));
      builder.SetInsertPoint(rest); // unreachable, removed by the first optimization
    });
  };
  unsigned number = 0;
  for (const Obligation &obligation : obligations(module)) {
    Value *slot = builder.CreateConstInBoundsGEP1_64(
        builder.getInt64Ty(), sizes, emission.dims.dims.find(obligation.dim)->second.number);
    if (obligation.kind == Obligation::Kind::divides) {
      auto [above, below] = fraction(builder, emission, obligation.size, sizes);
      Value *zero = builder.CreateICmpEQ(below, builder.getInt64(0));
      Value *safe = builder.CreateSelect(zero, builder.getInt64(1), below);
      Value *wrong = builder.CreateOr(
          zero, builder.CreateICmpNE(builder.CreateSRem(above, safe), builder.getInt64(0)));
      breaks(wrong, number);
      builder.CreateStore(builder.CreateSDiv(above, safe), slot);
    } else if (obligation.kind == Obligation::Kind::equals) {
      builder.CreateStore(emission.size(builder, obligation.size, sizes), slot);
    } else {
      Value *limit = emission.size(builder, obligation.size, sizes);
      breaks(builder.CreateICmpSGT(builder.CreateLoad(builder.getInt64Ty(), slot), limit), number);
    }
    ++number;
  }
  builder.CreateRet(builder.getInt32(-1));
  return function;
}
} // namespace

void emitProgram(mlir::ModuleOp module, StringRef json, ArrayRef<cpu::Isa> isas,
                 cpu::Emission &emission) {
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
  Constant *program =
      ConstantStruct::getAnon({builder.getInt32(WEFT_ABI_VERSION), builder.getInt32(entries), facts,
                               builder.getInt64(json.size()), emitDerive(module, emission),
                               ConstantArray::get(tableType, tables)});
  new GlobalVariable(emission.module, program->getType(), true, GlobalValue::ExternalLinkage,
                     program, "weft_program");
}

} // namespace weft

// Random modules compute the same as a whole and in parts: functions that call each other, and are
// called by name and through tables, private and not, with variables of their own.
#include "codegen/host/parts/ModuleParts.h"
#include "codegen/host/NativeCode.h"
#include "codegen/host/Optimize.h"
#include "tests/unit/codegen/Draw.h"

#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/TargetSelect.h"

#include <gtest/gtest.h>

using namespace weft;
using namespace weft::test;
using namespace llvm;

namespace {

constexpr int variables = 3, tables = 2, tableSize = 4;

/// `run(x)` and what it calls, which a seed decides.
class RandomModule {
public:
  RandomModule(uint64_t seed, LLVMContext &context)
      : random(seed), module(std::make_unique<Module>("avx512", context)), builder(context) {
    std::unique_ptr<TargetMachine> machine = nativeMachine();
    module->setTargetTriple(machine->getTargetTriple());
    module->setDataLayout(machine->createDataLayout());
    int count = 2 + draw(20);
    auto *type = FunctionType::get(word(), {word()}, false);
    for (int i = 0; i <= count; ++i) { // the last one calls none
      auto linkage =
          i == 0 || draw(4) == 0 ? GlobalValue::ExternalLinkage : GlobalValue::InternalLinkage;
      functions.push_back(
          Function::Create(type, linkage, i == 0 ? "run" : "f" + std::to_string(i), *module));
      if (draw(3) == 0)
        functions.back()->addFnAttr(Attribute::NoInline);
    }
    for (int i = 0; i < variables; ++i)
      state.push_back(new GlobalVariable(*module, word(), false, local(), number(draw(100)),
                                         "state" + std::to_string(i)));
    auto *numbersType = ArrayType::get(word(), tableSize);
    for (int i = 0; i < tables; ++i) {
      SmallVector<Constant *> values;
      for (int k = 0; k < tableSize; ++k)
        values.push_back(number(draw(1000)));
      numbers.push_back(new GlobalVariable(*module, numbersType, true, local(),
                                           ConstantArray::get(numbersType, values),
                                           "numbers" + std::to_string(i)));
    }
    for (size_t i = functions.size(); i-- > 0;)
      fill(i);
    EXPECT_FALSE(verifyModule(*module, &errs()));
  }

  std::unique_ptr<Module> take() { return std::move(module); }

private:
  Type *word() { return Type::getInt64Ty(module->getContext()); }
  Constant *number(uint64_t value) { return ConstantInt::get(word(), value); }
  int draw(int below) { return random.below(below); }
  GlobalValue::LinkageTypes local() {
    return draw(2) ? GlobalValue::InternalLinkage : GlobalValue::PrivateLinkage;
  }

  /// Behind it in the order, so that all ends.
  Function *later(size_t i) { return functions[i + 1 + draw(functions.size() - i - 1)]; }

  /// A function through a table of them, which this one alone has, or others too.
  Value *fromTable(size_t i, Value *x) {
    auto *type = ArrayType::get(builder.getPtrTy(), tableSize);
    GlobalVariable *&table = functionTables[draw(2) ? i : i / 4 * 4 + 3];
    if (!table) {
      SmallVector<Constant *> values;
      size_t from = std::min(i / 4 * 4 + 3, functions.size() - 2); // each behind all that use it
      for (int k = 0; k < tableSize; ++k)
        values.push_back(later(from));
      table = new GlobalVariable(*module, type, true, local(), ConstantArray::get(type, values),
                                 "functions");
    }
    Value *index = builder.CreateURem(x, number(tableSize));
    Value *place = builder.CreateInBoundsGEP(type, table, {number(0), index});
    return builder.CreateLoad(builder.getPtrTy(), place);
  }

  void fill(size_t i) {
    Function *function = functions[i];
    builder.SetInsertPoint(BasicBlock::Create(module->getContext(), "entry", function));
    Value *x = function->getArg(0);
    bool calls = i + 1 < functions.size();
    for (int statements = 1 + draw(5); statements > 0; --statements)
      switch (draw(calls ? 5 : 3)) {
      case 0:
        x = builder.CreateMul(builder.CreateAdd(x, number(draw(50))), number(1 + 2 * draw(9)));
        break;
      case 1: {
        GlobalVariable *variable = state[draw(variables)];
        x = builder.CreateXor(x, builder.CreateLoad(word(), variable));
        builder.CreateStore(x, variable);
        break;
      }
      case 2: {
        Value *index = builder.CreateURem(x, number(tableSize));
        GlobalVariable *table = numbers[draw(tables)];
        x = builder.CreateAdd(
            x, builder.CreateLoad(word(), builder.CreateInBoundsGEP(table->getValueType(), table,
                                                                    {number(0), index})));
        break;
      }
      case 3:
        x = builder.CreateCall(later(i), {x});
        break;
      case 4:
        x = builder.CreateCall(function->getFunctionType(), fromTable(i, x), {x});
        break;
      }
    builder.CreateRet(x);
  }

  Draw random;
  std::unique_ptr<Module> module;
  IRBuilder<> builder;
  std::vector<Function *> functions;
  std::vector<GlobalVariable *> state, numbers;
  std::map<size_t, GlobalVariable *> functionTables;
};

struct Owned {
  std::unique_ptr<LLVMContext> context = std::make_unique<LLVMContext>();
  std::unique_ptr<Module> module;
};

/// What `run` gives, called with some numbers in turn.
std::vector<uint64_t> results(std::vector<Owned> modules) {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  auto jit = cantFail(orc::LLJITBuilder().create());
  std::unique_ptr<TargetMachine> machine = nativeMachine();
  for (Owned &each : modules) {
    EXPECT_FALSE(verifyModule(*each.module, &errs()));
    optimize(*each.module, *machine);
    cantFail(jit->addIRModule({std::move(each.module), std::move(each.context)}));
  }
  auto run = cantFail(jit->lookup("run")).toPtr<uint64_t(uint64_t)>();
  std::vector<uint64_t> all;
  for (uint64_t x : {0, 1, 2, 3, 17, 1000, 123456789})
    all.push_back(run(x));
  return all;
}

TEST(ModuleParts, ComputeWhatTheWholeDoes) {
  Seeds seeds(60);
  int64_t acrossParts = 0;
  for (uint64_t seed = seeds.first; seed < seeds.first + seeds.count; ++seed) {
    Owned whole;
    whole.module = RandomModule(seed, *whole.context).take();
    std::vector<Owned> wholes;
    wholes.push_back(std::move(whole));
    std::vector<uint64_t> expected = results(std::move(wholes));
    for (unsigned count : {2, 3, 8}) {
      LLVMContext context;
      std::unique_ptr<Module> module = RandomModule(seed, context).take();
      ModuleParts parts(*module, count);
      module.reset();
      std::vector<Owned> all(count);
      std::map<std::string, int> definitions;
      for (unsigned i = 0; i < count; ++i) {
        all[i].module = parts.part(i, *all[i].context);
        for (GlobalObject &object : all[i].module->global_objects()) {
          if (!object.isDeclaration() && !object.hasLocalLinkage())
            ++definitions[object.getName().str()];
          acrossParts += object.isDeclaration() && object.hasHiddenVisibility();
        }
      }
      for (auto &[name, times] : definitions)
        EXPECT_EQ(times, 1) << "WEFT_SEED=" << seed << ", " << count << " parts: " << name;
      EXPECT_EQ(results(std::move(all)), expected) << "WEFT_SEED=" << seed << ", " << count;
    }
  }
  EXPECT_GT(acrossParts, int64_t(seeds.count));
}

TEST(ModuleParts, AreFewForLittle) {
  LLVMContext context;
  EXPECT_EQ(partsWorthwhile(*RandomModule(1, context).take()), 1u);
}

} // namespace

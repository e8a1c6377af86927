// Rows, columns and elementwise kernels that read and write several elements at once, and rows that
// stay in registers: on the emulator against the interpreter, at sizes around whole vectors, of
// every pitch and alignment, a third of the longest lists, drawn anew; and faults planted in them.
#include "tests/unit/codegen/Draw.h"
#include "tests/unit/codegen/gpu/Mutation.h"
#include "tests/unit/codegen/gpu/ProductCase.h"

#include "mlir/Parser/Parser.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace weft;
using namespace weft::test;

namespace {

/// Dimensions, of which `model` has a known size or none, and a pitch of rows.
struct RowsCase {
  int64_t model = 0, pitch = 0;
  bool known = true, narrow = false, narrowWeight = false;

  std::string dims() const {
    return "model.dim @seq\nmodel.dim @model" + (known ? fmt::format(" = <{}>\n", model) : "\n");
  }
  std::string rows(bool isNarrow) const {
    std::string stride = pitch ? std::to_string(pitch) : "model";
    return layout("seq: \"" + stride + "\", model: \"1\"", isNarrow);
  }
};

std::string both(const std::string &schedule) {
  return "sm_80 = " + schedule + ", sm_90a = " + schedule;
}

/// Rows less their sums, times a weight that all rows share.
std::string centred(const RowsCase &the, const std::string &schedule) {
  return the.dims() + fmt::format(R"(
func.func @f(%x: !model.tensor<f32, seq, model>, %w: !model.tensor<f32, model>) {{
  %r = kernel.fused rows "centred" (%a = %x : !model.tensor<f32, seq, model>, %b = %w : !model.tensor<f32, model>)
      -> (!model.tensor<f32, seq, model>) attributes {{layouts = [{}, {}, {}], schedule = {{{}}}}} {{
    %s = model.sum ["model"] %a : !model.tensor<f32, seq, model>
    %d = model.sub %a, %s : !model.tensor<f32, seq, model>, !model.tensor<f32, seq>
    %m = model.mul %d, %b : !model.tensor<f32, seq, model>, !model.tensor<f32, model>
    kernel.yield %m : !model.tensor<f32, seq, model>
  }}
  return
}})",
                                  the.rows(the.narrow), layout("model: \"1\"", the.narrowWeight),
                                  the.rows(the.narrow), both(schedule));
}

/// x² and a number: no lane needs another.
std::string squares(const RowsCase &the, const std::string &schedule) {
  return the.dims() + fmt::format(R"(
func.func @f(%x: !model.tensor<f32, seq, model>, %w: !model.tensor<f32, seq, model>) {{
  %r = kernel.fused rows "squares" (%a = %x : !model.tensor<f32, seq, model>, %b = %w : !model.tensor<f32, seq, model>)
      -> (!model.tensor<f32, seq, model>) attributes {{layouts = [{}, {}, {}], schedule = {{{}}}}} {{
    %q = model.mul %a, %a : !model.tensor<f32, seq, model>, !model.tensor<f32, seq, model>
    %s = model.add %q, %b : !model.tensor<f32, seq, model>, !model.tensor<f32, seq, model>
    kernel.yield %s : !model.tensor<f32, seq, model>
  }}
  return
}})",
                                  the.rows(the.narrow), the.rows(the.narrowWeight),
                                  the.rows(the.narrow), both(schedule));
}

/// Sums over rows, of which each column has its own.
std::string columns(const RowsCase &the, const std::string &schedule) {
  return the.dims() + fmt::format(R"(
func.func @f(%x: !model.tensor<f32, seq, model>, %w: !model.tensor<f32, seq, model>) {{
  %r, %t = kernel.fused rows "columns" (%a = %x : !model.tensor<f32, seq, model>, %b = %w : !model.tensor<f32, seq, model>)
      -> (!model.tensor<f32, model>, !model.tensor<f32, model>) attributes {{layouts = [{}, {}, {}, {}], schedule = {{{}}}}} {{
    %q = model.mul %a, %b : !model.tensor<f32, seq, model>, !model.tensor<f32, seq, model>
    %s = model.sum ["seq"] %q : !model.tensor<f32, seq, model>
    %u = model.sum ["seq"] %a : !model.tensor<f32, seq, model>
    kernel.yield %s, %u : !model.tensor<f32, model>, !model.tensor<f32, model>
  }}
  return
}})",
                                  the.rows(the.narrow), the.rows(the.narrowWeight),
                                  layout("model: \"1\"", false), layout("model: \"1\"", the.narrow),
                                  both(schedule));
}

/// What rows are added to: zeros, or a value that lies as the result does, or turned.
enum class Base { zeros, alike, turned };

/// Rows of `x` are added where `t` says: to zeros, or to `o`.
std::string scattered(const RowsCase &the, const std::string &schedule, Base base) {
  std::string all = "vocab: \"model\", model: \"1\"", type = "!model.tensor<f32, vocab, model>",
              turned = "vocab: \"1\", model: \"vocab\"";
  bool onto = base != Base::zeros;
  return the.dims() + "model.dim @vocab\n" +
         fmt::format(R"(
func.func @f(%x: !model.tensor<f32, seq, model>, %t: !model.tensor<i32, seq>{}) {{
  %r = kernel.fused scatter "embed" (%a = %x : !model.tensor<f32, seq, model>, %b = %t : !model.tensor<i32, seq>{})
      -> ({}) attributes {{layouts = [{}, #kernel.layout<seq: "1">, {}], schedule = {{{}}}}} {{
    %s = model.scatter %a "vocab" = %b : !model.tensor<f32, seq, model>, !model.tensor<i32, seq> -> {}
    {}
    kernel.yield %u : {}
  }}
  return
}})",
                     onto ? ", %o: " + type : "", onto ? ", %c = %o : " + type : "", type,
                     the.rows(the.narrow),
                     (onto ? layout(base == Base::turned ? turned : all, false) + ", " : "") +
                         layout(all, false),
                     both(schedule), type,
                     onto ? "%u = model.add %s, %c : " + type + ", " + type
                          : "%u = model.arrange %s : " + type + " -> " + type,
                     type);
}

void check(const std::string &text, const RowsCase &the, int64_t seq, int64_t alignment,
           const char *instruction) {
  for (const cuda::Device &device : cuda::devices())
    expectRight(text, {{"seq", seq}, {"model", the.model}}, alignment, device, instruction);
}

constexpr const char *anything = ".entry";

const char *const schedulesOfRows[] = {
    "#cuda.rows<threads = 64, team = 32, vector = 4, unroll = 2, blocks = 3>",
    "#cuda.rows<threads = 64, team = 64, vector = 8, unroll = 1, blocks = 2>",
    "#cuda.rows<threads = 96, team = 96, vector = 2, unroll = 3, blocks = 2>",
    "#cuda.rows<threads = 128, team = 32, vector = 1, unroll = 4, blocks = 2>",
    "#cuda.rows<threads = 128, team = 128, vector = 16, unroll = 2, blocks = 5>",
};

/// Known or not, so that rows are in registers or read again; a multiple of vectors, or not.
TEST(GpuRowPieces, SizesAroundVectors) {
  Draw draw(Seeds(1).first);
  for (const char *schedule : schedulesOfRows)
    for (int64_t model : {1, 8, 31, 255, 256, 257, 520})
      for (bool known : {true, false})
        for (bool narrow : {false, true}) {
          if (!draw.tries(1.0 / 3))
            continue;
          RowsCase the{model, 0, known, narrow, !narrow};
          check(centred(the, schedule), the, 5, 16, anything);
          check(squares(the, schedule), the, 3, 16, anything);
        }
}

/// Rows begin wherever their pitch says, buffers wherever they may.
TEST(GpuRowPieces, PitchesAndAlignments) {
  const char *const schedule = schedulesOfRows[0];
  for (int64_t pitch : {201, 202, 204, 208})
    for (int64_t alignment : {4, 8, 16})
      for (bool narrow : {false, true}) {
        RowsCase the{201, pitch, false, narrow, narrow};
        check(centred(the, schedule), the, 9, alignment, anything);
        RowsCase held{200, pitch, true, narrow, narrow};
        check(centred(held, schedule), held, 9, alignment, anything);
        check(squares(held, schedule), held, 9, alignment, anything);
      }
}

/// What is certain to be aligned is read at once, also where rows are of an odd pitch.
TEST(GpuRowPieces, ReadsSixteenBytes) {
  const char *const schedule = schedulesOfRows[1], *const word = "ld.global.v4.b32";
  for (bool narrow : {false, true})
    for (bool known : {true, false}) {
      RowsCase even{known ? 256 : 264, known ? 0 : 264, known, narrow, narrow};
      check(centred(even, schedule), even, 2, 16, word);
      RowsCase odd{257, 0, known, narrow, narrow};
      check(squares(odd, schedule), odd, 2, 16, word);
      RowsCase shifted{1201, 0, known, narrow, narrow};
      check(centred(shifted, schedule), shifted, 11, 16, word);
    }
}

TEST(GpuRowPieces, Columns) {
  for (const char *schedule : {"#cuda.columns<threads = 64, lanes = 8, vector = 2, blocks = 3>",
                               "#cuda.columns<threads = 96, lanes = 32, vector = 4, blocks = 1>",
                               "#cuda.columns<threads = 64, lanes = 8, blocks = 3>"})
    for (int64_t model : {4, 36, 48})
      for (int64_t seq : {1, 31, 70, 300})
        for (bool narrow : {false, true}) {
          RowsCase the{model, 0, true, narrow, !narrow};
          check(columns(the, schedule), the, seq, 16, anything);
        }
}

TEST(GpuRowPieces, Scatters) {
  Draw draw(Seeds(1).first);
  for (int64_t vector : {1, 2, 4, 8})
    for (int64_t model : {1, 6, 24, 100, 301})
      for (auto [narrow, base] : {std::pair(false, Base::zeros),
                                  {true, Base::zeros},
                                  {false, Base::alike},
                                  {true, Base::alike},
                                  {true, Base::turned}})
        for (const cuda::Device &device : cuda::devices()) {
          if (!draw.tries(1.0 / 3))
            continue;
          RowsCase the{model, 0, true, narrow, false};
          auto context = contextOfKernels();
          std::string text = scattered(
              the,
              fmt::format("#cuda.scatter<threads = 64, positions = 1, vector = {}, blocks = 3>",
                          vector),
              base);
          auto module = mlir::parseSourceString<mlir::ModuleOp>(text, context.get());
          ASSERT_TRUE(module);
          EmulatedKernel k(*module, device, /*accesses=*/true, /*alignment=*/16);
          ASSERT_FALSE(k.problem()) << *k.problem();
          for (int64_t seq : {1, 70, 150}) {
            Sizes sizes{{"seq", seq}, {"vocab", 7}, {"model", model}};
            std::vector<Tensor> inputs = {Tensor::whole({"seq", "model"}, sizes, 99, 1),
                                          Tensor::whole({"seq"}, sizes, 7, 2)};
            if (base != Base::zeros)
              inputs.push_back(Tensor::normal({"vocab", "model"}, sizes, 3));
            auto want = trial::interpret(k.op(), sizes, inputs);
            auto expectRows = [&](const std::map<unsigned, unsigned> &inPlace) {
              auto got = k.run(sizes, inputs, {.seed = uint64_t(seq), .races = true}, {}, inPlace);
              ASSERT_FALSE(got.problem) << *got.problem << text;
              EXPECT_LE(difference(got.results[0], (*want)[0]), 1e-6) << text;
            };
            expectRows({});
            if (base == Base::alike)
              expectRows({{0, 2}});
          }
        }
}

//===-- Faults
//--------------------------------------------------------------------------------------===//

using llvm::CallInst;
using llvm::ConstantInt;
using llvm::Instruction;
using llvm::Module;

/// Loads or stores of several elements.
std::vector<Instruction *> ofPieces(Module &module, unsigned opcode) {
  std::vector<Instruction *> found;
  for (Instruction *each : instructionsOf(module, opcode))
    if (llvm::getLoadStoreType(each)->isVectorTy())
      found.push_back(each);
  EXPECT_FALSE(found.empty());
  return found;
}

/// Every comparison with this number.
void compares(Module &module, int64_t with, int64_t instead) {
  unsigned count = 0;
  for (Instruction *each : instructionsOf(module, Instruction::ICmp))
    if (auto *number = llvm::dyn_cast<ConstantInt>(each->getOperand(1));
        number && number->getSExtValue() == with) {
      each->setOperand(1, ConstantInt::getSigned(number->getType(), instead));
      ++count;
    }
  EXPECT_GT(count, 0u);
}

const Mutant inHeld[] = {
    {"lanes behind the last are read and stored",
     [](Module &module) { compares(module, 200, 256); }, "are wrong|no memory of the device"},
    {"the last lanes are left out", [](Module &module) { compares(module, 200, 196); },
     "are wrong"},
    {"a piece is read one element on",
     [](Module &module) {
       Instruction *load = ofPieces(module, Instruction::Load)[0];
       llvm::IRBuilder<> builder(load);
       load->setOperand(0,
                        builder.CreateConstGEP1_64(builder.getFloatTy(), load->getOperand(0), 1));
     },
     "not a multiple|are wrong"},
    {"a piece is stored where another lies",
     [](Module &module) {
       Instruction *store = ofPieces(module, Instruction::Store)[0];
       llvm::IRBuilder<> builder(store);
       store->setOperand(1,
                         builder.CreateConstGEP1_64(builder.getFloatTy(), store->getOperand(1), 4));
     },
     "are wrong|nothing puts them in order|no memory of the device"},
    {"two elements of a piece are exchanged",
     [](Module &module) {
       for (Instruction *each : instructionsOf(module, Instruction::ExtractElement))
         if (auto *at = llvm::cast<ConstantInt>(each->getOperand(1)); at->getZExtValue() < 2)
           each->setOperand(1, ConstantInt::get(at->getType(), 1 - at->getZExtValue()));
     },
     "are wrong"},
};

const Mutant inShifted[] = {
    {"vectors begin where the row does",
     [](Module &module) {
       // The only negation: how far it is to the next multiple.
       for (Instruction *each : instructionsOf(module, Instruction::Sub))
         if (auto *zero = llvm::dyn_cast<ConstantInt>(each->getOperand(0)); zero && zero->isZero())
           each->replaceAllUsesWith(zero);
     },
     "not a multiple"},
    {"halves of a word are exchanged when they are rounded",
     [](Module &module) {
       for (CallInst *call : callsOf(module, "cvt.rn.bf16x2")) {
         llvm::Value *high = call->getArgOperand(0);
         call->setArgOperand(0, call->getArgOperand(1));
         call->setArgOperand(1, high);
       }
     },
     "are wrong"},
    {"halves of a word are exchanged when they are read",
     [](Module &module) {
       for (Instruction *each : instructionsOf(module, Instruction::And))
         if (auto *mask = llvm::dyn_cast<ConstantInt>(each->getOperand(1));
             mask && mask->equalsInt(0xffff0000)) {
           llvm::IRBuilder<> builder(each);
           each->replaceAllUsesWith(builder.CreateShl(each->getOperand(0), 16));
         }
     },
     "are wrong"},
    {"a warp adds up with one of the others alone",
     [](Module &module) {
       std::vector<CallInst *> all = callsOf(module, "shfl.sync.bfly");
       change(all.back(), 2, 1);
     },
     "are wrong"},
    {"sums of warps are read before they are there",
     [](Module &module) { erase(callOf(module, "barrier.cta.sync", 0)); },
     "nothing puts them in order"},
};

const Mutant inColumns[] = {
    {"columns behind the last are stored too",
     [](Module &module) {
       for (CallInst *each : callsOf(module, "llvm.smin"))
         each->replaceAllUsesWith(each->getArgOperand(0));
     },
     "are wrong|no memory of the device|nothing puts them in order"},
    {"terms that are read together go on behind the last",
     [](Module &module) {
       llvm::SmallVector<Instruction *> quotients;
       for (llvm::Function &function : module)
         for (Instruction &each : llvm::instructions(function))
           if (each.getOpcode() == Instruction::SDiv)
             quotients.push_back(&each);
       for (Instruction *each : quotients) {
         llvm::IRBuilder<> builder(each->getNextNode());
         auto *more = cast<Instruction>(builder.CreateAdd(each, builder.getInt64(1)));
         each->replaceUsesWithIf(more, [&](llvm::Use &use) { return use.getUser() != more; });
       }
     },
     "are wrong|no memory of the device"},
};

void expectFoundIn(const std::string &text, const Sizes &sizes, llvm::ArrayRef<Mutant> mutants) {
  auto context = contextOfKernels();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, context.get());
  ASSERT_TRUE(module);
  auto run = [&](const EmulatedKernel::Change &change) {
    EmulatedKernel k(*module, cuda::devices().front(), /*accesses=*/true, /*alignment=*/16, change);
    EXPECT_FALSE(k.problem()) << *k.problem();
    std::vector<Tensor> inputs = drawn(k.op(), sizes);
    auto want = trial::interpret(k.op(), sizes, inputs);
    return firstSaid([&](uint64_t seed) -> std::string {
      auto got = k.run(sizes, inputs, {.seed = seed, .races = true});
      if (got.problem)
        return *got.problem;
      for (size_t r = 0; r < want->size(); ++r) {
        bool rounds = bool(kernel::storageIn(k.op().getLayoutsAttr()[inputs.size() + r]));
        Tensor before = rounds ? beforeRounding(got.results[r], (*want)[r]) : got.results[r];
        if (difference(before, (*want)[r]) > 1e-5)
          return "results are wrong";
      }
      return "";
    });
  };
  EXPECT_EQ(run(nullptr), "");
  for (const Mutant &mutant : mutants)
    mutant.expectIn(run(mutant.plant));
}

TEST(GpuRowPieces, FaultsOfRowsInRegisters) {
  RowsCase the{200, 0, true, false, false};
  expectFoundIn(
      centred(the, "#cuda.rows<threads = 64, team = 32, vector = 4, unroll = 2, blocks = 2>"),
      {{"seq", 9}, {"model", 200}}, inHeld);
}

TEST(GpuRowPieces, FaultsOfRowsThatBeginAnywhere) {
  RowsCase the{701, 0, true, true, true};
  expectFoundIn(
      centred(the, "#cuda.rows<threads = 64, team = 64, vector = 8, unroll = 1, blocks = 2>"),
      {{"seq", 9}, {"model", 701}}, inShifted);
}

TEST(GpuRowPieces, FaultsOfColumns) {
  RowsCase the{36, 0, true, false, false};
  expectFoundIn(columns(the, "#cuda.columns<threads = 64, lanes = 8, vector = 2, blocks = 3>"),
                {{"seq", 300}, {"model", 36}}, inColumns);
}

} // namespace

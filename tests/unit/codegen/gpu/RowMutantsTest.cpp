// Faults planted in rows and scatters as the compiler builds them, which the emulator or the
// numbers have to show.
#include "tests/unit/codegen/gpu/Mutation.h"
#include "tests/unit/codegen/gpu/ProductCase.h"

#include "mlir/Parser/Parser.h"
#include "llvm/IR/IRBuilder.h"

#include <gtest/gtest.h>

using namespace weft;
using namespace weft::test;
using namespace llvm;

namespace {

/// Adds each row of `x` where `t` says: more indices than threads, and many of one position.
const char *const scatter = R"mlir(
model.dim @seq
model.dim @vocab
model.dim @model
func.func @f(%x: !model.tensor<f32, seq, model>, %t: !model.tensor<i32, seq>) {
  %r = kernel.fused scatter "embed" (%a = %x : !model.tensor<f32, seq, model>, %b = %t : !model.tensor<i32, seq>)
      -> (!model.tensor<f32, vocab, model>)
      attributes {layouts = [#kernel.layout<seq: "model", model: "1">, #kernel.layout<seq: "1">, #kernel.layout<vocab: "model", model: "1">],
                  schedule = {sm_80 = #cuda.scatter<threads = 64, positions = 1, vector = 2, blocks = 3>}} {
    %s = model.scatter %a "vocab" = %b : !model.tensor<f32, seq, model>, !model.tensor<i32, seq> -> !model.tensor<f32, vocab, model>
    kernel.yield %s : !model.tensor<f32, vocab, model>
  }
  return
}
)mlir";

/// Sums of rows, and what is left when they are taken away; a team of two warps has a row.
const char *const rows = R"mlir(
model.dim @seq
model.dim @model
func.func @f(%x: !model.tensor<f32, seq, model>) {
  %r = kernel.fused rows "centred" (%a = %x : !model.tensor<f32, seq, model>) -> (!model.tensor<f32, seq, model>)
      attributes {layouts = [#kernel.layout<seq: "model", model: "1">, #kernel.layout<seq: "model", model: "1">],
                  schedule = {sm_80 = #cuda.rows<threads = 64, team = 64, unroll = 2, blocks = 2>}} {
    %s = model.sum ["model"] %a : !model.tensor<f32, seq, model>
    %d = model.sub %a, %s : !model.tensor<f32, seq, model>, !model.tensor<f32, seq>
    kernel.yield %d : !model.tensor<f32, seq, model>
  }
  return
}
)mlir";

/// Counts of ones: of what a thread's own bits are masked with first, or of all votes.
std::vector<CallInst *> counted(Module &module, bool masked) {
  std::vector<CallInst *> found;
  for (Function &function : module)
    if (function.getIntrinsicID() == Intrinsic::ctpop)
      for (User *user : function.users())
        if (auto *call = cast<CallInst>(user);
            isa<BinaryOperator>(call->getArgOperand(0)) == masked)
          found.push_back(call);
  EXPECT_EQ(found.size(), 1u);
  return found;
}

const Mutant inScatter[] = {
    {"warps are counted before all have said",
     [](Module &module) { erase(callOf(module, "barrier.cta.sync", 0)); },
     "nothing puts them in order"},
    {"rows are added of a list that is not whole",
     [](Module &module) { erase(callOf(module, "barrier.cta.sync", 1)); },
     "nothing puts them in order|no memory of the device"},
    {"every thread is the last of its warp",
     [](Module &module) {
       for (CallInst *call : counted(module, true))
         call->setArgOperand(0, cast<BinaryOperator>(call->getArgOperand(0))->getOperand(0));
     },
     "nothing puts them in order|are wrong|no memory of the device"},
    {"all of a warp say yes",
     [](Module &module) {
       CallInst *vote = callOf(module, "vote.ballot");
       vote->setArgOperand(1, ConstantInt::getTrue(module.getContext()));
     },
     "are wrong|no memory of the device"},
    {"indices are passed over of which some are in the range",
     [](Module &module) {
       CallInst *any = callOf(module, "barrier.cta.red.or");
       any->replaceAllUsesWith(ConstantInt::getFalse(module.getContext()));
     },
     "are wrong"},
    {"a thread passes over them alone",
     [](Module &module) {
       CallInst *any = callOf(module, "barrier.cta.red.or");
       any->replaceAllUsesWith(any->getArgOperand(1));
     },
     "wait|end|come together"},
    {"only the first warp is counted",
     [](Module &module) {
       for (CallInst *call : counted(module, false))
         call->replaceAllUsesWith(ConstantInt::get(call->getType(), 0));
     },
     "are wrong|nothing puts them in order|no memory of the device"},
};

const Mutant inRows[] = {
    {"sums of warps are read before they are there",
     [](Module &module) { erase(callOf(module, "barrier.cta.sync", 0)); },
     "nothing puts them in order"},
    {"sums of warps are written where others still read",
     [](Module &module) { erase(callOf(module, "barrier.cta.sync", 1)); },
     "nothing puts them in order"},
    {"lanes add up with one neighbour twice",
     [](Module &module) { change(callOf(module, "shfl.sync.bfly", 1), 2, -4); }, "are wrong"},
    {"a thread has the lane of its neighbour",
     [](Module &module) {
       CallInst *thread = callOf(module, "read.ptx.sreg.tid.x");
       IRBuilder<> builder(thread->getNextNode());
       Value *other = builder.CreateAdd(thread, builder.getInt32(1));
       thread->replaceUsesWithIf(other, [&](Use &use) { return use.getUser() != other; });
     },
     "are wrong"},
};

void expectFoundIn(const char *text, const Sizes &sizes, const std::vector<Tensor> &inputs,
                   ArrayRef<Mutant> mutants) {
  auto context = contextOfKernels();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, context.get());
  ASSERT_TRUE(module);
  auto run = [&](const EmulatedKernel::Change &change) {
    EmulatedKernel k(*module, cuda::devices().front(), /*accesses=*/true, /*alignment=*/0, change);
    EXPECT_FALSE(k.problem()) << *k.problem();
    auto want = trial::interpret(k.op(), sizes, inputs);
    return firstSaid([&](uint64_t seed) -> std::string {
      auto got = k.run(sizes, inputs, {.seed = seed, .races = true});
      if (got.problem)
        return *got.problem;
      return difference(got.results[0], (*want)[0]) > 1e-5 ? "results are wrong" : "";
    });
  };
  EXPECT_EQ(run(nullptr), "");
  for (const Mutant &mutant : mutants)
    mutant.expectIn(run(mutant.plant));
}

TEST(GpuRowMutants, OfScatters) {
  for (int64_t seq : {150, 64, 1}) {
    Sizes sizes{{"seq", seq}, {"vocab", 7}, {"model", 70}};
    std::vector<Tensor> inputs = {Tensor::normal({"seq", "model"}, sizes, 1),
                                  Tensor::whole({"seq"}, sizes, 7, 2)};
    expectFoundIn(scatter, sizes, inputs, seq == 150 ? ArrayRef(inScatter) : ArrayRef<Mutant>());
  }
}

TEST(GpuRowMutants, OfRows) {
  Sizes sizes{{"seq", 9}, {"model", 201}};
  expectFoundIn(rows, sizes, {Tensor::normal({"seq", "model"}, sizes, 1)}, inRows);
}

} // namespace

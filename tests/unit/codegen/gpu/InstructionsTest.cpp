// Small kernels of what contractions do not use: tiles stored by copies, numbered barriers,
// arrivals of one lane for its warp, products whose left side is in registers; and faults planted
// in them.
#include "codegen/emit/Loops.h"
#include "codegen/gpu/instructions/Group.h"
#include "codegen/gpu/instructions/Tensor.h"
#include "runtime/emulator/numbers/TensorMap.h"
#include "tests/unit/codegen/gpu/PlantedFaults.h"

#include <bit>
#include <gtest/gtest.h>

using namespace weft;
using namespace weft::test;
using namespace llvm;

namespace {

uint16_t bfloat(float value) {
  return std::bit_cast<uint32_t>(value) >> 16;
}
float number(uint16_t bits) {
  return std::bit_cast<float>(uint32_t(bits) << 16);
}

/// The image for one architecture runs on these.
void expectAssembles(const Builds &build, const char *image, ArrayRef<const char *> architectures) {
  std::string ptx = ptxFor(built(build), image);
  for (const char *architecture : architectures) {
    Assembled result = assemble(ptx, architecture);
    if (result.skipped)
      GTEST_SKIP() << "ptxas is absent: it is not on PATH";
    EXPECT_EQ(result.problem, "") << architecture;
  }
}

std::string compare(const std::string &problem, ArrayRef<float> is, ArrayRef<float> should) {
  if (!problem.empty())
    return problem;
  int wrong = 0;
  for (size_t i = 0; i < should.size(); ++i)
    wrong += !(is[i] == should[i]);
  return wrong ? std::to_string(wrong) + " are wrong" : "";
}

// Two tiles of 64 by 64, one after the other through the same shared memory: row + column.
void buildStores(Module &module) {
  IRBuilder<> builder(module.getContext());
  Function *kernel = gpu::createKernel(module, "k", {builder.getPtrTy()}, {128}, builder);
  gpu::handsOverTensorMap(*kernel, 0);
  gpu::SharedTile tile = gpu::SharedTile::mixed(gpu::dynamicShared(builder), 64, 128);
  Value *warp = gpu::warpOf(builder), *lane = gpu::laneOf(builder);
  emit::loop(
      builder, builder.getInt32(0), builder.getInt32(2), builder.getInt32(1), [&](Value *which) {
        Value *top = builder.CreateMul(warp, builder.getInt32(16));
        for (unsigned column = 0; column < 64; column += 16) {
          SmallVector<Value *> registers;
          for (unsigned i = 0; i < 4; ++i) {
            Value *row = builder.CreateAdd(top, gpu::Sums::rowOf(builder, i % 2));
            row = builder.CreateAdd(row, builder.CreateMul(which, builder.getInt32(64)));
            Value *at = builder.CreateAdd(gpu::Sums::columnOf(builder),
                                          builder.getInt32(column + i / 2 * 8));
            Value *first = builder.CreateAdd(row, at);
            Value *second = builder.CreateAdd(first, builder.getInt32(1));
            auto value = [&](Value *number) {
              return builder.CreateUIToFP(number, builder.getFloatTy());
            };
            registers.push_back(
                gpu::packed(builder, gpu::Element::bfloat16, value(first), value(second)));
          }
          Value *row = builder.CreateAdd(top, builder.CreateAnd(lane, 15));
          Value *chunk =
              builder.CreateAdd(builder.CreateLShr(lane, 4), builder.getInt32(column / 8));
          gpu::storeMatrices(builder, tile.chunk(builder, row, chunk), registers, false);
        }
        gpu::crossToCopies(builder);
        gpu::barrier(builder);
        emit::when(builder, builder.CreateICmpEQ(gpu::threadOf(builder), builder.getInt32(0)), [&] {
          gpu::storeTile(builder, tile, {kernel->getArg(0)},
                         {builder.getInt32(0), builder.CreateMul(which, builder.getInt32(64))});
          gpu::commitStores(builder);
          gpu::waitForStores(builder, 0);
        });
        gpu::barrier(builder);
      });
  builder.CreateRetVoid();
}

std::string runStores(EmulatedKernel &kernel, uint64_t seed) {
  constexpr int rows = 100, columns = 56; // less than the tiles
  std::vector<uint16_t> out(rows * columns, 0xffff);
  emulator::Tensor tensor{.base = out.data(), .elementBytes = 2, .rank = 2};
  tensor.sizes[0] = columns, tensor.sizes[1] = rows, tensor.strides[0] = columns * 2;
  tensor.box[0] = tensor.box[1] = 64;
  tensor.swizzle = emulator::TensorSwizzle::bytes128;
  emulator::TensorMap map;
  EXPECT_EQ(encode(map, tensor), "");
  std::string problem =
      kernel.run({&map}, {.threads = 128, .shared = 8192}, {.seed = seed, .races = true});
  std::vector<float> is, should;
  for (int i = 0; i < rows * columns; ++i) {
    is.push_back(number(out[i]));
    should.push_back(number(bfloat(float(i / columns + i % columns))));
  }
  return compare(problem, is, should);
}

const Mutant ofStores[] = {
    {"stores do not cross to copies", [](Module &module) { erase(callOf(module, "fence.proxy")); },
     "fence.proxy.async"},
    {"others have not stored yet",
     [](Module &module) { erase(callOf(module, "barrier.cta.sync", 0)); },
     "nothing puts them in order"},
    {"stores do not wait until the tile is read",
     [](Module &module) { erase(callOf(module, "cp.async.bulk.wait.group")); }, "still reads"},
    {"others do not wait until the tile is read",
     [](Module &module) { erase(callOf(module, "barrier.cta.sync", 1)); },
     "still reads|nothing puts them in order"},
    {"copies are in no group",
     [](Module &module) { erase(callOf(module, "cp.async.bulk.commit")); }, "still reads"},
    {"rows are not mixed",
     [](Module &module) {
       for (Instruction *each : instructionsOf(module, Instruction::Xor))
         skip(each);
     },
     "are wrong"},
};

TEST(GpuInstructions, TilesAreStoredByCopies) {
  expectFound(ofStores, buildStores, "sm_90", runStores);
}
TEST(GpuInstructionsPtxas, TileStores) {
  expectAssembles(buildStores, "sm_90", {"sm_90", "sm_90a", "sm_100", "sm_120"});
}

// One warp hands 3 times 32 numbers to another, by numbered barriers.
void buildHandOver(Module &module) {
  IRBuilder<> builder(module.getContext());
  Function *kernel =
      gpu::createKernel(module, "k", {builder.getPtrTy(gpu::globalSpace)}, {96}, builder);
  Value *cells = gpu::dynamicShared(builder), *lane = gpu::laneOf(builder);
  Value *full = builder.getInt32(1), *empty = builder.getInt32(2), *warp = gpu::warpOf(builder);
  Value *cell = builder.CreateGEP(builder.getFloatTy(), cells, lane);
  Value *other = builder.CreateGEP(builder.getFloatTy(), cells, builder.CreateXor(lane, 1));
  auto rounds = [&](function_ref<void(Value *)> body) {
    emit::loop(builder, builder.getInt32(0), builder.getInt32(3), builder.getInt32(1), body);
  };
  emit::when(builder, builder.CreateICmpEQ(warp, builder.getInt32(0)), [&] {
    rounds([&](Value *round) {
      gpu::barrier(builder, empty, 64);
      Value *value = builder.CreateAdd(builder.CreateMul(round, builder.getInt32(32)), lane);
      builder.CreateStore(builder.CreateUIToFP(value, builder.getFloatTy()), cell);
      gpu::arriveAtBarrier(builder, full, 64);
    });
  });
  emit::when(builder, builder.CreateICmpEQ(warp, builder.getInt32(1)), [&] {
    rounds([&](Value *round) {
      gpu::arriveAtBarrier(builder, empty, 64);
      gpu::barrier(builder, full, 64);
      Value *at = builder.CreateAdd(builder.CreateMul(round, builder.getInt32(32)), lane);
      builder.CreateStore(builder.CreateLoad(builder.getFloatTy(), other),
                          builder.CreateGEP(builder.getFloatTy(), kernel->getArg(0), at));
    });
  });
  builder.CreateRetVoid();
}

std::string runHandOver(EmulatedKernel &kernel, uint64_t seed) {
  std::vector<float> out(96, -1), should;
  void *to = out.data();
  std::string problem =
      kernel.run({&to}, {.threads = 96, .shared = 128}, {.seed = seed, .races = true});
  for (int i = 0; i < 96; ++i)
    should.push_back(float(i ^ 1));
  return compare(problem, out, should);
}

const Mutant ofHandOver[] = {
    {"the writer does not wait",
     [](Module &module) { erase(callOf(module, "barrier.cta.sync", 0)); },
     "nothing puts them in order|again before the others"},
    {"the reader does not wait",
     [](Module &module) { erase(callOf(module, "barrier.cta.sync", 1)); },
     "nothing puts them in order|again before the others"},
    {"the writer does not say that it wrote",
     [](Module &module) { erase(callOf(module, "barrier.cta.arrive", 0)); },
     "32 of 64 threads are there"},
    {"a barrier is for more",
     [](Module &module) { change(callOf(module, "barrier.cta.sync", 1), 1, 32); },
     "is for 96 threads|is for 64 threads"},
    {"a barrier is another one",
     [](Module &module) { change(callOf(module, "barrier.cta.sync", 1), 0, 5); },
     "32 of 64 threads are there"},
};

TEST(GpuInstructions, NumberedBarriers) {
  expectFound(ofHandOver, buildHandOver, "sm_80", runHandOver);
}
TEST(GpuInstructionsPtxas, NumberedBarriers) {
  expectAssembles(buildHandOver, "sm_80", {"sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"});
}

// A lane arrives for its warp at a barrier in shared memory; another warp reads what they stored.
void buildArrival(Module &module) {
  IRBuilder<> builder(module.getContext());
  Function *kernel =
      gpu::createKernel(module, "k", {builder.getPtrTy(gpu::globalSpace)}, {64}, builder);
  Value *shared = gpu::dynamicShared(builder), *lane = gpu::laneOf(builder);
  gpu::Mbarrier barrier{gpu::offset(builder, shared, 128)};
  Value *thread = gpu::threadOf(builder), *zero = builder.getInt32(0);
  emit::when(builder, builder.CreateICmpEQ(thread, zero),
             [&] { gpu::makeMbarrier(builder, barrier, 1); });
  gpu::barrier(builder);
  emit::choose(
      builder, builder.CreateICmpEQ(gpu::warpOf(builder), zero),
      [&]() -> emit::Values {
        builder.CreateStore(builder.CreateUIToFP(lane, builder.getFloatTy()),
                            builder.CreateGEP(builder.getFloatTy(), shared, lane));
        gpu::warpBarrier(builder);
        emit::when(builder, gpu::elected(builder), [&] { gpu::arrive(builder, barrier); });
        return {};
      },
      [&]() -> emit::Values {
        gpu::waitForPhase(builder, barrier, zero);
        Value *other = builder.CreateGEP(builder.getFloatTy(), shared, builder.CreateXor(lane, 1));
        builder.CreateStore(builder.CreateLoad(builder.getFloatTy(), other),
                            builder.CreateGEP(builder.getFloatTy(), kernel->getArg(0), lane));
        return {};
      });
  builder.CreateRetVoid();
}

std::string runArrival(EmulatedKernel &kernel, uint64_t seed) {
  std::vector<float> out(32, -1), should;
  void *to = out.data();
  std::string problem =
      kernel.run({&to}, {.threads = 64, .shared = 256}, {.seed = seed, .races = true});
  for (int i = 0; i < 32; ++i)
    should.push_back(float(i ^ 1));
  return compare(problem, out, should);
}

const Mutant ofArrival[] = {
    {"the lane that arrives does not wait for the others",
     [](Module &module) { erase(callOf(module, "bar.warp.sync")); }, "nothing puts them in order"},
    {"only some lanes come together",
     [](Module &module) { change(callOf(module, "bar.warp.sync"), 0, -1); }, "has not its lane"},
    {"the reader does not wait", [](Module &module) { holds(callOf(module, "mbarrier.try.wait")); },
     "nothing puts them in order"},
    {"the barrier is not made", [](Module &module) { erase(callOf(module, "mbarrier.init")); },
     "no barrier was made"},
};

TEST(GpuInstructions, ALaneArrivesForItsWarp) {
  expectFound(ofArrival, buildArrival, "sm_90", runArrival);
}
TEST(GpuInstructionsPtxas, Arrival) {
  expectAssembles(buildArrival, "sm_90", {"sm_90", "sm_100", "sm_120"});
}

// 64 by 16 times 16 by 32, the left side from global memory to registers, the right one stored by
// threads to shared memory.
void buildRegisters(Module &module) {
  IRBuilder<> builder(module.getContext());
  Type *pointer = builder.getPtrTy(gpu::globalSpace);
  Function *kernel = gpu::createKernel(module, "k", {pointer, pointer, pointer}, {128}, builder);
  gpu::SharedTile tile = {gpu::dynamicShared(builder), 32, 32, gpu::Swizzle::bytes32};
  Value *thread = gpu::threadOf(builder);
  emit::when(builder, builder.CreateICmpULT(thread, builder.getInt32(64)), [&] {
    Type *chunk = FixedVectorType::get(builder.getInt32Ty(), 4);
    Value *from = builder.CreateGEP(chunk, kernel->getArg(1), thread);
    builder.CreateAlignedStore(
        builder.CreateAlignedLoad(chunk, from, Align(16)),
        tile.chunk(builder, builder.CreateLShr(thread, 1), builder.CreateAnd(thread, 1)),
        Align(16));
  });
  gpu::crossToCopies(builder);
  gpu::barrier(builder);
  gpu::LeftFragment left;
  for (unsigned i = 0; i < 4; ++i) {
    Value *row = gpu::Accumulators::rowOf(builder, i % 2);
    Value *pair = builder.CreateAdd(builder.CreateAnd(thread, 3), builder.getInt32(i / 2 * 4));
    Value *at = builder.CreateAdd(builder.CreateMul(row, builder.getInt32(8)), pair);
    left.registers[i] = builder.CreateLoad(
        builder.getInt32Ty(), builder.CreateGEP(builder.getInt32Ty(), kernel->getArg(0), at));
  }
  gpu::GroupProduct product = {.columns = 32, .leftInRegisters = true};
  auto pending = gpu::PendingAccumulators::begin(builder, gpu::Accumulators::zero(builder, 32));
  pending.add(builder, product, left,
              gpu::descriptorOf(builder, tile, product.element, false, builder.getInt32(0), 0));
  gpu::commitProducts(builder);
  gpu::Accumulators sums = std::move(pending).wait(builder);
  for (unsigned pair = 0; pair < sums.pairs(); ++pair) {
    Value *at = builder.CreateAdd(
        builder.CreateMul(gpu::Accumulators::rowOf(builder, pair), builder.getInt32(32)),
        gpu::Accumulators::columnOf(builder, pair));
    auto [first, second] = sums.pairOf(pair);
    for (Value *sum : {first, second}) {
      builder.CreateStore(sum, builder.CreateGEP(builder.getFloatTy(), kernel->getArg(2), at));
      at = builder.CreateAdd(at, builder.getInt32(1));
    }
  }
  builder.CreateRetVoid();
}

std::string runRegisters(EmulatedKernel &kernel, uint64_t seed) {
  std::vector<uint16_t> left(64 * 16), right(32 * 16);
  for (size_t i = 0; i < left.size(); ++i)
    left[i] = bfloat(float(int(i * 7 % 13) - 6));
  for (size_t i = 0; i < right.size(); ++i)
    right[i] = bfloat(float(int(i * 5 % 11) - 5));
  std::vector<float> out(64 * 32, -1), should(64 * 32);
  for (int i = 0; i < 64; ++i)
    for (int j = 0; j < 32; ++j)
      for (int k = 0; k < 16; ++k)
        should[i * 32 + j] += number(left[i * 16 + k]) * number(right[j * 16 + k]);
  void *a = left.data(), *b = right.data(), *to = out.data();
  std::string problem =
      kernel.run({&a, &b, &to}, {.threads = 128, .shared = 1024}, {.seed = seed, .races = true});
  return compare(problem, out, should);
}

const Mutant ofRegisters[] = {
    {"stores do not cross to products",
     [](Module &module) { erase(callOf(module, "fence.proxy")); }, "fence.proxy.async"},
    {"others have not stored yet",
     [](Module &module) { erase(callOf(module, "barrier.cta.sync")); },
     "nothing puts them in order"},
    {"no fence before the product", [](Module &module) { erase(callOf(module, "wgmma.fence")); },
     "without a fence (wgmma.fence)"},
    {"nothing is waited for",
     [](Module &module) { reads(callOf(module, "wgmma.wait_group"), gpu::GroupWait{1}.text()); },
     "was not waited for"},
};

TEST(GpuInstructions, ProductsOfRegisters) {
  expectFound(ofRegisters, buildRegisters, "sm_90a", runRegisters);
}
TEST(GpuInstructionsPtxas, ProductsOfRegisters) {
  expectAssembles(buildRegisters, "sm_90a", {"sm_90a"});
}

/// What is written of a product is read back, and nothing else is.
TEST(GpuInstructions, TextsOfProducts) {
  for (unsigned columns : {8u, 24u, 128u, 256u})
    for (gpu::Element element : {gpu::Element::bfloat16, gpu::Element::float16, gpu::Element::tf32})
      for (unsigned flags = 0; flags < 16; ++flags) {
        bool is16 = element != gpu::Element::tf32;
        gpu::GroupProduct product = {columns,           element,
                                     bool(flags & 1),   is16 && !(flags & 1) && flags & 2,
                                     is16 && flags & 4, bool(flags & 8)};
        auto read = gpu::GroupProduct::parsed(product.text());
        ASSERT_TRUE(read) << product.text();
        EXPECT_EQ(read->text(), product.text());
        EXPECT_EQ(read->keeps, product.keeps);
        EXPECT_EQ(read->leftTransposed, product.leftTransposed);
        EXPECT_EQ(read->rightTransposed, product.rightTransposed);
      }
  EXPECT_FALSE(gpu::GroupProduct::parsed(
      "wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e4m3 {$0}, $1, $2, 1, 1, 1;"));
}

} // namespace

// What lanes tell each other by mask and by segment, functions within their stated errors, tensors
// of more dimensions, and grids that overlap.
#include "codegen/emit/Loops.h"
#include "codegen/gpu/base/DeviceMath.h"
#include "codegen/gpu/instructions/Assembly.h"
#include "codegen/gpu/instructions/Tensor.h"
#include "runtime/emulator/numbers/TensorMap.h"
#include "tests/unit/codegen/gpu/EmulatedKernel.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace weft;
using namespace weft::test;
using namespace llvm;

namespace {

/// Each of 32 lanes stores what `body` gives of its number.
Builds lanes(const std::function<Value *(IRBuilder<> &, Value *lane)> &body) {
  return [=](Module &module) {
    IRBuilder<> builder(module.getContext());
    Function *kernel =
        gpu::createKernel(module, "k", {builder.getPtrTy(gpu::globalSpace)}, {32}, builder);
    Value *lane = gpu::laneOf(builder);
    Value *result = body(builder, lane);
    builder.CreateStore(result, builder.CreateGEP(builder.getInt32Ty(), kernel->getArg(0), lane));
    builder.CreateRetVoid();
  };
}

std::string runLanes(EmulatedKernel &kernel, uint64_t seed, std::vector<int> &out) {
  out.assign(32, -1);
  void *to = out.data();
  return kernel.run({&to}, {.shared = 0}, {.seed = seed, .races = true});
}

void expectLanes(const std::function<Value *(IRBuilder<> &, Value *)> &body,
                 const std::function<int(int)> &expected) {
  EmulatedKernel kernel(built(lanes(body)), "sm_90");
  ASSERT_EQ(kernel.refusal, "");
  for (uint64_t seed : seeds(2)) {
    std::vector<int> out;
    EXPECT_EQ(runLanes(kernel, seed, out), "");
    for (int lane = 0; lane < 32; ++lane)
      EXPECT_EQ(out[lane], expected(lane)) << "lane " << lane << ", seed " << seed;
  }
}

Value *shuffled(IRBuilder<> &builder, Intrinsic::ID id, Value *value, int by, int bounds) {
  return builder.CreateIntrinsic(
      id, {builder.getInt32(-1), value, builder.getInt32(by), builder.getInt32(bounds)});
}

/// Segments of 8 lanes: bits 8 to 12 keep a lane in its own.
TEST(GpuLanes, ShufflesWithinSegments) {
  constexpr int segments = 24 << 8;
  expectLanes(
      [](IRBuilder<> &builder, Value *lane) {
        return shuffled(builder, Intrinsic::nvvm_shfl_sync_down_i32, lane, 3, segments | 31);
      },
      [](int lane) { return lane % 8 + 3 < 8 ? lane + 3 : lane; });
  expectLanes(
      [](IRBuilder<> &builder, Value *lane) {
        return shuffled(builder, Intrinsic::nvvm_shfl_sync_up_i32, lane, 3, segments);
      },
      [](int lane) { return lane % 8 >= 3 ? lane - 3 : lane; });
  expectLanes(
      [](IRBuilder<> &builder, Value *lane) {
        return shuffled(builder, Intrinsic::nvvm_shfl_sync_idx_i32, lane, 5, segments | 31);
      },
      [](int lane) { return lane / 8 * 8 + 5; });
  expectLanes(
      [](IRBuilder<> &builder, Value *lane) {
        return shuffled(builder, Intrinsic::nvvm_shfl_sync_bfly_i32, lane, 6, segments | 31);
      },
      [](int lane) { return lane ^ 6; });
}

/// Two halves of a warp, each by itself, at different instructions.
TEST(GpuLanes, ByMask) {
  expectLanes(
      [](IRBuilder<> &builder, Value *lane) {
        return emit::choose(
            builder, builder.CreateICmpULT(lane, builder.getInt32(16)),
            [&]() -> emit::Values {
              return {builder.CreateIntrinsic(Intrinsic::nvvm_redux_sync_add,
                                              {lane, builder.getInt32(0xffff)})};
            },
            [&]() -> emit::Values {
              Value *odd = builder.CreateTrunc(lane, builder.getInt1Ty());
              return {builder.CreateIntrinsic(Intrinsic::nvvm_vote_ballot_sync,
                                              {builder.getInt32(0xffff0000), odd})};
            })[0];
      },
      [](int lane) { return lane < 16 ? 120 : int(0xaaaa0000); });
}

TEST(GpuLanes, ALaneThatDoesNotTakePart) {
  EmulatedKernel kernel(built(lanes([](IRBuilder<> &builder, Value *lane) {
                          return builder.CreateIntrinsic(
                              Intrinsic::nvvm_vote_ballot_sync,
                              {builder.getInt32(0xffff), builder.getTrue()});
                        })),
                        "sm_80");
  std::vector<int> out;
  EXPECT_NE(runLanes(kernel, 0, out).find("has not its lane"), std::string::npos);
}

TEST(GpuLanes, OneIsElected) {
  EmulatedKernel kernel(built(lanes([](IRBuilder<> &builder, Value *) {
                          return builder.CreateZExt(gpu::elected(builder), builder.getInt32Ty());
                        })),
                        "sm_90");
  for (uint64_t seed : seeds()) {
    std::vector<int> out;
    EXPECT_EQ(runLanes(kernel, seed, out), "");
    EXPECT_EQ(std::count(out.begin(), out.end(), 1), 1);
  }
}

/// A kernel of one block: `to[i]` = `emit` of `from[i]`.
Builds ofEach(const std::function<Value *(IRBuilder<> &, Value *)> &emit, unsigned threads) {
  return [=](Module &module) {
    IRBuilder<> builder(module.getContext());
    Type *pointer = builder.getPtrTy(gpu::globalSpace);
    Function *function = gpu::createKernel(module, "k", {pointer, pointer}, {threads}, builder);
    auto at = [&](unsigned which) {
      return builder.CreateGEP(builder.getFloatTy(), function->getArg(which),
                               gpu::threadOf(builder));
    };
    Value *x = builder.CreateLoad(builder.getFloatTy(), at(0));
    builder.CreateStore(emit(builder, x), at(1));
    builder.CreateRetVoid();
  };
}

struct Approximation {
  const char *name;
  std::function<Value *(IRBuilder<> &, Value *)> emit;
  double (*exact)(double);
  double bound, from, to;
  double reached =
      0.9; ///< of the bound at least: an emulator that is exact would hide what is lost
};

Value *unary(IRBuilder<> &builder, Intrinsic::ID id, Value *x) {
  return builder.CreateIntrinsic(id, {x});
}

/// They are within what PTX states, and not exact.
TEST(GpuLanes, ApproximationsWithinTheirErrors) {
  const Approximation all[] = {
      {"ex2",
       [](IRBuilder<> &builder, Value *x) {
         return builder.CreateIntrinsic(Intrinsic::nvvm_ex2_approx_ftz, {x->getType()}, {x});
       },
       [](double x) { return std::exp2(x); }, 0x1p-22, -100, 100},
      {"lg2",
       [](IRBuilder<> &builder, Value *x) {
         return unary(builder, Intrinsic::nvvm_lg2_approx_ftz_f, x);
       },
       [](double x) { return std::log2(x); }, 0x1p-22, 3, 1e6},
      {"rcp",
       [](IRBuilder<> &builder, Value *x) {
         return unary(builder, Intrinsic::nvvm_rcp_approx_ftz_f, x);
       },
       [](double x) { return 1 / x; }, 0x1p-23, 0.01, 100},
      {"rsqrt",
       [](IRBuilder<> &builder, Value *x) {
         return unary(builder, Intrinsic::nvvm_rsqrt_approx_ftz_f, x);
       },
       [](double x) { return 1 / std::sqrt(x); }, 0x1.2p-23, 0.01, 100},
      {"sqrt",
       [](IRBuilder<> &builder, Value *x) {
         return unary(builder, Intrinsic::nvvm_sqrt_approx_ftz_f, x);
       },
       [](double x) { return std::sqrt(x); }, 0x1p-23, 0.01, 100},
      {"tanh",
       [](IRBuilder<> &builder, Value *x) -> Value * {
         auto *type = FunctionType::get(x->getType(), {x->getType()}, false);
         return builder.CreateCall(InlineAsm::get(type, gpu::tanhText, gpu::tanhConstraints, false),
                                   x);
       },
       [](double x) { return std::tanh(x); }, 0x1p-11, -4, 4},
      {"exp", gpu::exponential, [](double x) { return std::exp(x); }, 0x1p-22, -87, 88},
      {"own tanh", gpu::hyperbolicTangent, [](double x) { return std::tanh(x); }, 0x1p-21, -2, 2,
       0.2},
  };
  std::mt19937 random(1);
  for (const Approximation &each : all) {
    EmulatedKernel kernel(built(ofEach(each.emit, 1024)), "sm_80");
    ASSERT_EQ(kernel.refusal, "") << each.name;
    std::vector<float> in(1024), out(1024);
    for (float &x : in)
      x = std::uniform_real_distribution<float>(each.from, each.to)(random);
    void *from = in.data(), *to = out.data();
    EXPECT_EQ(kernel.run({&from, &to}, {.threads = 1024, .shared = 0}, {}), "");
    double most = 0;
    for (int i = 0; i < 1024; ++i) {
      double exact = each.exact(in[i]);
      most = std::max(most, std::fabs(out[i] - exact) / std::fabs(exact));
    }
    EXPECT_LE(most, each.bound + 0x1p-24) << each.name; // and rounded
    EXPECT_GE(most, each.bound * each.reached) << each.name;
  }
}

/// Where e^x begins and ends, and what is none of its numbers.
TEST(GpuLanes, TheExponentialAtItsEdges) {
  EmulatedKernel kernel(built(ofEach(gpu::exponential, 32)), "sm_80");
  ASSERT_EQ(kernel.refusal, "");
  constexpr float infinite = std::numeric_limits<float>::infinity(), largest = 88.72283F;
  std::vector<float> in(32), out(32);
  const std::vector<float> edges = {
      0,       -0.0F,    infinite, -infinite, largest,
      88.723F, 89.5F,    1e30F,    -1e30F,    -104,
      -110,    1e-30F,   -1e-30F,  NAN,       std::nextafter(largest, 89.0F),
      -103.9F, 88.7228F, 87.9999F};
  std::copy(edges.begin(), edges.end(), in.begin());
  void *from = in.data(), *to = out.data();
  EXPECT_EQ(kernel.run({&from, &to}, {.threads = 32, .shared = 0}, {}), "");
  for (size_t i = 0; i < in.size(); ++i) {
    auto exact = float(std::exp(double(in[i])));
    SCOPED_TRACE(in[i]);
    if (std::isnan(in[i]))
      EXPECT_TRUE(std::isnan(out[i]));
    else if (in[i] == 0 || std::isinf(exact) || exact < std::numeric_limits<float>::min())
      EXPECT_EQ(out[i], in[i] == 0 || std::isinf(exact) ? exact : 0);
    else
      EXPECT_NEAR(out[i] / exact, 1, 0x1.8p-22);
  }
}

/// A box of a tensor of three dimensions that lies partly outside, mixed over 64 bytes.
TEST(GpuTensors, BoxesOfThreeDimensions) {
  EmulatedKernel kernel(
      built([](Module &module) {
        IRBuilder<> builder(module.getContext());
        Function *function = gpu::createKernel(
            module, "k", {builder.getPtrTy(), builder.getPtrTy(gpu::globalSpace)}, {32}, builder);
        gpu::handsOverTensorMap(*function, 0);
        Value *shared = gpu::dynamicShared(builder), *zero = builder.getInt32(0);
        gpu::SharedTile tile = gpu::SharedTile::mixed(shared, 12, 64);
        gpu::Mbarrier full{gpu::offset(builder, shared, 1024)};
        emit::when(builder, builder.CreateICmpEQ(gpu::laneOf(builder), zero), [&] {
          gpu::makeMbarrier(builder, full, 1);
          gpu::publishMbarriers(builder);
          gpu::arriveExpecting(builder, full, builder.getInt32(tile.bytes()));
          gpu::loadTile(builder, tile, {function->getArg(0)}, full,
                        {builder.getInt32(-2), builder.getInt32(3), builder.getInt32(1)});
        });
        gpu::warpBarrier(builder);
        gpu::waitForPhase(builder, full, zero);
        for (unsigned row = 0; row < 12; ++row) {
          Value *lane = gpu::laneOf(builder);
          Value *chunk = tile.chunk(builder, builder.getInt32(row), builder.CreateLShr(lane, 3));
          Value *from = builder.CreateGEP(builder.getInt16Ty(), chunk, builder.CreateAnd(lane, 7));
          Value *at = builder.CreateAdd(lane, builder.getInt32(row * 32));
          builder.CreateStore(builder.CreateLoad(builder.getInt16Ty(), from),
                              builder.CreateGEP(builder.getInt16Ty(), function->getArg(1), at));
        }
        builder.CreateRetVoid();
      }),
      "sm_90");
  ASSERT_EQ(kernel.refusal, "");
  constexpr int sizes[] = {24, 5, 3};
  std::vector<uint16_t> in(24 * 5 * 3), out(12 * 32);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = uint16_t(i + 1);
  emulator::Tensor tensor{.base = in.data(), .elementBytes = 2, .rank = 3};
  for (int i = 0; i < 3; ++i)
    tensor.sizes[i] = sizes[i];
  tensor.strides[0] = 48, tensor.strides[1] = 240;
  tensor.box[0] = 32, tensor.box[1] = 4, tensor.box[2] = 3;
  tensor.swizzle = emulator::TensorSwizzle::bytes64;
  emulator::TensorMap map;
  ASSERT_EQ(encode(map, tensor), "");
  for (uint64_t seed : seeds(2)) {
    void *to = out.data();
    EXPECT_EQ(kernel.run({&map, &to}, {.shared = 2048}, {.seed = seed, .races = true}), "");
    for (int z = 0; z < 3; ++z)
      for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 32; ++x) {
          int at[] = {x - 2, y + 3, z + 1};
          bool inside = at[0] >= 0 && at[0] < 24 && at[1] < 5 && at[2] < 3;
          EXPECT_EQ(out[(z * 4 + y) * 32 + x], inside ? in[(at[2] * 5 + at[1]) * 24 + at[0]] : 0);
        }
  }
  tensor.strides[0] = 44;
  EXPECT_EQ(encode(map, tensor), "distances are multiples of 16 bytes below 2^40, not 44");
  tensor.strides[0] = 48, tensor.box[0] = 64;
  EXPECT_EQ(encode(map, tensor), "a row of a box has at most the 64 bytes that are mixed, not 128");
}

/// A grid that may begin before the one before it has ended waits for it before it reads.
TEST(GpuGrids, ThatOverlap) {
  for (bool waits : {true, false}) {
    EmulatedKernel kernel(
        built([&](Module &module) {
          IRBuilder<> builder(module.getContext());
          Function *function =
              gpu::createKernel(module, "k", {builder.getPtrTy(gpu::globalSpace)}, {32}, builder);
          if (waits)
            builder.CreateIntrinsic(Intrinsic::nvvm_griddepcontrol_wait, {});
          Value *place =
              builder.CreateGEP(builder.getFloatTy(), function->getArg(0), gpu::laneOf(builder));
          Value *next = builder.CreateFAdd(builder.CreateLoad(builder.getFloatTy(), place),
                                           ConstantFP::get(builder.getFloatTy(), 1));
          builder.CreateStore(next, place);
          builder.CreateRetVoid();
        }),
        "sm_90");
    std::vector<float> cells(32);
    void *to = cells.data();
    emulator::Grid grid{.shared = 0, .overlaps = true};
    EXPECT_EQ(kernel.run({&to}, grid, {.races = true}), "");
    std::string problem = kernel.run({&to}, grid, {.races = true});
    if (waits)
      EXPECT_EQ(problem, "");
    else
      EXPECT_NE(problem.find("race:"), std::string::npos) << problem;
  }
}

} // namespace

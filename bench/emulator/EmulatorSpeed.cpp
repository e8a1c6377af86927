// How long the emulator takes for threads, barriers, shuffles and contractions: CPU time of one
// thread, the least of several runs.
#include "runtime/emulator/prediction/Prediction.h"
#include "tests/unit/codegen/gpu/ContractionCase.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

#include "codegen/emit/Loops.h"

#include <algorithm>
#include <cstdio>
#include <ctime>

using namespace llvm;
using namespace weft;
using namespace weft::test;

static double seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}

static double least(const std::function<std::string()> &run) {
  double best = 1e9;
  for (int i = 0; i < 5; ++i) {
    double begin = seconds();
    if (std::string text = run(); !text.empty()) {
      fprintf(stderr, "%s\n", text.c_str());
      exit(1);
    }
    best = std::min(best, seconds() - begin);
  }
  return best;
}

/// A thousand times `body` in each thread of 64 blocks of 256; nanoseconds for one of one thread.
static double repeated(const std::function<Value *(gpu::Builder &, Value *)> &body) {
  constexpr int times = 1000, blocks = 64, threads = 256;
  EmulatedKernel kernel(
      built([&](Module &module) {
        IRBuilder<> builder(module.getContext());
        Type *pointer = builder.getPtrTy(gpu::globalSpace);
        Function *function = gpu::createKernel(module, "k", {pointer}, {threads}, builder);
        Value *from = builder.CreateUIToFP(gpu::threadOf(builder), builder.getFloatTy());
        emit::Values all = emit::carryingLoop(
            builder, builder.getInt32(0), builder.getInt32(times), builder.getInt32(1), {from},
            [&](Value *, ArrayRef<Value *> carried) -> emit::Values {
              return {body(builder, carried[0])};
            });
        Value *at =
            builder.CreateAdd(gpu::threadOf(builder), builder.CreateMul(gpu::blockOf(builder, 0),
                                                                        builder.getInt32(threads)));
        builder.CreateStore(all[0],
                            builder.CreateGEP(builder.getFloatTy(), function->getArg(0), at));
        builder.CreateRetVoid();
      }),
      "sm_80", {.accesses = false});
  std::vector<float> out(blocks * threads);
  void *to = out.data();
  double time = least([&] {
    return kernel.run({&to}, {.blocks = {blocks, 1, 1}, .threads = threads, .shared = 1024}, {});
  });
  return time * 1e9 / times / blocks / threads;
}

static void contraction(const char *name, const gpu::MmaTiles &tiles, bool accesses,
                        emulator::Mode mode) {
  EmulatedKernel kernel(built([&](Module &module) { buildMma(module, tiles, true, true); }),
                        "sm_80", {.accesses = accesses});
  ContractionCase given(tiles.element, 256, 256, 512);
  given.draw(1);
  double time = least([&] { return runMma(kernel, tiles, given, mode); });
  printf("%-48s %7.2f GFLOP/s\n", name, 2.0 * 256 * 256 * 512 / time * 1e-9);
}

static void instructions() {
  double nothing = repeated([](gpu::Builder &builder, Value *value) {
    return builder.CreateFMul(value, ConstantFP::get(value->getType(), 0.5));
  });
  printf("%-48s %7.2f ns\n", "a thread of a thousand products", nothing * 1000);
  auto print = [](const char *what, double time) { printf("%-48s %7.2f ns\n", what, time); };
  print("a barrier of a block of 256, of one thread",
        repeated([](gpu::Builder &builder, Value *value) {
          gpu::barrier(builder);
          return builder.CreateFMul(value, ConstantFP::get(value->getType(), 0.5));
        }));
  print("a shuffle, of one thread", repeated([](gpu::Builder &builder, Value *value) {
          return builder.CreateIntrinsic(
              Intrinsic::nvvm_shfl_sync_bfly_f32,
              {builder.getInt32(-1), value, builder.getInt32(1), builder.getInt32(31)});
        }));
  print("ex2.approx, of one thread", repeated([](gpu::Builder &builder, Value *value) {
          return builder.CreateIntrinsic(Intrinsic::nvvm_ex2_approx_ftz, {value->getType()},
                                         {value});
        }));
}

static void group(const char *name, const gpu::GroupTiles &tiles, bool accesses,
                  emulator::Mode mode) {
  EmulatedKernel kernel(built([&](Module &module) { buildGroup(module, tiles); }), "sm_90a",
                        {.accesses = accesses});
  ContractionCase given(tiles.element, 256, 512, 512);
  given.rounded = true;
  given.draw(1);
  double time = least([&] { return runGroup(kernel, tiles, given, mode, 2 * tiles.cluster); });
  printf("%-48s %7.2f GFLOP/s\n", name, 2.0 * 256 * 512 * 512 / time * 1e-9);
}

/// What a contraction of n x n x n would take: counted for a few tiles as deep, and scaled.
static void predicted(const char *name, const gpu::GroupTiles &tiles, int n) {
  EmulatedKernel kernel(built([&](Module &module) { buildGroup(module, tiles); }), "sm_90a");
  ContractionCase given(tiles.element, int(tiles.rows() * tiles.cluster), int(tiles.columns), n);
  given.rounded = true;
  given.draw(1);
  if (std::string text = runGroup(kernel, tiles, given, {.profile = true}, tiles.cluster);
      !text.empty())
    fprintf(stderr, "%s\n", text.c_str());
  double tilesOfAll = double(n) * n / tiles.rows() / tiles.columns;
  emulator::Counts counts = emulator::scaled(kernel.counts, tilesOfAll / tiles.cluster);
  const emulator::Device &device = emulator::h100();
  // Each block goes through as many tiles as fall to it.
  counts.blocks = device.processors / tiles.cluster * tiles.cluster;
  uint64_t bytes = 3ull * n * n * bytesOf(tiles.element);
  emulator::Prediction time =
      predict(counts, {tiles.threads(), tiles.sharedBytes()}, device, bytes);
  auto arithmetic = tiles.element == gpu::Element::tf32 ? emulator::Arithmetic::tf32
                                                        : emulator::Arithmetic::tensor;
  double peak = 2.0 * n * n * n / emulator::peak(device, arithmetic);
  printf("%-32s %8.1f us, %5.1f %% of peak, bound by %s (us: issue %.0f, tensor %.0f, shared %.0f, "
         "cache %.0f, memory %.0f)\n",
         name, time.seconds * 1e6, 100 * peak / time.seconds, time.bound, time.issue * 1e6,
         time.tensor * 1e6, time.shared * 1e6, time.cache * 1e6, time.memory * 1e6);
}

int main(int count, char **) {
  if (count == 1) // whatever argument: contractions only
    instructions();
  gpu::MmaTiles tiles = {
      .rows = 128, .columns = 128, .depth = 32, .warpsDown = 2, .warpsAcross = 4};
  contraction("mma.sync bf16", tiles, false, {});
  contraction("mma.sync bf16, accesses told", tiles, true, {});
  contraction("mma.sync bf16, accesses counted", tiles, true, {.profile = true});
  contraction("mma.sync bf16, races looked for", tiles, true, {.races = true});
  tiles.element = gpu::Element::tf32;
  contraction("mma.sync tf32", tiles, false, {});
  gpu::GroupTiles groupTiles = {.columns = 256, .consumers = 2, .stages = 4};
  group("wgmma bf16, 128 x 256", groupTiles, false, {});
  group("wgmma bf16, 128 x 256, races looked for", groupTiles, true, {.races = true});
  groupTiles.columns = 64;
  group("wgmma bf16, 128 x 64", groupTiles, false, {});
  groupTiles.element = gpu::Element::tf32;
  group("wgmma tf32, 128 x 64", groupTiles, false, {});
  predicted("8192^3 bf16, 128 x 256", {.columns = 256, .consumers = 2, .stages = 4}, 8192);
  predicted("8192^3 bf16, 128 x 256 x 2",
            {.columns = 256, .consumers = 2, .stages = 4, .cluster = 2}, 8192);
  predicted("8192^3 bf16, 128 x 64", {.columns = 64, .consumers = 2, .stages = 4}, 8192);
  predicted("1024^3 bf16, 128 x 128", {.columns = 128, .consumers = 2, .stages = 4}, 1024);
}

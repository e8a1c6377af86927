// Kernels of a GPU on the emulator: right in every order of warps, and what is wrong in them found.
#include "tests/unit/codegen/gpu/EmulatedKernel.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace weft;
using test::seeds;

namespace {

class Emulated : public test::EmulatedKernel {
public:
  explicit Emulated(const std::string &text) : EmulatedKernel(test::KernelModule::parsed(text)) {}
  std::string run(std::vector<void *> arguments, const emulator::Grid &grid, uint64_t seed,
                  bool races = true) {
    return EmulatedKernel::run(std::move(arguments), grid, {.seed = seed, .races = races});
  }
};

/// Each block gives the sum of its 64 numbers: each thread stores its own, then the first adds.
std::string sum(const std::string &between) {
  return R"(
@shared = internal addrspace(3) global [64 x float] undef, align 16
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.bar.warp.sync(i32)
define ptx_kernel void @k(ptr %in, ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %begin = mul i32 %block, 64
  %at = add i32 %begin, %tid
  %from = getelementptr float, ptr %in, i32 %at
  %x = load float, ptr %from
  %cell = getelementptr [64 x float], ptr addrspace(3) @shared, i32 0, i32 %tid
  store float %x, ptr addrspace(3) %cell
)" + between +
         R"(
  %first = icmp eq i32 %tid, 0
  br i1 %first, label %adds, label %end
adds:
  br label %loop
loop:
  %i = phi i32 [ 0, %adds ], [ %next, %loop ]
  %total = phi float [ 0.0, %adds ], [ %more, %loop ]
  %other = getelementptr [64 x float], ptr addrspace(3) @shared, i32 0, i32 %i
  %y = load float, ptr addrspace(3) %other
  %more = fadd float %total, %y
  %next = add i32 %i, 1
  %done = icmp eq i32 %next, 64
  br i1 %done, label %stores, label %loop
stores:
  %to = getelementptr float, ptr %out, i32 %block
  store float %more, ptr %to
  br label %end
end:
  ret void
}
)";
}

struct Sums {
  std::vector<float> in = std::vector<float>(3 * 64), out = std::vector<float>(3, -1);
  float *from = in.data(), *to = out.data();
  Sums() {
    for (size_t i = 0; i < in.size(); ++i)
      in[i] = float(i);
  }
  std::vector<void *> arguments() { return {&from, &to}; }
  static float expected(int block) { return 64 * (64 * block) + 63 * 32; }
};
const emulator::Grid three{{3, 1, 1}, 64};

TEST(Emulate, ABarrierPutsSharedMemoryInOrder) {
  Emulated kernel(sum("call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)"));
  for (uint64_t seed : seeds()) {
    Sums sums;
    EXPECT_EQ(kernel.run(sums.arguments(), three, seed), "") << "seed " << seed;
    for (int block = 0; block < 3; ++block)
      EXPECT_EQ(sums.out[block], Sums::expected(block)) << "seed " << seed;
  }
}

TEST(Emulate, WithoutItThereIsARace) {
  for (const char *between : {"", "call void @llvm.nvvm.bar.warp.sync(i32 -1)"}) {
    Emulated kernel(sum(between));
    for (uint64_t seed : seeds()) {
      Sums sums;
      std::string problem = kernel.run(sums.arguments(), three, seed);
      EXPECT_NE(problem.find("race:"), std::string::npos) << "seed " << seed << ": " << problem;
    }
  }
}

TEST(Emulate, MemoryThatNothingWroteIsNaN) {
  Emulated kernel(sum("call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)"));
  Sums sums;
  emulator::Grid half{{3, 1, 1}, 32};
  EXPECT_EQ(kernel.run(sums.arguments(), half, 0), "");
  EXPECT_TRUE(std::isnan(sums.out[0]));
}

TEST(Emulate, ABarrierThatSomeDoNotReach) {
  Emulated kernel(R"(
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
define ptx_kernel void @k() {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %few = icmp ult i32 %tid, 40
  br i1 %few, label %waits, label %end
waits:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %end
end:
  ret void
})");
  for (uint64_t seed : seeds())
    EXPECT_EQ(kernel.run({}, three, seed),
              "deadlock in block (" + std::string(seed == 1 ? "2" : "0") +
                  ", 0, 0): threads 0 to 39 wait at a barrier of the block at 0, threads 40 to 63 "
                  "ended");
}

TEST(Emulate, BarriersAtTwoPlaces) {
  Emulated kernel(R"(
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
define ptx_kernel void @k() {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %few = icmp ult i32 %tid, 32
  br i1 %few, label %one, label %other
one:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
other:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
})");
  std::string problem = kernel.run({}, three, 0);
  EXPECT_EQ(problem,
            "thread 32 of block (0, 0, 0) comes to a barrier of the block at 1 while others "
            "of its block are at 0");
  ASSERT_EQ(kernel.sites.size(), 2u);
  EXPECT_EQ(kernel.sites[1], "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)");
}

/// Every lane writes what a shuffle gives it.
TEST(Emulate, Shuffles) {
  struct Way {
    const char *name;
    int by, bounds;
    int (*from)(int lane);
  };
  const Way ways[] = {
      {"bfly", 5, 31, [](int lane) { return lane ^ 5; }},
      {"idx", 7, 31, [](int) { return 7; }},
      {"down", 3, 31, [](int lane) { return lane + 3 > 31 ? lane : lane + 3; }},
      {"up", 3, 0, [](int lane) { return lane < 3 ? lane : lane - 3; }},
  };
  for (const Way &way : ways) {
    std::string name = "@llvm.nvvm.shfl.sync." + std::string(way.name) + ".f32";
    Emulated kernel("declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
                    "declare float " +
                    name +
                    "(i32, float, i32, i32)\n"
                    "define ptx_kernel void @k(ptr %out) {\n"
                    "  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
                    "  %x = uitofp i32 %tid to float\n"
                    "  %y = call float " +
                    name + "(i32 -1, float %x, i32 " + std::to_string(way.by) + ", i32 " +
                    std::to_string(way.bounds) +
                    ")\n"
                    "  %to = getelementptr float, ptr %out, i32 %tid\n"
                    "  store float %y, ptr %to\n"
                    "  ret void\n}\n");
    for (uint64_t seed : seeds()) {
      std::vector<float> out(64, -1);
      float *to = out.data();
      EXPECT_EQ(kernel.run({&to}, {{1, 1, 1}, 64}, seed), "");
      for (int i = 0; i < 64; ++i)
        EXPECT_EQ(out[i], i / 32 * 32 + way.from(i % 32)) << way.name << ", seed " << seed;
    }
  }
}

/// All blocks write one place.
TEST(Emulate, BlocksThatWriteTheSame) {
  Emulated kernel(
      "define ptx_kernel void @k(ptr %out) {\n  store float 1.0, ptr %out\n  ret void\n}");
  float out = 0, *to = &out;
  EXPECT_NE(kernel.run({&to}, {{1, 1, 1}, 32}, 0).find("race"), std::string::npos);
  EXPECT_EQ(kernel.run({&to}, {{1, 1, 1}, 32}, 0, false), "");
}

TEST(Emulate, WhatIsNotEmulatedIsRefused) {
  Emulated kernel(
      "declare i32 @llvm.nvvm.activemask()\n"
      "define ptx_kernel void @k() {\n  %m = call i32 @llvm.nvvm.activemask()\n  ret void\n}");
  EXPECT_EQ(kernel.refusal, "not emulated: llvm.nvvm.activemask");
}

} // namespace

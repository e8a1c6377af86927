// What a launch did, as a profiler would say it.
#ifndef WEFT_RUNTIME_EMULATOR_COUNTS_H
#define WEFT_RUNTIME_EMULATOR_COUNTS_H

#include <cstdint>

namespace weft::emulator {

/// Of all threads. What is marked so is of instructions of whole warps, and what is behind `plain`
/// is known only of kernels that tell of their plain loads and stores, where it is counted.
struct Counts {
  uint64_t blocks = 0, threads = 0;
  uint64_t barriers = 0; ///< by threads, of blocks, numbered ones and those of clusters
  uint64_t warpBarriers = 0, shuffles = 0, votes = 0;
  uint64_t fences = 0, atomics = 0;
  uint64_t matrixLoads = 0, matrixStores = 0; ///< ldmatrix, stmatrix: by warps
  uint64_t products = 0, groupProducts = 0;   ///< mma.sync by warps; wgmma by groups of warps
  uint64_t tensorFlops = 0, tf32Flops = 0;    ///< of 16-bit numbers, of tf32: both in all
  uint64_t copies = 0, bulkCopies = 0;        ///< cp.async by threads; bulk and tensor copies
  uint64_t arrivals = 0, waits = 0;           ///< at barriers in shared memory
  uint64_t approximations = 0;                ///< ex2, lg2, rcp, … by threads
  uint64_t copiedBytes = 0;                   ///< that copies of either kind read of global memory
  uint64_t storedBytes = 0;                   ///< that bulk copies write to it
  uint64_t sharedCopyBytes = 0;               ///< written and read of shared memory by both
  uint64_t sharedMatrixBytes = 0;             ///< read and written by ldmatrix, stmatrix, wgmma
  uint64_t matrixConflicts = 0;               ///< passes of ldmatrix, stmatrix beyond the least
  uint64_t plain = 0;                         ///< plain accesses by threads
  uint64_t globalReads = 0, globalWrites = 0; ///< bytes
  uint64_t globalAccesses = 0, sectors = 0;   ///< by warps; of 32 bytes
  uint64_t sharedReads = 0, sharedWrites = 0; ///< bytes
  uint64_t sharedAccesses = 0, conflicts = 0; ///< by warps; passes beyond the least
  uint64_t instructions = 0;                  ///< by threads, as LLVM IR has them
  uint64_t floats = 0; ///< of these, additions, products, and both in one, of floats

  void add(const Counts &other) {
    auto *to = reinterpret_cast<uint64_t *>(this);
    auto *from = reinterpret_cast<const uint64_t *>(&other);
    for (unsigned i = 0; i < sizeof(Counts) / sizeof(uint64_t); ++i)
      to[i] += from[i];
  }
};

} // namespace weft::emulator
#endif

// What is known of devices that have not been measured: the figures of predictions
// (docs/predictions.md).
#ifndef WEFT_RUNTIME_EMULATOR_PREDICTION_DEVICE_H
#define WEFT_RUNTIME_EMULATOR_PREDICTION_DEVICE_H

#include <cstddef>
#include <span>

namespace weft::emulator {

/// Rates are of one processor (SM) and clock, unless said.
struct Device {
  const char *name;
  const char *image; ///< of a program, that runs on it
  unsigned processors;
  double clock;                  ///< 1/s
  double issues;                 ///< instructions of warps
  double floats;                 ///< additions, products, or both in one, of float32
  double tensorFlops, tf32Flops; ///< of products of four warps
  double warpProducts;           ///< the part of that which products of one warp reach
  double sharedBytes;
  double special;     ///< threads' functions such as ex2
  double cacheBytes;  ///< of the whole device, a second, of its second cache
  double memoryBytes; ///< of the whole device, a second
  double memoryShare; ///< the part of that which a kernel reaches
  double start;       ///< seconds until a launch's first block runs
  double latency;     ///< seconds that a block waits before its first data is there
  unsigned threads, blocks, registers; ///< at most
  size_t shared, sharedOfBlock;        ///< at most, and what a block takes besides its own
};

const Device &a100();
const Device &h100();
/// Those that programs carry images for, in the order of the images.
std::span<const Device *const> devices();

/// The most that a device could do in a second, of the data sheet: floating-point operations, or
/// those of matrix products of 16-bit numbers or of tf32.
enum class Arithmetic { float32, tf32, tensor };
double peak(const Device &device, Arithmetic arithmetic);

} // namespace weft::emulator
#endif

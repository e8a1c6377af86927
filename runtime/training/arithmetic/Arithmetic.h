// Arithmetic of gradients between entries, where they lie: by the pool's threads, or by kernels of
// the device.
#ifndef WEFT_RUNTIME_TRAINING_ARITHMETIC_ARITHMETIC_H
#define WEFT_RUNTIME_TRAINING_ARITHMETIC_ARITHMETIC_H

#include "runtime/model/Model.h"

#include <span>

namespace weft::runtime {

struct Floats {
  Mirror *memory;
  int64_t count;
};

class Arithmetic {
public:
  /// `model` must outlive it.
  explicit Arithmetic(Model &model) : model(model) {}

  /// Adds a share of values to sums, pair by pair; where they are the `first`, the sums are 0
  /// before. A share of 0 is 0, be the value NaN.
  Status add(std::span<const Floats> sums, std::span<const Floats> values, float share, bool first);
  Status scale(std::span<const Floats> tensors, float factor);

private:
  Device *device() const { return model.device.get(); }
  Result<const WeftDeviceServices *> services() const;
  /// `factor`, where kernels read it.
  Result<void *> factorOnDevice(float factor);
  Model &model;
  Mirror number; // the factor, where kernels read it
};

} // namespace weft::runtime
#endif

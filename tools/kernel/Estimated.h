// A kernel of a GPU that nobody runs: how long a device is predicted to take for what its schedule
// says.
#ifndef WEFT_TOOLS_KERNEL_ESTIMATED_H
#define WEFT_TOOLS_KERNEL_ESTIMATED_H

#include "ir/cuda/Cuda.h"
#include "runtime/emulator/prediction/Prediction.h"

namespace weft::trial {

/// What the emulator is expected to count of such a launch.
emulator::Counts countsOf(const cuda::Estimate &estimate);
/// By the model that counted launches are predicted by.
emulator::Prediction predict(const cuda::Estimate &estimate, const kernel::Work &work,
                             const emulator::Device &device);
/// The least that the device could take.
double roofline(const kernel::Work &work, const emulator::Device &device);

} // namespace weft::trial

#endif // WEFT_TOOLS_KERNEL_ESTIMATED_H

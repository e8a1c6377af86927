// The CUDA devices of this machine, and which code of a program each runs.
#ifndef WEFT_RUNTIME_DEVICE_CUDA_DEVICES_H
#define WEFT_RUNTIME_DEVICE_CUDA_DEVICES_H

#include "runtime/device/Device.h"
#include "runtime/device/cuda/Driver.h"

namespace weft::runtime::cuda {

Result<std::vector<DeviceFacts>> listDevices(const Driver &driver);

/// The first of a program's images that the device can run and that the driver understands. Errors
/// (Device): there is none; the driver is too old.
Result<const WeftImage *> imageFor(const WeftProgram &program, const DeviceFacts &device,
                                   int driverVersion);

/// "compute capability 8.0 and later" or "9.0a"
std::string capabilityText(const WeftImage &image);

/// The driver's version that understands such code, by its `.version`; 0 where it does not say.
int versionFor(const WeftImage &image);

} // namespace weft::runtime::cuda
#endif
